import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readFileAccess, secretsIn } from '../../../credentials/settings';
import { plainText } from '../../../service/text';

const SECRET = 's3cr3t-of-the-file-store';

describe('the file access fields', () => {
	it.each<[ICredentialDataDecryptedObject]>([
		[{}],
		[{ fileAccessFields: '' }],
		[{ fileAccessFields: ' \n' }],
		[{ fileAccessFields: '{}' }],
	])('are empty for %j', (credentials) => {
		expect(readFileAccess(credentials)).toEqual({ fields: {} });
	});

	it('are read from the JSON object', () => {
		const fields = {
			oauth2: { client_id: 'id', client_secret: SECRET, scopes: ['read'] },
			fetch: true,
		};
		const fileAccessFields = ` ${JSON.stringify(fields)}\n`;
		expect(readFileAccess({ fileAccessFields })).toEqual({ fields });
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
			const read = readFileAccess({ fileAccessFields: text });
			expect(read.fields).toEqual({});
			expect(read.mistake?.message).toBe(message);
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
			'a passphrase and a number that are named as secrets',
			{
				a: { passphrase: 'swordfish', userPin: 48213377 },
				shipping: 'shown',
				token: { year: 2024 },
			},
			'swordfish, 48213377, shown, 2024',
			'[secret], [secret], shown, 2024',
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
