import { cell, executionOf, onlyItem, POLICY, shaped, step } from './support';
import { shape } from '../../../../nodes/DocumentWorkflow/results/shape';
import { DEFAULT_SHAPING } from '../../../../nodes/DocumentWorkflow/results/shaping';
import type { Json } from '../../../../service/contract';

describe('a simplified execution', () => {
	it('is one item: ids, the external ID, the data by step, the confidence in the same shape, and the metadata', () => {
		expect(onlyItem(POLICY)).toEqual({
			workflowId: 'w',
			executionId: 'e',
			status: 'completed',
			externalId: 'INV-1',
			needsReview: false,
			lowestConfidence: 0.42,
			data: { policy: [{ number: 'CPP-1', premium: 1250 }], losses: [{ paid: 10 }, { paid: 20 }] },
			confidence: {
				policy: [{ number: 0.98, premium: 0.42 }],
				losses: [{ paid: 0.9 }, { paid: 0.5 }],
			},
			lowConfidenceFields: [],
			metadata: { external_id: 'INV-1', team: 'north' },
		});
	});

	it.each([[''], [null], [{ id: 1 }], [undefined]])(
		'has no external ID where the metadata gives none: %j',
		(externalId) => {
			expect(
				onlyItem({ metadata: externalId === undefined ? {} : { external_id: externalId } }),
			).not.toHaveProperty('externalId');
		},
	);

	it('takes a number for an external ID, as it is', () => {
		expect(onlyItem({ metadata: { external_id: 0 } })).toMatchObject({ externalId: 0 });
	});

	it('leaves the confidence out when it is not wanted, but says the lowest', () => {
		const json = onlyItem(POLICY, { includeConfidence: false });
		expect(json).not.toHaveProperty('confidence');
		expect(json.lowestConfidence).toBe(0.42);
	});

	it('has null where the service gave no confidence, and counts it for nothing', () => {
		const rows = [
			{
				a: { value: 'x' },
				b: cell('y', 0.8),
				c: 'bare',
				d: { value: 1, confidence_score: 'high' },
			},
		];
		expect(onlyItem({ steps: [step('s', rows)] }, { minimumConfidence: 0.5 })).toMatchObject({
			data: { s: [{ a: 'x', b: 'y', c: 'bare', d: 1 }] },
			confidence: { s: [{ a: null, b: 0.8, c: null, d: null }] },
			lowestConfidence: 0.8,
			needsReview: false,
		});
	});

	it('has no lowest confidence where there is none at all, and zero where it is zero', () => {
		expect(onlyItem({ steps: [] }).lowestConfidence).toBeNull();
		expect(onlyItem({ steps: [step('s', [{ a: cell(1, 0) }])] }).lowestConfidence).toBe(0);
	});

	it('keeps the data of a step that is no table as it came, and says of a step without data that it is empty', () => {
		expect(
			onlyItem({
				steps: [
					{ step_name: 's', data: { text: 'none' } },
					{ step_name: 'n', data: null },
					{ step_name: 'e' },
				],
			}),
		).toMatchObject({
			data: { s: { text: 'none' }, n: null, e: [] },
			confidence: { s: [], n: [], e: [] },
		});
	});

	it('has a reason only where the execution failed', () => {
		expect(onlyItem({})).not.toHaveProperty('failureReason');
		expect(onlyItem({ status: 'failed', error: 'unreadable' })).toMatchObject({
			status: 'failed',
			failureReason: 'unreadable',
		});
	});

	it('keeps the word for a status that is not known', () => {
		expect(onlyItem({ status: 'In Human Review' }).status).toBe('In Human Review');
	});

	it('leaves numbers that are texts, and letters of any script, as they are', () => {
		const rows = [{ Номер: cell('00123.50'), 保険者: cell('東京海上') }];
		expect(onlyItem({ steps: [step('Шаг', rows)] }).data).toEqual({
			Шаг: [{ Номер: '00123.50', 保険者: '東京海上' }],
		});
	});

	it('is not confused by names that JavaScript knows', () => {
		const steps = JSON.parse(
			'[{"step_name": "__proto__", "data": {"data": [{"constructor": {"value": 1}, "__proto__": {"value": 2, "confidence_score": 0.1}, "toString": {"value": 3}}]}}]',
		) as Json[];
		const { data, confidence, lowConfidenceFields } = onlyItem(
			{ steps },
			{ minimumConfidence: 0.5 },
		);
		expect(JSON.stringify(data)).toBe(
			'{"__proto__":[{"constructor":1,"__proto__":2,"toString":3}]}',
		);
		expect(JSON.stringify(confidence)).toBe(
			'{"__proto__":[{"constructor":null,"__proto__":0.1,"toString":null}]}',
		);
		expect(lowConfidenceFields).toEqual([
			{ field: '__proto__[0].__proto__', value: 2, confidence: 0.1 },
		]);
		expect(Object.prototype).not.toHaveProperty('value');
	});
});

