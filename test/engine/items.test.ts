import type { INode } from 'n8n-workflow';
import { runFlow } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();

const QUICK = { waiting: { firstCheckSeconds: 0.1 } };
const itemsOf = (workflows: string[]): InputItem[] =>
	workflows.map((workflow, number) => ({ ...policyItem(), json: { workflow, number } }));
const run = (
	name: Parameters<typeof operation>[0],
	items: InputItem[],
	settings: Partial<INode> = {},
) =>
	runFlow({
		...service,
		items,
		settings,
		parameters: operation(name, {
			...QUICK,
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
			inputs: { textInputs: [{ name: 'number', value: '={{ $json.number }}' }] },
		}),
	});

/** Each check of its executions gets another one, which ends the wait. */
const REJECTED = 'failing';
beforeEach(() => {
	const body = { status: 'running', workflow_execution_id: 'other' };
	const action = { type: 'status', status: 200, body } as const;
	service.state.faults.add({ route: 'get', workflowId: REJECTED, action });
});

describe('When an item fails and the node stops', () => {
	it('creates in progress are completed, and their executions are listed', async () => {
		service.state.faults.add({
			route: 'create',
			workflowId: WORKFLOW_ID,
			action: { type: 'delay', milliseconds: 300 },
		});
		const { error } = await run(
			'create',
			itemsOf([
				...Array.from({ length: 7 }, () => WORKFLOW_ID),
				'unknown',
				...Array.from({ length: 10 }, () => WORKFLOW_ID),
			]),
		);
		expect(error?.message).toBe('The workflow "unknown" was not found');
		expect(error?.context?.itemIndex).toBe(7);
		expect(service.state.executions.all()).toHaveLength(7);
		for (const { executionId, userInputs } of service.state.executions.all()) {
			expect(error?.description).toContain(
				`item ${String(userInputs?.number)}: ${executionId} (workflow ${WORKFLOW_ID})`,
			);
		}
		expect(error?.description).not.toContain('Not known');
	});
});

it('A node without a credential says so', async () => {
	const { error } = await runFlow({
		store: service.store,
		parameters: operation('create'),
		items: [policyItem()],
	});
	expect(error?.message).toBe('Node does not have any credentials set');
});
