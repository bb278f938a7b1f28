import { readMinimumConfidence } from '../../../../nodes/DocumentWorkflow/results/choice';

describe('Minimum Confidence', () => {
	it.each([
		[0.8, 0.8],
		['0.8', 0.8],
		['.8', 0.8],
		['0,8', 0.8],
		['80 %', 0.8],
		[' 80% ', 0.8],
		['80', 0.8],
		[80, 0.8],
		['57.5 %', 0.575],
		['1 %', 0.01],
		['1.5 %', 0.015],
		[1, 1],
		['100', 1],
		[2, 0.02],
		[0, 0],
		['0 %', 0],
	])('%j is %d', (given, minimum) => {
		expect(readMinimumConfidence(given)).toEqual({ ok: true, minimum });
	});

	it.each([[undefined], [null], [''], ['  ']])('is undefined when empty: %j', (given) => {
		expect(readMinimumConfidence(given)).toEqual({ ok: true, minimum: undefined });
	});

	it.each([
		[
			'high',
			`'Minimum Confidence' is no number: high. Enter a number from 0 to 1 such as 0.8, or a percentage such as 80 %`,
		],
		[-0.5, "'Minimum Confidence' is no number: -0.5."],
		['80 percent', 'is no number'],
		['1e-1', 'is no number'],
		[NaN, 'is no number'],
		[true, 'is no number: true'],
		[{ a: 1 }, 'is no number: {"a":1}'],
		[() => 0, 'is no number: null'],
		['x'.repeat(100), `is no number: ${'x'.repeat(39)}…`],
		[1.5, 'could be a fraction or a percentage: 1.5'],
		['101 %', 'is above 100 %: 101 %'],
		[800, 'is above 100 %: 800'],
	])('rejects %j with an explanation', (given, words) => {
		expect(readMinimumConfidence(given)).toEqual({
			ok: false,
			refusal: expect.stringContaining(words),
		});
	});
});
