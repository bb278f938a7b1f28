import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readCreateSettings, secretsIn } from '../../../credentials/settings';
import { plainText } from '../../../service/text';
import { CREATE_FIELDS } from '../../../service/contract';

const SECRET = 's3cr3t-of-the-file-store';

describe('the names of the fields of a create', () => {
	it.each<[string, ICredentialDataDecryptedObject]>([
		['without other settings', {}],
		[
			'when Advanced Settings are off, whatever stands in their fields',
			{ advancedSettings: false, filesField: 'documents', metadataField: 'documents' },
		],
		[
			'where a name was left empty',
			{ advancedSettings: true, filesField: '', textInputsField: '  ', metadataField: 7 },
		],
	])('are the published ones %s', (_, credentials) => {
		expect(readCreateSettings(credentials)).toEqual({
			names: CREATE_FIELDS,
			executionIdField: '',
			fileAccess: {},
		});
	});

	it('are those of the deployment when it uses other names', () => {
		const credentials = {
			advancedSettings: true,
			filesField: ' documents ',
			textInputsField: 'inputs',
			metadataField: 'tags',
			fileUrlsField: 'links',
		};
		expect(readCreateSettings(credentials)).toEqual({
			names: {
				...CREATE_FIELDS,
				files: 'documents',
				textInputs: 'inputs',
				metadata: 'tags',
				fileUrls: 'links',
			},
			executionIdField: '',
			fileAccess: {},
		});
		expect(readCreateSettings({ advancedSettings: true, metadataField: 'tags' })).toMatchObject({
			names: { ...CREATE_FIELDS, metadata: 'tags' },
		});
	});

	it('can be those of the answer: the field with the identifier is trimmed, and a text', () => {
		const idField = (executionIdField: unknown) =>
			readCreateSettings({
				advancedSettings: true,
				executionIdField,
			} as ICredentialDataDecryptedObject).executionIdField;
		expect(idField(' job_number ')).toBe('job_number');
		expect(idField(7)).toBe('');
	});

	it('may be swapped', () => {
		const credentials = { advancedSettings: true, filesField: 'file_urls', fileUrlsField: 'files' };
		expect(readCreateSettings(credentials)).toMatchObject({
			names: { files: 'file_urls', fileUrls: 'files' },
		});
	});
});

describe('the file access fields', () => {
	it.each<[ICredentialDataDecryptedObject]>([
		[{}],
		[{ advancedSettings: true }],
		[{ advancedSettings: true, fileAccessFields: '' }],
		[{ advancedSettings: true, fileAccessFields: ' \n' }],
		[{ advancedSettings: true, fileAccessFields: '{}' }],
		[{ advancedSettings: false, fileAccessFields: '{"key": "k"}' }],
	])('are empty for %j', (credentials) => {
		expect(readCreateSettings(credentials)).toEqual({
			names: CREATE_FIELDS,
			executionIdField: '',
			fileAccess: {},
		});
	});

	it('are read from the JSON object', () => {
		const fileAccess = {
			oauth2: { client_id: 'id', client_secret: SECRET, scopes: ['read'] },
			fetch: true,
		};
		const fileAccessFields = ` ${JSON.stringify(fileAccess)}\n`;
		expect(readCreateSettings({ advancedSettings: true, fileAccessFields })).toEqual({
			names: CREATE_FIELDS,
			executionIdField: '',
			fileAccess,
		});
	});

	it.each([
		[`client_secret=${SECRET}`, 'is not valid JSON: a value is expected at line 1, column 1'],
		[
			`{"client_secret": "${SECRET}"`,
			'is not valid JSON: a comma or } is expected at line 1, column 45',
		],
		[
			`{\n"client_secret": '${SECRET}'}`,
			'is not valid JSON: a value is expected at line 2, column 18',
		],
		[`["${SECRET}"]`, 'must be an object, but is a list'],
		[`"${SECRET}"`, 'must be an object, but is a string'],
		['null', 'must be an object, but is null'],
		[
			`{"${SECRET}": 1.10}`,
			'cannot be sent as it is: the number cannot be sent exactly as written at line 1, column 30',
		],
	])(
		'are none when they cannot be used, with the place of the mistake, for %s',
		(text, message) => {
			const read = readCreateSettings({ advancedSettings: true, fileAccessFields: text });
			expect(read.fileAccess).toEqual({});
			expect(read.fileAccessMistake?.message).toBe(message);
			expect(JSON.stringify(read)).not.toMatch(/s3cr3t|client_secret/);
		},
	);
});

describe('a text that may quote secret fields', () => {
	it.each([
		[
			'a value',
			{ client_secret: 'abcd' },
			'The secret abcd is wrong: abcd',
			'The secret [secret] is wrong: [secret]',
		],
		[
			'a value within objects and lists',
			{ oauth2: { scopes: ['read-all', { key: 'k-12345' }] } },
			'k-12345 may not read-all',
			'[secret] may not [secret]',
		],
		[
			'a value that holds another',
			{ password: 'abcd', b: 'abcd-efgh' },
			'abcd-efgh, abcd',
			'[secret], [secret]',
		],
		[
			'a value with signs that mean something in patterns',
			{ a: 'a.c$&(' },
			'abc$&( a.c$&(',
			'abc$&( [secret]',
		],
		[
			'a value with quotes and backslashes, as JSON shows it',
			{ a: 'ab"c\\d' },
			'{"a":"ab\\"c\\\\d"}',
			'{"a":"[secret]"}',
		],
		[
			'values that are too short to be secret',
			{ a: 'abc', b: '', c: 7, d: true, e: null },
			'abc 7 true null',
			'abc 7 true null',
		],
		[
			'plain words such as a scope',
			{ oauth2: { scope: 'files', secret: ['hidden'] } },
			'The files need the scope files, not hidden',
			'The files need the scope files, not [secret]',
		],
		[
			'names, which are no secret',
			{ client_secret: 'abcd' },
			'client_secret is missing',
			'client_secret is missing',
		],
		['nothing', {}, 'As it is', 'As it is'],
	])('is shown without secrets: %s', (_, fields, text, shown) =>
		expect(plainText(text, secretsIn(fields))).toBe(shown),
	);

	it('has secrets only in texts: a word counts as one where its name says so', () => {
		expect(secretsIn('files')).toEqual([]);
		expect(secretsIn([null, 7, true, {}])).toEqual([]);
	});
});
