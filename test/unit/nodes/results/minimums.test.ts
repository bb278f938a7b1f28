import { hintsOfData } from '../../../../nodes/DocumentWorkflow/results/words/hints';
import type { Json, JsonRecord } from '../../../../service/contract';
import type { Given } from './support';
import { cell, onlyItem, POLICY, rowDetails, shaped, step } from './support';

const lowPaths = async (body: JsonRecord, given: Given): Promise<unknown[]> => {
	const low = (await onlyItem(body, given)).lowConfidenceFields as Array<{ field: string }>;
	return low.map(({ field }) => field);
};

describe('A field with a minimum of its own', () => {
	it('is judged by that instead of the minimum of all fields', async () => {
		const byField = { number: 0.99, premium: 0.4 };
		expect(await lowPaths(POLICY, { minimumConfidence: 0.8, byField })).toEqual([
			'policy[0].number',
			'losses[1].paid',
		]);
	});

	it('is the only one that is judged where the minimum of all fields is 0', async () => {
		const given = { byField: { premium: 0.8 } };
		expect(await lowPaths(POLICY, given)).toEqual(['policy[0].premium']);
		expect(await onlyItem(POLICY, given)).toMatchObject({
			needsReview: true,
			lowestConfidence: 0.42,
		});
		expect((await onlyItem(POLICY, { byField: { premium: 0.4 } })).needsReview).toBe(false);
		const unscored = { steps: [step('s', [{ a: 'plain' }])] };
		expect((await onlyItem(unscored, given)).needsReview).toBe(true);
	});

	it('is not judged where its minimum is 0', async () => {
		const byField = { premium: undefined };
		expect(await lowPaths(POLICY, { minimumConfidence: 0.8, byField })).toEqual(['losses[1].paid']);
		expect(await onlyItem(POLICY, { byField })).toMatchObject({ needsReview: false });
		expect(await onlyItem(POLICY, { byField })).not.toHaveProperty('lowConfidenceFields');
	});

	it.each<[string, Json]>([
		['that is missing', { value: 5 }],
		['that cannot be read', { value: 5, confidence_score: 'high' }],
		['on an unknown scale', cell(5, 98)],
	])('is not judged where its minimum is 0 by a score %s either', async (_what, premium) => {
		const steps = [step('s', [{ premium, number: cell('x', 0.9) }])];
		expect(
			await onlyItem({ steps }, { minimumConfidence: 0.8, byField: { premium: undefined } }),
		).toMatchObject({ needsReview: false, lowConfidenceFields: [] });
	});

	it('is named once where its name is that of a score', async () => {
		const body = { steps: [step('s', [{ confidence: 0.3 }])] };
		const given = { minimumConfidence: 0.8, byField: { confidence: 0.9 } };
		expect(await lowPaths(body, given)).toEqual(['s[0].confidence']);
		expect((await onlyItem(body, given)).toReview).toBe(
			'There are no confidence scores. Check: s: confidence (no readable confidence)',
		);
	});

	it('may be named with its step, which counts more than the name alone', async () => {
		const steps = ['a', 'b', 'b'].map((name) => step(name, [{ paid: cell(1, 0.5) }]));
		expect(await lowPaths({ steps }, { byField: { 'b.paid': 0.9 } })).toEqual([
			'b[0].paid',
			'b_2[0].paid',
		]);
		expect(await lowPaths({ steps }, { byField: { 'b_2.paid': 0.9 } })).toEqual(['b_2[0].paid']);
		expect(await lowPaths({ steps }, { byField: { paid: 0.9, 'a.paid': 0.1 } })).toEqual([
			'b[0].paid',
			'b_2[0].paid',
		]);
	});

	it('may be a column of a table, or a table, which counts for all that is in it', async () => {
		const losses = cell([{ paid: cell(1, 0.5), note: cell('x', 0.5) }], 0.9);
		const body = { steps: [step('s', [{ losses }])] };
		expect(await lowPaths(body, { byField: { paid: 0.8 } })).toEqual(['s[0].losses[0].paid']);
		expect(await lowPaths(body, { byField: { losses: 0.8 } })).toEqual([
			's[0].losses[0].paid',
			's[0].losses[0].note',
		]);
		const withoutOwnScore = { steps: [step('s', [{ losses: cell([{ paid: cell(1, 0.9) }]) }])] };
		expect(await lowPaths(withoutOwnScore, { byField: { losses: 0.8 } })).toEqual([]);
		expect(await lowPaths(body, { byField: { losses: 0.95, note: undefined } })).toEqual([
			's[0].losses',
			's[0].losses[0].paid',
		]);
	});

	it('needs review when the service gave it no score, because it cannot meet its minimum', async () => {
		const body = { steps: [step('s', [{ premium: { value: 5 }, number: cell('x', 0.9) }])] };
		expect(await lowPaths(body, { minimumConfidence: 0.8 })).toEqual([]);
		expect(await onlyItem(body, { byField: { premium: 0.8 } })).toMatchObject({
			needsReview: true,
			lowConfidenceFields: [{ field: 's[0].premium', value: 5, confidence: null }],
		});
	});

	it('does not judge content, such as a text', async () => {
		const steps = [{ step_name: 'text', data: 'none' }];
		expect((await onlyItem({ steps }, { byField: { premium: 0.8 } })).needsReview).toBe(false);
	});

	it('is judged in rows by the step of the row', async () => {
		expect(await rowDetails(POLICY, { byField: { 'losses.paid': 0.8 } })).toMatchObject([
			{ needsReview: false },
			{ needsReview: false },
			{ needsReview: true, lowConfidenceFields: [{ field: 'paid' }] },
		]);
	});

	it('may have a name such as __proto__', async () => {
		const steps = JSON.parse(
			'[{"step_name": "s", "data": [{"__proto__": {"value": 2, "confidence_score": 0.1}}]}]',
		) as JsonRecord[];
		expect(
			await lowPaths({ steps }, { byField: Object.fromEntries([['__proto__', 0.5]]) }),
		).toEqual(['s[0].__proto__']);
	});
});

