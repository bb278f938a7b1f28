import type { Given } from './support';
import { cell, onlyItem, POLICY, rowDetails, shaped, step } from './support';
import type { Json, JsonRecord } from '../../../../service/contract';

const OUTPUTS = ['simplified', 'rows', 'raw', 'selected'] as const;

describe('needsReview in every item', () => {
	const flags = async (body: JsonRecord, given: Given, beside: JsonRecord = {}) =>
		(await shaped(body, given, beside)).items.map(({ needsReview }) => needsReview);
	const COMPLETED = { steps: [step('policy', [{ number: cell('CPP-1', 0.3) }])] };
	const MINIMUMS = [undefined, 0.2];

	it.each(OUTPUTS)(
		'is false where nothing needs review, also without a minimum: %s',
		async (output) => {
			for (const minimumConfidence of MINIMUMS)
				expect(await flags(COMPLETED, { output, minimumConfidence })).toEqual([false]);
		},
	);

	it.each(OUTPUTS)(
		'is true for an execution that has no data or has not ended well, also without a minimum: %s',
		async (output) => {
			for (const minimumConfidence of MINIMUMS)
				for (const body of [
					{ status: 'failed' },
					{ status: 'running' },
					{},
					{ ...COMPLETED, status: 'partially_completed' },
					{ ...COMPLETED, status: 'archived' },
					{ steps: [{ step_name: 's', data: { url: 'https://files.example.com/1' } }] },
				] as JsonRecord[])
					expect(await flags(body, { output, minimumConfidence })).toEqual([true]);
		},
	);

	it.each(OUTPUTS)(
		'is true where what was sent says so, whatever the minimum is: %s',
		async (output) => {
			for (const minimumConfidence of MINIMUMS) {
				const given = { output, minimumConfidence };
				expect(await flags(COMPLETED, given, { needsReview: true })).toEqual([true]);
				expect(await flags(COMPLETED, given, { needsReview: false })).toEqual([false]);
				expect(await flags({ status: 'failed' }, given, { needsReview: false })).toEqual([true]);
			}
		},
	);

	it('is the only thing that an item says of a review without a minimum', async () => {
		for (const output of OUTPUTS)
			for (const item of (await shaped(POLICY, { output })).items)
				expect(JSON.stringify(item)).not.toMatch(/lowConfidenceFields|lowestConf/i);
	});

	it('is at the top level of an item of any kind, and in no other place', async () => {
		const steps = [step('policy', [{ number: cell('CPP-1', 0.3) }, { number: 'x' }])];
		for (const includeDetails of [false, true]) {
			const given = { output: 'rows', includeDetails } as const;
			const { items } = await shaped({ steps }, given, { needsReview: true });
			expect(items.map(({ needsReview }) => needsReview)).toEqual([true, true]);
			expect(JSON.stringify(items).match(/needsReview/g)).toHaveLength(2);
		}
	});
});

describe('With a minimum confidence', () => {
	it('a score equal to the minimum needs no review', async () => {
		expect((await onlyItem(POLICY, { minimumConfidence: 0.42 })).needsReview).toBe(false);
	});

	it.each([[98], [1.01], [-1]])(
		'a score outside 0 to 1 is returned unchanged and always needs review: %j',
		async (score) => {
			const json = await onlyItem(
				{ steps: [step('s', [{ a: cell('x', score) }])] },
				{ minimumConfidence: 0 },
			);
			expect(json).toMatchObject({
				needsReview: true,
				confidence: { s: [{ a: score }] },
				lowConfidenceFields: [{ field: 's[0].a', value: 'x', confidence: score }],
			});
		},
	);
});

describe('The score of a nested table itself', () => {
	it('is judged at any depth, for records of cells too, and counts for the lowest', async () => {
		const table = cell([{ group: cell({ a: cell(1, 0.9) }, 0.3) }], 0.2);
		expect(
			await onlyItem({ steps: [step('s', [{ table }])] }, { minimumConfidence: 0.5 }),
		).toMatchObject({
			needsReview: true,
			lowestConfidence: 0.2,
			confidence: { s: [{ table: [{ group: { a: 0.9 } }] }] },
			lowConfidenceFields: [
				{ field: 's[0].table', value: [{ group: { a: 1 } }], confidence: 0.2 },
				{ field: 's[0].table[0].group', confidence: 0.3 },
			],
		});
	});
});

describe('needsReview', () => {
	const reviewed = async (body: JsonRecord, minimumConfidence: number) => [
		(await onlyItem(body, { minimumConfidence })).needsReview,
		(await rowDetails(body, { minimumConfidence })).some(({ needsReview }) => needsReview),
	];
	const SURE = { steps: [step('s', [{ a: cell('x', 0.9) }])] };

	it('is false only for a completed execution with data that is sure enough', async () => {
		expect(await reviewed(SURE, 0.8)).toEqual([false, false]);
	});

	it('is false for a good score beside cells, which is that of their row, and true for a low one', async () => {
		const scored = (confidence_score: number): JsonRecord => ({
			a: cell('x', 0.9),
			confidence_score,
		});
		expect(await reviewed({ steps: [step('s', [scored(0.9)])] }, 0.8)).toEqual([false, false]);
		expect(await reviewed({ steps: [step('s', [scored(0.7)])] }, 0.8)).toEqual([true, true]);
	});

	it('is false when a row has no score beside rows that have, and the step is named', async () => {
		const steps = [step('s', [{ a: cell('x', 0.9) }, { a: 'plain' }])];
		expect(await reviewed({ steps }, 0.8)).toEqual([false, false]);
		expect((await shaped({ steps }, { minimumConfidence: 0.8 })).unjudgedSteps).toEqual(['s']);
		expect((await shaped({ steps })).unjudgedSteps).toEqual([]);
	});

	it.each<[string, Json]>([
		['a table', cell([{ paid: cell(10, 0.9) }])],
		['a table of which some cells have none', cell([{ paid: cell(10) }, { paid: cell(20, 0.9) }])],
		['a record', cell({ paid: cell(10, 0.9) })],
	])('is false for a row whose only scores are within %s', async (_what, nested) => {
		const steps = [step('s', [{ note: 'plain', nested }])];
		expect(await reviewed({ steps }, 0.8)).toEqual([false, false]);
		expect((await shaped({ steps }, { minimumConfidence: 0.8 })).unjudgedSteps).toEqual([]);
	});
});
