import { addressesIn } from '../../../../nodes/DocumentWorkflow/documents/addressesIn';

const A = 'https://f.example.com/a.pdf';
const B = 'https://f.example.com/b.pdf';
const MANY = 200_000;

describe('an address in a text stays whole', () => {
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
	])('%s', (address) => {
		expect(addressesIn(address)).toEqual([address]);
		expect(addressesIn(`${address}, ${A}`)).toEqual([address, A]);
	});

	it.each(['https://f/report[1]', 'https://[::1]', 'https://f/x?q=[[1],[2]]', "https://f/x?q='x'"])(
		'%s, within brackets and quotes too',
		(address) => {
			for (const [open, close] of [
				['[', ']'],
				['["', '"]'],
				["['", "']"],
				['[<', '>]'],
				['["[', ']"]'],
			] as const) {
				expect(addressesIn(`${open}${address}${close}`)).toEqual([address]);
				expect(addressesIn(`[${A}, ${address}]`)).toEqual([A, address]);
			}
		},
	);
});

describe('a text is split', () => {
	it.each([
		['before a list', `${A},[${B}]`],
		['between lists', `["${A}"]|["${B}"]`],
		['before quotes around angle brackets', `${A},"<${B}>"`],
		['in a list without spaces', `["${A}","${B}"]`],
		['in a list of single quotes', `['${A}','${B}']`],
		['in a list that ends in a comma', `["${A}","${B}",]`],
		['in a list over several lines', `\n[\n\t"${A}",\n\t"${B}",\n]\n`],
		['in a list behind an address', `${A}, [ "${B}" ]`],
		['in a list without quotes', `[${A}, ${B}]`],
		['between angle brackets', `<${A}>; <${B}>`],
		['at a run of signs before white space', `${A},;| ${B}`],
		['at a run of signs before an address', `${A},;|${B}`],
		['at white space around signs', `${A} , ${B} ;`],
		['at a run of signs at its end', `${A} ${B},;|`],
		['at a run of signs at its beginning', `,;|${A} ${B}`],
	])('%s', (_, text) => expect(addressesIn(text)).toEqual([A, B]));

	it('before the scheme of any address, so that it is looked at on its own', () => {
		expect(addressesIn(`${A},ftp://f/b;HTTPS:c|s3+x://d,mailto:e`)).toEqual([
			A,
			'ftp://f/b',
			'HTTPS:c',
			's3+x://d,mailto:e',
		]);
	});
});

describe('around an address in a text', () => {
	it.each(['"', '<', '>', '"<>"'])('%s goes from both ends', (signs) =>
		expect(addressesIn(`${signs}${A}${signs}`)).toEqual([A]),
	);

	it.each([
		[`'${A}'`, A],
		[`''${A}''`, A],
		[`"${A}'"`, `${A}'`],
		[`'${A}?q='x''`, `${A}?q='x'`],
		[`[${A}]`, A],
		[`${A}]`, `${A}]`],
		[`["${A},"]`, `${A},`],
	])(
		'a quote or a square bracket goes from the end only where it was opened: %s',
		(text, address) => expect(addressesIn(text)).toEqual([address]),
	);

	it.each(['', ' ', ',', '[ ]', '[]', '"" ; <>', "['']", ' ,;| '])(
		'there is nothing in %j',
		(text) => expect(addressesIn(text)).toEqual([]),
	);
});

describe('an entry of a list', () => {
	it.each([
		`${A}?sig=abc;`,
		'https://p/merge?src=https://a/1.pdf,https://a/2.pdf',
		'https://f/a?ids=[1,2]',
		`"${A}"`,
		`[${A}]`,
		`${A},"${B}"`,
	])('is taken as it is: %s', (entry) => expect(addressesIn([entry, B])).toEqual([entry, B]));

	it.each([
		[`${A}, ${B}`, [A, B]],
		[`${A},;| ${B};`, [A, `${B};`]],
		[` ${A} | ${B}\r\n`, [A, B]],
		[`${A}\t"${B}"`, [A, `"${B}"`]],
		['https://f/a,;b.pdf, https://f/c', ['https://f/a,;b.pdf', 'https://f/c']],
		[' , ', []],
	])('is split at white space: %j', (entry, addresses) =>
		expect(addressesIn([entry])).toEqual(addresses),
	);
});

describe('what is neither a text nor a list of texts', () => {
	it.each([7, true, { url: A }, [A, 7], [A, null], [[A]]])('holds no addresses: %j', (given) =>
		expect(addressesIn(given)).toBeUndefined(),
	);
	it.each([undefined, null, []])('is an empty one, where it is %j', (given) =>
		expect(addressesIn(given)).toEqual([]),
	);
});

// Were the time to grow with the square of the length, these would take minutes.
describe('a long text is read', () => {
	it.each(["'", '"', '<', '>', '[', ']', ',', ';', '|', ',"', '],', ",'[", 'a', ',a', 'a.'])(
		'with very many %s within',
		(sign) => {
			const address = `https://f/${sign.repeat(MANY)}b`;
			expect(addressesIn(address)).toEqual([address]);
			expect(addressesIn([address])).toEqual([address]);
			expect(addressesIn(`['${address}', "${B}"]`)).toEqual([address, B]);
		},
	);

	it.each(["'", '"', '[', '<'])('with very many %s in front', (sign) =>
		expect(addressesIn(`${sign.repeat(MANY)}${A}`)).toEqual([A]),
	);

	it.each(['"', '>', ',', ';', ' ', ', '])('with very many %j at the end', (sign) =>
		expect(addressesIn(`${A}${sign.repeat(MANY)}`)).toEqual([A]),
	);

	it('with very many addresses', () => {
		const addresses = Array.from({ length: MANY / 10 }, (_, index) => `https://f/${index}`);
		expect(addressesIn(JSON.stringify(addresses))).toEqual(addresses);
		expect(addressesIn([addresses.join(', ')])).toEqual(addresses);
	});
});