describe('A step with a minimum of its own', () => {
	it('has it for all its fields that have none of their own', async () => {
		expect(await lowPaths(POLICY, { byField: { policy: 0.8 } })).toEqual(['policy[0].premium']);
		expect(await lowPaths(POLICY, { byField: { policy: 0.99, 'policy.premium': 0.4 } })).toEqual([
			'policy[0].number',
		]);
	});

	it('is not judged where its minimum is 0', async () => {
		const byField = { policy: undefined };
		expect(await lowPaths(POLICY, { minimumConfidence: 0.8, byField })).toEqual(['losses[1].paid']);
	});

	it('is a name that is there', async () => {
		expect((await shaped(POLICY, { byField: { policy: 0.8 } })).unknownMinimums).toEqual([]);
	});
});

describe('A name with a minimum that no field has', () => {
	const messages = async (bodies: JsonRecord[], byField: Record<string, number>) =>
		hintsOfData(await Promise.all(bodies.map(async (body) => shaped(body, { byField }))))
			.map(({ message }) => message)
			.filter((message) => message.includes('Minimums'));

	it('is reported, with the steps that there are', async () => {
		expect(
			await messages([POLICY], { premum: 0.9, 'policy.paid': 0.9, 'losses.paid': 0.1 }),
		).toEqual([
			'\'Minimums per Field\': no field is named "premum", "policy.paid"; the steps are: "policy", "losses"',
		]);
	});

	it('differs from the name of a field, alone or with its step', async () => {
		const steps = [
			step('a', [{ number: cell('x', 1) }]),
			step('b', [{ number: cell('y', 1) }]),
			step('b', [{ paid: cell(1, 1) }]),
		];
		const names = ['paid', 'b.paid', 'b_2.paid', 'a.paid', 'b_2.number', 'b_3.paid', 'c.paid'];
		const byField = Object.fromEntries(names.map((name) => [name, 0.5]));
		const { foundMinimums, unknownMinimums } = await shaped({ steps }, { byField });
		expect([...foundMinimums].sort()).toEqual(['b.paid', 'b_2.paid', 'paid']);
		expect(unknownMinimums).toEqual(['a.paid', 'b_2.number', 'b_3.paid', 'c.paid']);
	});

	it('is not reported where another execution has the field, or where none has ended', async () => {
		const without = { steps: [step('policy', [{ number: cell('x', 1) }])] };
		expect(await messages([POLICY, without], { paid: 0.1 })).toEqual([]);
		expect(await messages([{ status: 'running' }, {}], { paid: 0.1 })).toEqual([]);
		expect(await messages([{ ...without, status: 'running' }], { paid: 0.1 })).toEqual([]);
	});

	it('is found in tables', async () => {
		const losses = cell([cell({ paid: cell(1, 0.9) })]);
		const body = { steps: [step('s', [{ losses }])] };
		expect(await messages([body], { paid: 0.1, 's.losses': 0.1 })).toEqual([]);
	});
});
