import type { Fault } from '../../simulator/state/faults';
import { runFlow } from './support/engine';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';

const service = useService();

const create = (workflowId = WORKFLOW_ID) =>
	runFlow({
		...service,
		parameters: operation('create', { workflowId: workflowById(workflowId) }),
		items: [policyItem()],
	});
const once = (action: Fault['action']) =>
	service.state.faults.add({ route: 'create', times: 1, action });
const statuses = () => service.requests('create').map(({ status }) => status);

describe('A create that was certainly not accepted is sent again', () => {
	it.each([
		['a 503 with Retry-After', { type: 'status', status: 503, retryAfter: 1 }],
		['a 429 with Retry-After', { type: 'status', status: 429, retryAfter: 1 }],
		['a 429 without Retry-After', { type: 'status', status: 429 }],
	] as const)('after %s, and one execution is started', async (_what, action) => {
		once(action);
		const { error } = await create();
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([action.status, 200]);
		expect(service.state.executions.all()).toHaveLength(1);
		const [first, second] = service.requests('create');
		const pause = (second?.startedAt ?? 0) - (first?.finishedAt ?? 0);
		expect(pause).toBe(1_000);
	});

	it('after a short failure of the token endpoint', async () => {
		service.state.faults.add({ route: 'token', times: 1, action: { type: 'status', status: 503 } });
		const { error } = await create();
		expect(error).toBeUndefined();
		expect(service.state.executions.all()).toHaveLength(1);
	});
});
