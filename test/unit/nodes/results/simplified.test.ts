import type { JsonRecord } from '../../../../service/contract';
import {
	cell,
	DEFAULT_SETTINGS,
	executionOf,
	type Given,
	onlyItem,
	POLICY,
	shaped,
	shapeOf,
	step,
} from './support';

describe('A simplified execution', () => {
	it('is one item that begins with the data by step and its review, and ends with the technical fields', async () => {
		expect(Object.entries(await onlyItem(POLICY, { minimumConfidence: 0.45 }))).toEqual([
			[
				'data',
				{ policy: [{ number: 'CPP-1', premium: 1250 }], losses: [{ paid: 10 }, { paid: 20 }] },
			],
			['needsReview', true],
			['toReview', 'Check: policy: premium (42 %)'],
			[
				'lowConfidenceFields',
				[
					{
						...{ field: 'policy[0].premium', path: ['policy', 0, 'premium'] },
						...{ value: 1250, confidence: 0.42 },
					},
				],
			],
			['lowestConfidence', 0.42],
			[
				'confidence',
				{ policy: [{ number: 0.98, premium: 0.42 }], losses: [{ paid: 0.9 }, { paid: 0.5 }] },
			],
			['status', 'completed'],
			['externalId', 'INV-1'],
			['metadata', { external_id: 'INV-1', team: 'north' }],
			['workflowId', 'w'],
			['executionId', 'e'],
		]);
	});

	it('has what was sent before its IDs, and its own external ID counts', async () => {
		const { items } = await shapeOf(executionOf(POLICY), DEFAULT_SETTINGS, {
			externalId: 'SENT',
			documents: [{ fileName: 'a.pdf' }],
		});
		expect(Object.keys(items[0] ?? {})).toEqual(
			'data needsReview toReview confidence status externalId metadata documents workflowId executionId'.split(
				' ',
			),
		);
		expect(items[0]).toMatchObject({ externalId: 'SENT' });
	});

	it.each([[''], [null], [{ id: 1 }], [undefined]])(
		'has no external ID when the metadata has none: %j',
		async (externalId) => {
			expect(
				await onlyItem({ metadata: externalId === undefined ? {} : { external_id: externalId } }),
			).not.toHaveProperty('externalId');
		},
	);

	it('has an external ID of 500 characters at most; a longer one stays in the metadata', async () => {
		const read = async (length: number) =>
			onlyItem({ metadata: { external_id: 'x'.repeat(length) } });
		expect(await read(500)).toMatchObject({ externalId: 'x'.repeat(500) });
		expect(await read(501)).not.toHaveProperty('externalId');
		expect((await read(501)).metadata).toEqual({ external_id: 'x'.repeat(501) });
	});

	it('has a number as external ID when the metadata has a number', async () => {
		expect(await onlyItem({ metadata: { external_id: 0 } })).toMatchObject({ externalId: 0 });
	});

	it('has null where the service returned no confidence, or one that cannot be read', async () => {
		const rows = [
			{
				a: { value: 'x' },
				b: cell('y', 0.8),
				c: 'bare',
				d: { value: 1, confidence_score: 'high' },
			},
		];
		expect(await onlyItem({ steps: [step('s', rows)] }, { minimumConfidence: 0.5 })).toMatchObject({
			data: { s: [{ a: 'x', b: 'y', c: 'bare', d: 1 }] },
			confidence: { s: [{ a: null, b: 0.8, c: null, d: null }] },
			lowestConfidence: 0.8,
			lowConfidenceFields: [{ field: 's[0].d', value: 1, confidence: null }],
		});
	});

	it('keeps data that is no table unchanged, and has null for a step without data', async () => {
		expect(
			await onlyItem({
				steps: [
					{ step_name: 's', data: { text: 'none' } },
					{ step_name: 'n', data: null },
					{ step_name: 'e' },
				],
			}),
		).toMatchObject({
			data: { s: { text: 'none' }, n: null, e: null },
			confidence: { s: [], n: [], e: [] },
		});
	});

	it('has a reason only when the execution failed', async () => {
		expect(await onlyItem({})).not.toHaveProperty('failureReason');
		expect(await onlyItem({ status: 'failed', error: 'unreadable' })).toMatchObject({
			status: 'failed',
			failureReason: 'unreadable',
		});
	});

	it.each(['simplified', 'selected'] as const)(
		'says what the answer is where it is completed and has no steps with data: %s',
		async (output) => {
			const read = async (status: string) =>
				(
					await onlyItem(
						{ status, metadata: {}, pages: 3 },
						{ output, fields: output === 'selected' ? ['premium'] : [] },
					)
				).dataNotRead;
			expect(await read('completed')).toBe(
				'The answer has no steps with data. It is: {"status":"completed","metadata":{},"pages":3}',
			);
			for (const status of ['running', 'failed']) expect(await read(status)).toBeUndefined();
		},
	);

	it('does not say what the answer is where it has steps', async () => {
		expect(await onlyItem({ steps: [step('s', [])] })).not.toHaveProperty('dataNotRead');
	});

	it('keeps an unknown status', async () => {
		expect((await onlyItem({ status: 'In Human Review' })).status).toBe('In Human Review');
	});
});

