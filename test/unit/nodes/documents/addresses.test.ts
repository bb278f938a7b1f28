import {
	addressesIn,
	fileUrlsOf,
	shownAddress,
} from '../../../../nodes/DocumentWorkflow/documents/addresses';
import { contextOf, errorWith } from '../../support/context';

const A = 'https://files.example.com/policy.pdf';
const B = 'https://files.example.com/claims/1.pdf?sig=a%2Fb,c';
const POLICY = 'https://f.example.com/a.pdf';
const CLAIM = 'https://f.example.com/b.pdf';
const MANY = 200_000;
const SECRET = 'X-Signature=a8f3';
const read = (given: unknown) => fileUrlsOf({ context: contextOf(), itemIndex: 4 }, given);

describe('file URLs', () => {
	it.each<[string, unknown, string[]]>([
		['one address', A, [A]],
		['one with white space around it', ` ${A}\n`, [A]],
		['a list', [A, ` ${B} `, ''], [A, B]],
		['a JSON list', JSON.stringify([A, B]), [A, B]],
		[
			'a list of which an entry holds several, apart by commas and spaces',
			[B, `${A}, ${A}/2, ${A}/3`],
			[B, A, `${A}/2`, `${A}/3`],
		],
		['several, apart by semicolons', `${A};${B}; ${A}/2;`, [A, B, `${A}/2`]],
		[
			'an address in capitals',
			'HTTPS://FILES.EXAMPLE.COM/A.PDF',
			['HTTPS://FILES.EXAMPLE.COM/A.PDF'],
		],
		[
			'plain http to this machine itself',
			['http://127.0.0.1:4010/a.pdf', 'http://localhost/a', 'http://[::1]/a'],
			['http://127.0.0.1:4010/a.pdf', 'http://localhost/a', 'http://[::1]/a'],
		],
		['the same address twice, once', `${A} ${B} ${A}`, [A, B]],
		['addresses that differ in the query', [A, `${A}?v=2`, A], [A, `${A}?v=2`]],
	])('are read from %s', (_, given, urls) => expect(read(given)).toEqual(urls));

	it('are not changed, because a signature covers them', () => {
		const signed = `https://Files.Example.com:443/a%2fb/../c.pdf?${SECRET}&x=%7E~#p`;
		expect(read(signed)).toEqual([signed]);
	});
});

describe('invalid file URLs', () => {
	it.each<[string, unknown, string, string]>([
		...['', [], '[ ]', null].map((empty): [string, unknown, string, string] => [
			JSON.stringify(empty),
			empty,
			"'File URLs' is empty",
			"Enter the URL of a file, or choose another source under 'Documents'",
		]),
		[
			'an object',
			{ url: A },
			"'File URLs' must be text or a list of texts",
			'Enter URLs as text, or as a list of texts from an expression',
		],
		[
			'a list with something else in it',
			[A, 7],
			"'File URLs' must be text or a list of texts",
			'Enter URLs as text, or as a list of texts from an expression',
		],
		...[
			'/policy.pdf',
			'files.example.com/policy.pdf',
			'//files.example.com/policy.pdf',
			'https:policy.pdf',
			'https://',
		].map((url): [string, unknown, string, string] => [
			url,
			url,
			"URL 1 in 'File URLs' is not a complete URL",
			'Enter a complete URL such as https://files.example.com/policy.pdf, with %20 for spaces',
		]),
		...[
			'http://files.example.com/a',
			'ftp://files.example.com/a',
			'file:///etc/a',
			'http://127.0.0.1.example.com/a',
		].map((url): [string, unknown, string, string] => [
			url,
			url,
			"URL 1 in 'File URLs' does not begin with https://",
			'The service downloads files only over HTTPS',
		]),
		...[
			'https://user@files.example.com/a',
			'https://user:password@files.example.com/a',
			'https://:password@files.example.com/a',
		].map((url): [string, unknown, string, string] => [
			url,
			url,
			"URL 1 in 'File URLs' contains a user name or password",
			'Use a URL without them, e.g. a signed link of your file storage',
		]),
	])('fail the item when the field is %s', (_, given, message, description) =>
		expect(() => read(given)).toThrow(errorWith({ message, description, itemIndex: 4 })),
	);

	it.each([',', ', ', ';', '; ', '|', ' | ', '\n', '\t', ' ', '\u00a0'])(
		'fail the item when a later one, after %j, has a password or is not https',
		(between) => {
			const given = `${A}${between}https://user:password@files.example.com/b`;
			const message = "URL 2 in 'File URLs' contains a user name or password";
			expect(() => read(given)).toThrow(message);
			// A list entry without white space is one address.
			expect(() => read([given])).toThrow(/\s/.test(between) ? message : message.replace('2', '1'));
			expect(() => read(`${A}${between}ftp://files.example.com/b`)).toThrow(
				"URL 2 in 'File URLs' does not begin with https://",
			);
		},
	);

	it('are named by their position in the entered text, even after a repeated address', () => {
		expect(() => read([A, B, A, 'policy.pdf'])).toThrow(
			"URL 4 in 'File URLs' is not a complete URL",
		);
	});

	it.each([
		`http://files.example.com/a?${SECRET}`,
		`https://u:p@files.example.com/a?${SECRET}`,
		`files.example.com/a?${SECRET}`,
	])('are not shown in the error: %s', (url) => {
		const error = catchError(() => read([A, url]));
		expect(JSON.stringify(error)).not.toMatch(/a8f3|files\.example\.com\/a|u:p/);
		expect(error.message).toContain('URL 2');
	});
});

