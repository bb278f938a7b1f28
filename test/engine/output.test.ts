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
				toReview: 'Still running',
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
				toReview: null,
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
			toReview: null,
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
});
