import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readCreateSettings, textsIn } from '../../../credentials/createSettings';
import { plainText } from '../../../service/text';
import { CREATE_FIELDS } from '../../../service/contract';

const SECRET = 's3cr3t-of-the-file-store';

describe('the names of the fields of a create', () => {
	it.each<[string, ICredentialDataDecryptedObject]>([
		['without other settings', {}],
		[
			'when no others are wanted, whatever stands in their fields',
			{ otherFieldNames: false, filesField: 'documents', metadataField: 'documents' },
		],
		[
			'where a name was left empty',
			{ otherFieldNames: true, filesField: '', textInputsField: '  ', metadataField: 7 },
		],
	])('are the published ones %s', (_, credentials) => {
		expect(readCreateSettings(credentials)).toEqual({
			ok: true,
			settings: { names: CREATE_FIELDS, executionIdField: '', fileAccess: {} },
		});
	});

	it('are those of the deployment when it uses other names', () => {
		const credentials = {
			otherFieldNames: true,
			filesField: ' documents ',
			textInputsField: 'inputs',
			metadataField: 'tags',
			fileUrlsField: 'links',
		};
		expect(readCreateSettings(credentials)).toEqual({
			ok: true,
			settings: {
				names: { files: 'documents', textInputs: 'inputs', metadata: 'tags', fileUrls: 'links' },
				executionIdField: '',
				fileAccess: {},
			},
		});
		expect(readCreateSettings({ otherFieldNames: true, metadataField: 'tags' })).toMatchObject({
			settings: { names: { ...CREATE_FIELDS, metadata: 'tags' } },
		});
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		['two of them', { filesField: 'data', metadataField: 'data ' }],
		['one of them and a published one', { textInputsField: 'metadata' }],
	])('are refused when %s are the same', (_, names) => {
		expect(readCreateSettings({ otherFieldNames: true, ...names })).toMatchObject({
			ok: false,
			refusal: {
				kind: 'noToken',
				message: 'Two of the field names in the credential are the same',
				advice: 'Correct it in the Document Workflow API credential',
				passing: false,
			},
		});
	});

	it('may be swapped', () => {
		const credentials = { otherFieldNames: true, filesField: 'file_urls', fileUrlsField: 'files' };
		expect(readCreateSettings(credentials)).toMatchObject({
			ok: true,
			settings: { names: { files: 'file_urls', fileUrls: 'files' } },
		});
	});
});

describe('the file access fields', () => {
	it.each<[ICredentialDataDecryptedObject]>([
		[{}],
		[{ fileAccessFields: '' }],
		[{ fileAccessFields: ' \n' }],
		[{ fileAccessFields: '{}' }],
	])('are empty for %j', (credentials) => {
		expect(readCreateSettings(credentials)).toMatchObject({
			ok: true,
			settings: { fileAccess: {} },
		});
	});

	it('are read from the JSON object', () => {
		const fileAccess = {
			oauth2: { client_id: 'id', client_secret: SECRET, scopes: ['read'] },
			fetch: true,
		};
		expect(
			readCreateSettings({ fileAccessFields: ` ${JSON.stringify(fileAccess)}\n` }),
		).toMatchObject({ ok: true, settings: { fileAccess } });
	});

	it.each([
		['text that is no JSON', `client_secret=${SECRET}`],
		['JSON that breaks off', `{"client_secret": "${SECRET}"`],
		['JSON with one sign too many', `{"client_secret": "${SECRET}",}`],
		['a list', `["${SECRET}"]`],
		['a text', `"${SECRET}"`],
		['null', 'null'],
	])('are refused, and not shown, when they are %s', (_, fileAccessFields) => {
		const read = readCreateSettings({ fileAccessFields });
		expect(read).toMatchObject({
			ok: false,
			refusal: {
				message: "'File Access Fields (JSON)' in the credential is not a JSON object",
				advice: 'Correct it in the Document Workflow API credential',
			},
		});
		expect(JSON.stringify(read)).not.toMatch(/s3cr3t|client_secret/);
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		['files', {}],
		['user_inputs', {}],
		['metadata', {}],
		['file_urls', {}],
		['documents', { otherFieldNames: true, filesField: 'documents' }],
	])(
		'are refused, without showing a value, when one has the name %s that the node sends itself',
		(name, names) => {
			const read = readCreateSettings({
				...names,
				fileAccessFields: JSON.stringify({ [name]: SECRET }),
			});
			expect(read).toMatchObject({
				ok: false,
				refusal: {
					message: `'File Access Fields (JSON)' in the credential holds '${name}', which the node sends itself`,
				},
			});
			expect(JSON.stringify(read)).not.toContain(SECRET);
		},
	);

	it('may have a published name that this deployment does not use', () => {
		expect(
			readCreateSettings({
				otherFieldNames: true,
				filesField: 'documents',
				fileAccessFields: '{"files": 1}',
			}),
		).toMatchObject({ ok: true });
	});
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
			{ a: 'abcd', b: 'abcd-efgh' },
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
			'names, which are no secret',
			{ client_secret: 'abcd' },
			'client_secret is missing',
			'client_secret is missing',
		],
		['nothing', {}, 'As it is', 'As it is'],
	])('is shown without secrets: %s', (_, fields, text, shown) =>
		expect(plainText(text, textsIn(fields))).toBe(shown),
	);
});
