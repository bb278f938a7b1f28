import { parseCutJson, parseJson } from '../../../service/json';
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
		expect(parseJson(`[${digits}]`)).toEqual(JSON.parse(`[${digits}]`));
		expect(parseJson(`[${digits}`)).toBeUndefined();
		expect(parseCutJson(`["a", ${digits}`)).toEqual(['a']);
	});

	it('keeps up to 10,000 digits', () => {
		const digits = '1'.repeat(10_000);
		expect(parseJson(`[${digits}, -${digits}, ${digits}1]`)).toEqual([
			digits,
			`-${digits}`,
			Infinity,
		]);
	});

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

/** The number 1 in lists within each other. */
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

describe('a JSON text that was cut', () => {
	const TEXT =
		'{"status": "running", "data": [{"a": "x,}\\""}, 2], "workflow_execution_id": "c20c-1", "n": 1234567}';

	it.each([
		['"c20c-1"', { workflow_execution_id: 'c20c-1' }],
		['"c20c-1", "n": 12345', { workflow_execution_id: 'c20c-1' }],
		['"c20c-1", "n": 1234567}', { workflow_execution_id: 'c20c-1', n: 1234567 }],
		['"workflow_execution_id"', { status: 'running' }],
		['"c20c-', { status: 'running' }],
		['"x,}', { status: 'running' }],
	])('is read up to its last complete value: behind %s', (last, expected) => {
		const cut = TEXT.slice(0, TEXT.indexOf(last) + last.length);
		const value = parseCutJson(cut);
		expect(value).toMatchObject(expected);
		if (!('workflow_execution_id' in expected))
			expect(value).not.toHaveProperty('workflow_execution_id');
	});

	it.each([
		['in a list', '[1, 2', [1]],
		['in a list in a record', '{"a": [1, 2, 3', { a: [1, 2] }],
		['in a record in a list', '[{"a": 1}, {"b": 2, "c"', [{ a: 1 }, { b: 2 }]],
		['in long white space', `[{"a": 1}${' '.repeat(200)}`, [{ a: 1 }]],
		['32 levels deep', `${'['.repeat(32)}1,`, nested(32)],
		['33 levels deep, which is read up to there', `[1, ${'['.repeat(32)}1,`, [1]],
		['33 levels deep from the beginning', `${'['.repeat(33)}1,`, undefined],
	])('is read up to its last complete value %s', (_, text, value) => {
		expect(parseCutJson(text)).toEqual(value);
	});

	it.each([
		['with white space', TEXT],
		['without white space', JSON.stringify(JSON.parse(TEXT))],
	])('never gives a value that the whole text does not have, %s', (_, text) => {
		const whole = JSON.parse(text) as Record<string, unknown>;
		for (let end = 0; end <= text.length; end++) {
			const value = parseCutJson(text.slice(0, end)) as Record<string, unknown> | undefined;
			for (const name of ['status', 'workflow_execution_id', 'n'])
				if (value?.[name] !== undefined) expect([end, value[name]]).toEqual([end, whole[name]]);
		}
	});

	it.each([
		['no text', ''],
		['the beginning of an object', '{'],
		['half of a list', '[1'],
		['a word', 'nothing'],
		['a name', '{"a"'],
		['half of a text', '"text'],
		['a thousand lists', '['.repeat(1000)],
	])('is undefined when nothing of it is complete: %s', (_, text) => {
		expect(parseCutJson(text)).toBeUndefined();
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
					for (const read of [parseJson, parseCutJson])
						expect(await growthOf(make, read)).toBeLessThan(LINEAR);
				},
			),
			cases(30),
		);
	});
});