describe('steps of one name', () => {
	const steps = ['s', 's', 's_2', 's'].map((name, index) => step(name, [{ index }]));

	it('each get a name of their own, whatever the others are called', () => {
		expect(onlyItem({ steps }).data).toEqual({
			s: [{ index: 0 }],
			s_2: [{ index: 1 }],
			s_2_2: [{ index: 2 }],
			s_3: [{ index: 3 }],
		});
	});

	it('are all meant by that name, and one of them by its name with the number', () => {
		expect(onlyItem({ steps }, { onlySteps: ['s'] }).data).toEqual({
			s: [{ index: 0 }],
			s_2: [{ index: 1 }],
			s_3: [{ index: 3 }],
		});
		expect(onlyItem({ steps }, { onlySteps: ['s_3'] }).data).toEqual({ s_3: [{ index: 3 }] });
	});

	it('are told apart in time that grows with their number', () => {
		const many = Array.from({ length: 10_000 }, (_, index) => step('s', [{ index }]));
		expect(Object.keys(onlyItem({ steps: many }).data as object)).toHaveLength(10_000);
	});
});

describe('Only Steps', () => {
	it('keeps the named steps, and judges them alone', () => {
		const json = onlyItem(POLICY, { onlySteps: [' losses ', ''], minimumConfidence: 0.45 });
		expect(json).toMatchObject({
			data: { losses: [{ paid: 10 }, { paid: 20 }] },
			lowestConfidence: 0.5,
			needsReview: false,
		});
		expect(Object.keys(json.data as object)).toEqual(['losses']);
		expect(Object.keys(json.confidence as object)).toEqual(['losses']);
	});

	it('keeps all steps where no name is given', () => {
		expect(onlyItem(POLICY, { onlySteps: [' '] })).toEqual(onlyItem(POLICY));
	});

	it('says which names no step has, and which steps there are', () => {
		expect(shaped(POLICY, { onlySteps: ['losses', 'polcy'] })).toMatchObject({
			unknownSteps: ['polcy'],
			stepNames: ['policy', 'losses'],
		});
	});

	it('misses no step of an execution that is still running', () => {
		expect(shaped({ status: 'running' }, { onlySteps: ['polcy'] }).unknownSteps).toEqual([]);
	});
});

describe('a raw execution', () => {
	it('is the answer below response, so that a field "error" of it is no failed item to n8n', () => {
		const body = { status: 'failed', error: 'unreadable', extra: { kept: true } };
		expect(onlyItem(body, { output: 'raw' })).toEqual({
			workflowId: 'w',
			executionId: 'e',
			status: 'failed',
			response: body,
		});
	});

	it('says what needs review when there is a minimum', () => {
		expect(onlyItem(POLICY, { output: 'raw', minimumConfidence: 0.45 })).toMatchObject({
			needsReview: true,
			lowConfidenceFields: [{ field: 'policy[0].premium', value: 1250, confidence: 0.42 }],
		});
	});

	it('is what the service sent, the very same', () => {
		const execution = executionOf(POLICY);
		expect(shape(execution, { ...DEFAULT_SHAPING, output: 'raw' }).items[0]?.response).toBe(
			execution.raw,
		);
	});
});