describe('Steps with the same name', () => {
	const steps = ['s', 's', 's_2', 's'].map((name, index) => step(name, [{ index }]));

	const s_3 = [{ index: 3 }];

	it.each<[string, JsonRecord]>([
		['s', { s: [{ index: 0 }], s_2: [{ index: 1 }], s_3 }],
		['s_3', { s_3 }],
	])('are chosen together by it, and each by its name in the item: %s', async (name, data) => {
		const dataOf = async (given: Given) => (await onlyItem({ steps }, given)).data;
		expect(await dataOf({ onlySteps: [name] })).toEqual(data);
		for (const field of [name, `${name}.index`])
			expect(await dataOf({ output: 'selected', fields: [field] })).toEqual(data);
	});

	it('are no different steps in a table, and one of them may be empty', async () => {
		const body = { steps: [...steps, step('s', [])] };
		const { items, mixedSteps } = await shaped(body, { output: 'rows', onlySteps: ['s'] });
		expect(items.map((item) => item.step)).toEqual(['s', 's_2', 's_3']);
		expect(mixedSteps).toEqual([]);
	});
});

describe('The choice of steps', () => {
	it('keeps the named steps, and reviews only these', async () => {
		const json = await onlyItem(POLICY, { onlySteps: ['losses'], minimumConfidence: 0.45 });
		expect(json).toMatchObject({
			data: { losses: [{ paid: 10 }, { paid: 20 }] },
			lowestConfidence: 0.5,
			needsReview: false,
		});
		expect(Object.keys(json.data as object)).toEqual(['losses']);
		expect(Object.keys(json.confidence as object)).toEqual(['losses']);
	});
});

describe('A raw execution', () => {
	it('has the answer below response, so that its field "error" does not fail the item in n8n', async () => {
		const body = { status: 'failed', error: 'unreadable', extra: { kept: true } };
		expect(Object.entries(await onlyItem(body, { output: 'raw' }))).toEqual([
			['response', body],
			['needsReview', true],
			['toReview', 'The execution failed: unreadable'],
			['status', 'failed'],
			['workflowId', 'w'],
			['executionId', 'e'],
		]);
	});

	it('lists the values to review when there is a minimum', async () => {
		expect(await onlyItem(POLICY, { output: 'raw', minimumConfidence: 0.45 })).toMatchObject({
			needsReview: true,
			lowConfidenceFields: [{ field: 'policy[0].premium', value: 1250, confidence: 0.42 }],
		});
	});

	it('has the same object that the service sent', async () => {
		const execution = executionOf(POLICY);
		expect(
			(await shapeOf(execution, { ...DEFAULT_SETTINGS, output: 'raw' })).items[0]?.response,
		).toBe(execution.raw);
	});
});
