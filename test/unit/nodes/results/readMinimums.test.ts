import { readOutputSettings } from '../../../../nodes/DocumentWorkflow/results/settings/settings';

/** Reads the minimums of a form, of which only what is given was entered. */
const read = (minimumConfidence: unknown, fieldMinimums: unknown = null) =>
	readOutputSettings((name, fallback) => {
		const form: Record<string, unknown> = {
			minimumConfidence,
			'outputOptions.fieldMinimums': fieldMinimums,
		};
		return form[name] ?? fallback;
	}).minimums;
const fields = (...entries: Array<[name: unknown, minimum: unknown]>) => ({
	pairs: entries.map(([name, minimum]) => ({ name, minimum })),
});
const NO_FIELDS = new Map();

describe('Minimum Confidence', () => {
	it.each([
		[0.8, 0.8],
		['0.8', 0.8],
		['.8', 0.8],
		['0,8', 0.8],
		['80 %', 0.8],
		[' 80% ', 0.8],
		['57.5 %', 0.575],
		['97.9 %', 0.979],
		['0.0000001 %', 1e-9],
		['1 %', 0.01],
		[1, 1],
		['100 %', 1],
	])('%j is %d', (given, general) => {
		expect(read(given)).toEqual({ general, byField: NO_FIELDS });
	});

	it.each([[0], ['0'], ['0 %'], ['0,0']])('judges nothing when it is %j', (given) => {
		expect(read(given)).toEqual({ general: undefined, byField: NO_FIELDS });
	});

	it.each([[undefined], [null], [''], ['  ']])(
		'is the default where an expression gives nothing, so that values are judged: %j',
		(given) => {
			expect(read(given)).toEqual({ general: 0.8, byField: NO_FIELDS });
		},
	);

	it.each([
		[
			80,
			"'Minimum Confidence' must be from 0 to 1, but is 80. Enter a number from 0 to 1, such as 0.8 for 80 %",
		],
		['80', 'but is 80.'],
		[1.5, 'but is 1.5.'],
		['101 %', 'but is 101 %.'],
		[-0.5, 'but is -0.5.'],
		['high', 'but is high.'],
		['80 percent', 'but is 80 percent.'],
		['1e-1', 'but is 1e-1.'],
		[NaN, 'but is '],
		[true, 'but is true.'],
		[{ a: 1 }, 'but is {"a":1}.'],
		[[0.8], 'but is [0.8].'],
		[() => 0, 'but is null.'],
		['x'.repeat(100), `but is ${'x'.repeat(39)}…`],
	])('rejects %j with an explanation', (given, words) => {
		expect(() => read(given)).toThrow(words);
	});
});

describe('Minimums per Field', () => {
	it('are numbers by field name; 0 judges nothing', () => {
		const given = fields([' total_premium ', 0.95], ['policy.number', '80 %'], ['notes', 0]);
		expect(read(0.5, given)).toEqual({
			general: 0.5,
			byField: new Map([
				['total_premium', 0.95],
				['policy.number', 0.8],
				['notes', undefined],
			]),
		});
	});

	it.each([[undefined], [null], [{}], [{ pairs: [] }], [[]]])('may be none: %j', (given) => {
		expect(read(0.5, given)).toEqual({ general: 0.5, byField: NO_FIELDS });
	});

	it('may have names such as __proto__', () => {
		expect(read(0, fields(['__proto__', 0.9]))).toMatchObject({
			byField: new Map([['__proto__', 0.9]]),
		});
	});

	it.each([
		[
			'without a field name',
			fields(['a', 0.9], ['  ', 0.9]),
			"Entry 2 of 'Minimums per Field' has no",
		],
		['that is no text', fields([7, 0.9]), 'has no field name'],
		[
			'that is there twice',
			fields(['a', 0.9], ['a', 0.8]),
			"'Minimums per Field: a' appears twice",
		],
		...[undefined, null, '', '  '].map((nothing): [string, object, string] => [
			`whose minimum is ${JSON.stringify(nothing)}`,
			fields(['a', nothing]),
			"'Minimums per Field: a' has no minimum confidence. Enter a number from 0 to 1, such as 0.8 for 80 %",
		]),
		['with a minimum that is no number', fields(['a', 'high']), 'must be from 0 to 1, but is high'],
		[
			'with a very long name',
			fields(['x'.repeat(1_000), 2_000]),
			`${'x'.repeat(39)}…' must be from 0 to 1`,
		],
	])('reject an entry %s', (_what, given, words) => {
		expect(() => read(0.8, given)).toThrow(words);
	});

	it.each([['high'], [7], [{ pairs: 'high' }], [true]])('reject what is no list: %j', (given) => {
		expect(() => read(0.8, given)).toThrow(
			'must be a list of fields, each with a minimum confidence',
		);
	});
});
