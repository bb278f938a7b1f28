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

describe('A create with an unknown outcome is not sent again, and the error says so,', () => {
	const NOT_KNOWN = 'It is unknown whether an execution was started: check the dashboard';

	it.each([
		[
			'a 500',
			{ type: 'status', status: 500, body: { detail: 'Internal error' } },
			'The service answered with status 500',
			0,
		],
		[
			'a 503 without Retry-After',
			{ type: 'status', status: 503 },
			'The service answered with status 503',
			0,
		],
		[
			'a redirect to what may be a result',
			{ type: 'redirect', status: 303, location: '/executions/1' },
			'The service redirects to another URL (status 303)',
			0,
		],
		[
			'an answer that is not JSON',
			{ type: 'notJson' },
			'The answer of the service has no identifier of the execution; it is text instead of JSON',
			0,
		],
	] as const)('after %s', async (_what, action, words, executions) => {
		service.state.faults.add({ route: 'create', action });
		const { error } = await create();
		expect(error?.message).toContain(words);
		expect(error?.description).toContain(NOT_KNOWN);
		expect(statuses()).toHaveLength(1);
		expect(service.state.executions.all()).toHaveLength(executions);
	});
});

it.each([307, 308])(
	'A create that the service wants at another address (%d) started nothing, and the error says which setting to check',
	async (status) => {
		service.state.faults.add({
			route: 'create',
			action: { type: 'redirect', status, location: 'https://elsewhere.example.com/' },
		});
		const { error } = await create();
		expect(error?.message).toContain(`redirects to another URL (status ${status})`);
		expect(error?.description).toMatch(/^Check the Base URL in the credential/);
	},
);

describe('A create that fails says why', () => {
	afterEach(() => {
		expect(service.state.executions.all()).toEqual([]);
		expect(service.requests('create').length).toBeLessThanOrEqual(1);
	});

	it('for a workflow that expects files in another way', async () => {
		const { error } = await create('by-address');
		expect(error?.message).toBe('The workflow rejected the request (status 422)');
		expect(error?.description).toContain("choose 'Files From URLs' under 'Documents'");
		expect(error?.description).toContain('application/json expected');
	});

	it('for documents that are too large', async () => {
		service.state.settings.change({ maximumBodyBytes: 100 });
		const { error } = await create();
		expect(error?.message).toBe('The documents are too large for the service');
		expect(error?.httpCode).toBe('413');
	});
});