it.each([
	[
		`https://files.example.com/a/policy.pdf?${SECRET}#page=2`,
		'https://files.example.com/a/policy.pdf',
	],
	['https://files.example.com:8443', 'https://files.example.com:8443/'],
	['http://127.0.0.1:4010/a%20b?x', 'http://127.0.0.1:4010/a%20b'],
])('%s is shown as %s, without its signature', (url, shown) =>
	expect(shownAddress(url)).toBe(shown),
);

function catchError(call: () => unknown): {
	message: string;
	description: string;
	messages: string[];
} {
	try {
		call();
	} catch (error) {
		const { message, description, messages } = error as {
			message: string;
			description: string;
			messages: string[];
		};
		return { message, description, messages };
	}
	throw new Error('Nothing was thrown');
}

describe('an address in a text', () => {
	it.each([
		'https://f.example.com/a,,b.pdf',
		'https://f.example.com/f?x=1;;y=2',
		'https://f.example.com/a;v=1||2,.pdf',
		'https://f.example.com/a,"b.pdf',
		'https://f/report[1]',
		"https://f/x?q='x'",
		"https://f/it's'",
		'https://f/x?ids=[1,]',
		'https://[::1]',
		'https://p/get?url=https://f/a.pdf',
	])('is not split: %s', (address) => {
		expect(addressesIn(address)).toEqual([address]);
		expect(addressesIn(`${address}, ${POLICY}`)).toEqual([address, POLICY]);
	});
});

describe('a text of addresses', () => {
	it.each([
		['in a list without spaces', `["${POLICY}","${CLAIM}"]`],
		['in a list over several lines', `\n[\n\t"${POLICY}",\n\t"${CLAIM}"\n]\n`],
		['at a run of signs before white space', `${POLICY},;| ${CLAIM}`],
		['at a run of signs before an address', `${POLICY},;|${CLAIM}`],
		['at white space around signs', `${POLICY} , ${CLAIM} ;`],
		['at a run of signs at its end', `${POLICY} ${CLAIM},;`],
		['at a run of signs at its beginning', `,;${POLICY} ${CLAIM}`],
	])('is split %s', (_, text) => expect(addressesIn(text)).toEqual([POLICY, CLAIM]));

	it('is split before any scheme, so that each address is checked', () => {
		expect(addressesIn(`${POLICY},ftp://f/b;s3+x://d,mailto:e`)).toEqual([
			POLICY,
			'ftp://f/b',
			's3+x://d,mailto:e',
		]);
	});

	it.each(['', ' ', ',', '[ ]', '[]', ' ,; '])('may have none: %j', (text) =>
		expect(addressesIn(text)).toEqual([]),
	);
});

describe('an entry of a list', () => {
	it.each([
		`${POLICY}?sig=abc;`,
		'https://p/merge?src=https://a/1.pdf,https://a/2.pdf',
		'https://f/a?ids=[1,2]',
		`"${POLICY}"`,
		`[${POLICY}]`,
		`${POLICY},"${CLAIM}"`,
	])('is not changed: %s', (entry) => expect(addressesIn([entry, CLAIM])).toEqual([entry, CLAIM]));

	it.each([
		[`${POLICY}, ${CLAIM}`, [POLICY, CLAIM]],
		[`${POLICY},; ${CLAIM};`, [POLICY, `${CLAIM};`]],
		[` ${POLICY} , ${CLAIM}\r\n`, [POLICY, CLAIM]],
		[`${POLICY}\t"${CLAIM}"`, [POLICY, `"${CLAIM}"`]],
		['https://f/a,;b.pdf, https://f/c', ['https://f/a,;b.pdf', 'https://f/c']],
		[' , ', []],
	])('is split at white space: %j', (entry, addresses) =>
		expect(addressesIn([entry])).toEqual(addresses),
	);
});

describe('a value that is neither a text nor a list of texts', () => {
	it.each([7, true, { url: A }, [POLICY, 7], [POLICY, null], [[POLICY]]])(
		'is rejected: %j',
		(given) => expect(addressesIn(given)).toBeUndefined(),
	);
	it.each([undefined, null, []])('counts as empty when it is %j', (given) =>
		expect(addressesIn(given)).toEqual([]),
	);
});

// In quadratic time this would take minutes.
describe('a long text is read quickly', () => {
	it.each(["'", '[', ',', ';', ',"', ",'[", 'a', ',a', 'a.'])(
		'when it contains very many %s',
		(sign) => {
			const address = `https://f/${sign.repeat(MANY)}b`;
			expect(addressesIn(address)).toEqual([address]);
			expect(addressesIn([address])).toEqual([address]);
			expect(addressesIn(JSON.stringify([address, CLAIM]))).toEqual([address, CLAIM]);
		},
	);

	it.each([',', ';', ' ', ', '])('when it ends with very many %j', (sign) =>
		expect(addressesIn(`${POLICY}${sign.repeat(MANY)}`)).toEqual([POLICY]),
	);

	it('when it has very many addresses', () => {
		const addresses = Array.from({ length: MANY / 10 }, (_, index) => `https://f/${index}`);
		expect(addressesIn(JSON.stringify(addresses))).toEqual(addresses);
		expect(addressesIn([addresses.join(', ')])).toEqual(addresses);
	});
});
