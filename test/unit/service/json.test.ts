import { parseJson } from '../../../service/json';
import { growthOf, LINEAR } from '../support/growth';
import { cases, fc } from '../../properties';

describe('a JSON text', () => {
	it('keeps the digits of integers that a number cannot hold', () => {
		expect(
			parseJson('{"id": 12345678901234567890, "list": [-98765432109876543210,9007199254740993]}'),
		).toEqual({ id: '12345678901234567890', list: ['-98765432109876543210', '9007199254740993'] });
	});

	it.each([
		['the largest exact integer', '{"a": 9007199254740991}', { a: 9007199254740991 }],
		['a long integer in a text alone', '"12345678901234567890"', undefined],
		['a fraction', '[0.12345678901234567890]', [0.12345678901234568]],
		['a long integer part', '[12345678901234567890.5]', undefined],
		['an exponent', '[1e+0000000000000000002, 1000000000000000000e2]', [100, 1e20]],
		['digits in a text', '{"1234567890123456789": "12345678901234567890"}', undefined],
		['digits behind a quote in a text', '["\\"12345678901234567890", "\\\\"]', undefined],
	])('is otherwise read as usual: %s', (_, text, value) => {
		expect(parseJson(text)).toEqual(value ?? JSON.parse(text));
	});

	it.each([
		['alone', '12345678901234567890', '12345678901234567890'],
		[
			'behind a text that ends with a backslash',
			String.raw`["a\\", 12345678901234567890, "b"]`,
			['a\\', '12345678901234567890', 'b'],
		],
		[
			'behind a text that ends with a quote',
			String.raw`["a\"", 12345678901234567890, "b"]`,
			['a"', '12345678901234567890', 'b'],
		],
	])('keeps the digits of a long integer %s', (_, text, value) => {
		expect(parseJson(text)).toEqual(value);
	});

	it('is read without an error when it has millions of digits', () => {
		const digits = '1'.repeat(10_000_000);
		expect(parseJson(`[${digits}]`)).toBeUndefined();
		expect(parseJson(`[${digits}`)).toBeUndefined();
	});

	it('keeps up to 10,000 digits', () => {
		const digits = '1'.repeat(10_000);
		expect(parseJson(`[${digits}, -${digits}]`)).toEqual([digits, `-${digits}`]);
	});

	it.each(['1e400', '-1E+999', `1${'0'.repeat(250)}e99`, '1'.repeat(10_001)])(
		'is none where a number is too large, because it would become another value: %s',
		(number) => {
			expect(parseJson(`{"a": [${number}]}`)).toBeUndefined();
			expect(parseJson(`{"a": "${number}", "b": 1e300}`)).toEqual({ a: number, b: 1e300 });
		},
	);

	it('may begin with a byte order mark', () => {
		expect(parseJson('\uFEFF{"a": 1}')).toEqual({ a: 1 });
	});

	it.each(['', ' ', '<html>', '{"a": 1', '{"a": "12345678901234567890'])(
		'is undefined when it is none: %j',
		(text) => {
			expect(parseJson(text)).toBeUndefined();
		},
	);

	it('is read like JSON.parse, whatever it holds', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const text = JSON.stringify(value);
				// Numbers of fast-check may be long integers, which JSON.parse rounds.
				const isExact = !/(?<![\d.e+-])-?\d{16,}(?![\d.e])/.test(text);
				if (isExact) expect(parseJson(text)).toEqual(JSON.parse(text));
			}),
			cases(200),
		);
	});
});

describe('whatever text comes', () => {
	const pieces = ['"', '\\', '{', '}', '[', ']', ',', ':', '1234567890123456789', '.', 'e', ' '];
	const hostile = fc
		.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
		.map((few) => few.join(''));

	it('is judged in time in proportion to its length, without an error', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(hostile, fc.string({ minLength: 1, maxLength: 200 })),
				async (piece) => {
					const make = (size: number) => piece.repeat(size / piece.length);
					expect(await growthOf(make, parseJson)).toBeLessThan(LINEAR);
				},
			),
			cases(30),
		);
	});
});
