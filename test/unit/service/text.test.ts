import { excerptOf, messageOf, plainText } from '../../../service/text';
import { growthOf, LINEAR } from '../support/growth';
import { anyCharacter, cases, fc } from '../../properties';

/** A secret as a service could quote it. */
const SPELLINGS: Array<[string, (secret: string) => string]> = [
	['plain', (secret) => secret],
	['as JSON', (secret) => JSON.stringify(secret)],
	['in a URL', (secret) => encodeURIComponent(secret)],
	['in a URL in small letters', (secret) => encodeURIComponent(secret).toLowerCase()],
	['in a form', (secret) => new URLSearchParams({ secret }).toString().slice('secret='.length)],
	['in base64', (secret) => Buffer.from(secret).toString('base64')],
	['in base64 with more', (secret) => Buffer.from(`id:${secret}, and more`).toString('base64')],
	['in base64 for URLs', (secret) => Buffer.from(secret).toString('base64url')],
];

const anySecret = fc
	.array(fc.constantFrom(...'Qz7Xk9_-é€"\\\'/+%&<=👍'), { minLength: 6, maxLength: 40 })
	.map((characters) => characters.join(''))
	.filter((secret) => /[A-Za-z0-9]/.test(secret));

/** Parts of long texts of the kind that makes patterns slow. */
const PIECES = [
	'http://',
	'-eyJ',
	'eyJ.',
	'bearer ',
	'Bearer abcdefg1 ',
	'secret: ',
	'http://a?',
	'http://a@',
	'https://a.b/c d?',
	'\\',
	'\\"',
	' ',
	'\n',
	'\u202e',
	'\ud800',
	'"',
	'%5c',
	'&#x2f;',
	'token="',
	'a.b/=+~-',
	'<',
];
const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

