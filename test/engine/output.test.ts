import type { INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';
import { until } from './support/time';

const service = useService();

const create = async (workflowId = WORKFLOW_ID): Promise<string> => {
	const { error } = await runFlow({
		...service,
		parameters: operation('create', { workflowId: workflowById(workflowId) }),
		items: [policyItem()],
	});
	expect(error).toBeUndefined();
	return String(service.state.executions.all().at(-1)?.executionId);
};
const outputOf = async (name: 'get' | 'wait' | 'createAndWait', more: INodeParameters) => {
	const { outputs } = await runFlow({
		...service,
		parameters: operation(name, { waiting: { firstCheckSeconds: 0.1 }, ...more }),
		items: [policyItem()],
	});
	return outputs[0]?.map(({ json }) => json);
};
const ended = async (executionId: string) => {
	await until(() => service.state.executions.find(executionId)?.status !== 'running');
};

describe('Get', () => {
	it('returns the status of a running execution', async () => {
		const executionId = await create('never-ending');
		expect(
			await outputOf('get', { executionId, workflowId: workflowById('never-ending') }),
		).toEqual([
			{
				workflowId: 'never-ending',
				executionId,
				status: 'running',
				metadata: {},
				needsReview: true,
				lowestConfidence: null,
				data: {},
				confidence: {},
				lowConfidenceFields: [],
			},
		]);
	});

	it('returns plain values by step, with their confidence in the same shape', async () => {
		const executionId = await create();
		await ended(executionId);
		expect(await outputOf('get', { executionId })).toEqual([
			{
				workflowId: WORKFLOW_ID,
				executionId,
				status: 'completed',
				metadata: {},
				data: { policy: [{ policy_number: 'CPP-1001', premium: 1250 }] },
				confidence: {
					policy: [{ policy_number: expect.any(Number), premium: expect.any(Number) }],
				},
				needsReview: false,
				lowestConfidence: expect.any(Number),
				lowConfidenceFields: [],
			},
		]);
	});

	it('returns the unchanged response with Raw', async () => {
		const executionId = await create();
		await ended(executionId);
		const [json] = (await outputOf('get', { executionId, output: 'raw' })) ?? [];
		expect(json).toEqual({
			workflowId: WORKFLOW_ID,
			executionId,
			status: 'completed',
			needsReview: false,
			lowConfidenceFields: [],
			lowestConfidence: expect.any(Number) as unknown,
			response: {
				workflow_id: WORKFLOW_ID,
				workflow_execution_id: executionId,
				status: 'completed',
				metadata: {},
				steps: JSON.parse(
					JSON.stringify(service.state.executions.find(executionId)?.steps),
				) as unknown,
			},
		});
	});

	it('returns a failed execution with its reason and does not fail itself', async () => {
		const executionId = await create('failing');
		await ended(executionId);
		expect(await outputOf('get', { executionId, workflowId: workflowById('failing') })).toEqual([
			expect.objectContaining({
				status: 'failed',
				failureReason: 'The scan is not readable',
				data: {},
			}),
		]);
	});

	it('returns a failed execution as Raw without a field that marks a failed item in n8n', async () => {
		const executionId = await create('failing');
		await ended(executionId);
		const { outputs } = await runFlow({
			...service,
			parameters: operation('get', {
				executionId,
				workflowId: workflowById('failing'),
				output: 'raw',
			}),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0]?.[0]?.json.response).toMatchObject({
			status: 'failed',
			error: { message: 'The scan is not readable' },
		});
		expect(outputs[1]).toEqual([]);
	});

	it('says that an execution is only found under its own workflow', async () => {
		const executionId = await create();
		const { error } = await runFlow({
			...service,
			parameters: operation('get', { executionId, workflowId: workflowById('never-ending') }),
		});
		expect(error?.message).toBe(`Workflow "never-ending" has no execution "${executionId}"`);
		expect(error?.description).toContain('only found under its own workflow');
	});

	it('names the fields of an answer that is not an execution', async () => {
		service.state.faults.add({
			route: 'get',
			action: { type: 'status', status: 200, body: { ok: true } },
		});
		const { error } = await runFlow({
			...service,
			parameters: operation('get', { executionId: 'e-1' }),
		});
		expect(error?.message).toBe(
			'The answer of the service has no status; its fields are: ok. It is: {"ok":true}',
		);
	});
});

it('A row keeps all fields when one is called data', async () => {
	const row = {
		data: { value: 'x', confidence_score: 0.9 },
		policy: { value: 'CPP-1', confidence_score: 0.8 },
	};
	service.state.faults.add({
		route: 'get',
		action: {
			type: 'status',
			status: 200,
			body: { status: 'completed', steps: [{ step_name: 's', data: row }] },
		},
	});
	expect(await outputOf('get', { executionId: 'e-1' })).toMatchObject([
		{
			data: { s: [{ data: 'x', policy: 'CPP-1' }] },
			confidence: { s: [{ data: 0.9, policy: 0.8 }] },
		},
	]);
});

describe('Wait for Completion and Create and Wait', () => {
	it('return the raw response with the sent documents', async () => {
		const [json] = (await outputOf('createAndWait', { output: 'raw' })) ?? [];
		expect(json).toMatchObject({
			status: 'completed',
			response: { status: 'completed' },
			documents: [{ fileName: 'policy.txt', bytes: 43 }],
		});
		expect(
			await outputOf('wait', {
				output: 'raw',
				executionId: String(service.state.executions.all()[0]?.executionId),
			}),
		).toMatchObject([{ response: { status: 'completed' } }]);
	});

	it('return the input fields with Include Input Fields, also for a skipped item', async () => {
		const parameters = operation('createAndWait', {
			inputDataFieldName: '*',
			documentOptions: { fileNames: '*.pdf' },
			outputOptions: { includeInput: true },
		});
		const { outputs } = await runFlow({
			...service,
			parameters,
			items: [{ ...policyItem(), json: { mail: 'INV-1' } }],
		});
		expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
			{ status: 'skipped', input: { mail: 'INV-1' } },
		]);
	});

	it('return two steps of the same name separately', async () => {
		const step = (name: string) => ({
			stepName: 'policy',
			fields: [{ name, labels: ['Policy Number'] }],
		});
		service.state.workflows.change(WORKFLOW_ID, { steps: [step('first'), step('second')] });
		const [json] = (await outputOf('createAndWait', {})) ?? [];
		expect(json?.data).toEqual({
			policy: [{ first: 'CPP-1001' }],
			policy_2: [{ second: 'CPP-1001' }],
		});
	});
});