describe('a text from outside', () => {
	it.each([
		['a\r\nb\u0000c\u2028d', 'a b c d'],
		['  abc\u202egnp.exe ', 'abc gnp.exe'],
		['half \ud83d of a sign', 'half of a sign'],
		['a whole 👍 sign', 'a whole 👍 sign'],
		[`invalid ${['eyJhbGciOi', 'eyJzdWIiOj', 'c2ln'].join('.')}`, 'invalid [token]'],
		['Bearer abcdefgh12345678 is not valid', 'Bearer [token] is not valid'],
		['Authorization: Bearer "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6"', 'Authorization: Bearer "[token]"'],
		['Bearer authentication is required', 'Bearer authentication is required'],
		['Basic information is missing', 'Basic information is missing'],
		['client_secret=a1b2c3d4e5 was refused', 'client_secret=[secret] was refused'],
		['{"api_key": "sk-a1b2c3d4"}', '{"api_key": "[secret]"}'],
		['Invalid token: expired', 'Invalid token: expired'],
		['see https://a.example/b?sig=abc now', 'see https://a.example/b?[query] now'],
		['s3://b/c?sig=abc or /signed/1?sig=abc', 's3://b/c?[query] or /signed/1?[query]'],
		['no https://me:pass@word@a.example/b', 'no https://[user]@a.example/b'],
		['no postgres://me:pass@db, ask me@a.example', 'no postgres://[user]@db, ask me@a.example'],
		[
			'see https://a.example/@me or ask me@a.example',
			'see https://a.example/@me or ask me@a.example',
		],
	])('is shown in one line without secrets: %j', (text, shown) => {
		expect(plainText(text)).toBe(shown);
	});

	it('is cut, but not within a character', () => {
		expect(plainText('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
		expect(plainText('x'.repeat(500))).toBe('x'.repeat(500));
		expect(plainText(`${'x'.repeat(498)}👍y👍`)).toBe(`${'x'.repeat(498)}…`);
	});

	it('is found behind long white space', () => {
		expect(plainText(`${' '.repeat(1e6)}the reason`)).toBe('the reason');
	});

	it.each(SPELLINGS)('never shows a known secret that is quoted %s', (_, spelled) => {
		fc.assert(
			fc.property(anySecret, fc.string({ maxLength: 30 }), (secret, before) => {
				const shown = plainText(`${before} ${spelled(secret)} end`, [secret]);
				expect(shown).toContain('[secret]');
				expect(shown).not.toContain(secret);
				expect(shown).toMatch(/end$/);
			}),
			cases(40),
		);
	});

	it('masks a secret with line breaks, however they are written', () => {
		const key = '-----BEGIN KEY-----\nMIIabc+/=\nxyz4\n-----END KEY-----\n';
		const windows = key.replaceAll('\n', '\r\n');
		for (const quoted of [key, windows, JSON.stringify(key), encodeURIComponent(key)])
			expect(plainText(`a ${quoted} b`, [key])).not.toMatch(/MII|xyz/);
	});

	it('shows no part of a secret at the end of the cut', () => {
		const secret = 'S3cret-"\\-Value-1';
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 60 }),
				fc.constantFrom(...SPELLINGS),
				fc.constantFrom('x', ' ', '\n', 'é', 'S3cret '),
				(length, [, spelled], filler) => {
					const text = filler.repeat(100).slice(0, length) + spelled(secret).repeat(50);
					expect(plainText(text, [secret], 40)).not.toMatch(/S3cret-|Value/);
				},
			),
			cases(200),
		);
	});

	it.each([
		['fills the end of the cut', 'Qz7-'.repeat(10)],
		['is longer than what is shown', 'Qz7-'.repeat(50)],
		['is much longer where it is escaped', '€'.repeat(80)],
	])('shows no part of a repeated secret that %s', (_, secret) => {
		for (const spelled of [secret, encodeURIComponent(secret)]) {
			expect(plainText(spelled.repeat(20), [secret], 40)).toBe('[secret]…');
			expect(plainText(`a ${spelled}`, [secret], 40)).toBe('a [secret]…');
		}
	});

	it('shows no part of a secret behind white space, however long that is', () => {
		const secret = 'Qz7Xk9'.repeat(10);
		for (let width = 0; width < 6_000; width += 25)
			expect(plainText(`a${' '.repeat(width)}${secret}`, [secret], 40)).not.toMatch(/Qz|Xk/);
	});

	it('masks secrets and tokens in the order in which they come', () => {
		const token = ['eyJhbGciOi', 'eyJzdWIiOj', 'c2ln'].join('.');
		expect(plainText(`S3cret-1 and ${token} and S3cret-1`, ['S3cret-1'])).toBe(
			'[secret] and [token] and [secret]',
		);
	});

	it('masks two secrets that overlap', () => {
		expect(plainText('abcdefghi', ['abcdef', 'defghi'])).toBe('[secret]');
	});

	it('masks a secret of which another one is the beginning, or that a URL holds', () => {
		expect(plainText('abcdefghi', ['abcdef', 'abcdefghi'])).toBe('[secret]');
		const secret = 'one "and" two';
		expect(plainText(`at https://a.example/?k=${secret} now`, [secret])).not.toMatch(/one|two/);
	});

	it('masks no text that is too short to be a secret', () => {
		expect(plainText('an eu-1 region', ['', 'eu', 'eu-', 'eu-1'])).toBe('an [secret] region');
		expect(plainText('an eu region', ['', 'eu', 'reg'])).toBe('an eu region');
	});

	it.each(PIECES)('of many %j takes time in proportion to its length', async (piece) => {
		const secrets = ['S3cret-"\\-Value-1', '\\\\\\"\\ \\', 'a'.repeat(2_000), '"'.repeat(500)];
		// So much is shown that all of it is read.
		const work = (text: string) => plainText(text, secrets, 1e6);
		expect(await growthOf((size) => repeated(piece, size), work)).toBeLessThan(LINEAR);
	});

	it.each(PIECES)('of many %j is read only at its beginning', (piece) => {
		const shown = plainText(repeated(piece, 1_000_000), ['S3cret-1']);
		expect(shown.length).toBeLessThanOrEqual(500);
		expect(plainText(repeated(piece, 20_000), ['S3cret-1'])).toBe(shown);
	});

	it('is plain text of a bounded length, whatever comes', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: anyCharacter, maxLength: 300 }),
				fc.integer({ min: 1, max: 600 }),
				(text, max) => {
					const shown = plainText(text, ['S3cret'], max);
					expect(shown.length).toBeLessThanOrEqual(max);
					expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u);
				},
			),
		);
	});
});

describe('a value from outside', () => {
	it('is shown as short JSON, with secrets masked before it is serialized', () => {
		const secret = 'S3cret-"\\-Value-1';
		expect(excerptOf({ a: 1, b: [null, true, `x ${secret}`], [secret]: 'c' }, [secret])).toBe(
			'{"a":1,"b":[null,true,"x [secret]"],"[secret]":"c"}',
		);
	});

	it('has no secret that is a number', () => {
		expect(excerptOf({ a: 1234567890, b: [12] }, ['1234567890'])).toBe('{"a":[secret],"b":[12]}');
		expect(excerptOf(1234567890, ['1234567890'])).toBe('[secret]');
	});

	it('does not show what a field name calls a secret', () => {
		expect(excerptOf({ [`${' '.repeat(600)}secret`]: 'abc' })).toBe('{" secret":"[secret]"}');
		expect(excerptOf({ client_secret: 'abc', Authorization: { x: 'y' }, token_count: 3 })).toBe(
			'{"client_secret":"[secret]","Authorization":"[secret]","token_count":3}',
		);
	});

	it('shows that a secret is missing', () => {
		const missing = '{"client_secret":"","token":null,"password":"[secret]"}';
		expect(excerptOf({ client_secret: '', token: null, password: ' ' })).toBe(missing);
	});

	it('is cut at its end', () => {
		expect(excerptOf({ a: 'x'.repeat(600) })).toMatch(/^\{"a":"x+…$/);
		expect(excerptOf(Array<number>(100_000).fill(1))).toMatch(/^\[(?:1,)+1?…$/);
		expect(excerptOf({ a: { b: 1 } }, [], 8)).toBe('{"a":{"…');
	});

	it('is shown whatever it is', () => {
		fc.assert(
			fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
				expect(excerptOf(value).length).toBeLessThanOrEqual(500);
			}),
		);
		expect([undefined, () => 1, Symbol('x'), 'text'].map((each) => excerptOf(each))).toEqual([
			'null',
			'null',
			'null',
			'text',
		]);
	});

	it('is a sentence when it is nested too deeply', () => {
		let value: unknown = 'x';
		for (let level = 0; level < 20_000; level++) value = [value];
		expect(excerptOf(value)).toBe('a value that cannot be shown');
	});

	it.each([
		['a long list', () => Array<number>(100_000).fill(0)],
		['lists of lists', () => treeOf('')],
		['lists of lists of texts', () => treeOf('x'.repeat(100))],
		['lists of long texts', () => [Array<string>(30).fill('http://'.repeat(20_000))]],
	])('is read only in part: %s', (_what, make) => {
		let reads = 0;
		const counted = (value: unknown): unknown =>
			typeof value !== 'object' || value === null
				? value
				: new Proxy(value, {
						get: (target, name) => {
							reads++;
							return counted(Reflect.get(target, name));
						},
					});
		expect(excerptOf(counted(make())).length).toBeLessThanOrEqual(500);
		expect(reads).toBeLessThan(200_000);
	});
});

/** Lists of 20 entries in each other, to a depth of five: millions of values. */
function treeOf(leaf: unknown): unknown {
	let tree = leaf;
	for (let level = 0; level < 5; level++) tree = Array(20).fill(tree);
	return tree;
}

describe('the message of anything thrown', () => {
	it('is in one line', () => {
		expect(messageOf(new Error('a\nb'))).toBe('a b');
		expect(messageOf('text')).toBe('text');
		expect(messageOf(Object.create(null))).toBe('{}');
	});
});
