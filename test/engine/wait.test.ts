import type { INodeParameters } from 'n8n-workflow';
import { runFlow, startFlow } from './support/engine';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';
import { stopWhen } from './support/stop';

const service = useService();

const items = [policyItem()];
const createAndWait = (waiting: INodeParameters, workflowId = WORKFLOW_ID) =>
	runFlow({
		...service,
		parameters: operation('createAndWait', { workflowId: workflowById(workflowId), waiting }),
		items,
	});
const checks = () => service.requests('get');
const onlyExecution = () => String(service.state.executions.all()[0]?.executionId);
/** Milliseconds from the end of the create to the first check, and from each check to the next. */
const gaps = () => {
	const times = [
		service.requests('create')[0]?.finishedAt ?? 0,
		...checks().map(({ startedAt }) => startedAt),
	];
	return times.slice(1).map((time, index) => time - (times[index] ?? 0));
};

describe('Waiting', () => {
	it('makes the first check at the set time, and up to a tenth later', async () => {
		const { outputs } = await createAndWait({ firstCheckSeconds: 0.6 });
		expect(outputs[0]?.[0]?.json.status).toBe('completed');
		expect(checks()).toHaveLength(1);
		expect(gaps()[0]).toBeGreaterThanOrEqual(600);
		expect(gaps()[0]).toBeLessThanOrEqual(660);
	});

	it('increases the interval between checks up to the maximum', async () => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(0);
		const { error } = await createAndWait(
			{ firstCheckSeconds: 1, longestIntervalMinutes: 0.2, longestWaitHours: 0.02 },
			'never-ending',
		);
		random.mockRestore();
		expect(error).toBeDefined();
		// The timeout cuts the last interval short.
		expect(gaps().map((gap) => gap / 1_000)).toEqual([1, 3, 12, 12, 12, 12, 12, 8]);
	});

	it('fails at the timeout with the ID to continue with', async () => {
		const { error } = await createAndWait(
			{ firstCheckSeconds: 0.1, longestWaitHours: 0.01 / 60 },
			'never-ending',
		);
		expect(error?.message).toBe('No result after 0.6 seconds: the execution is still running');
		expect(error?.description).toContain(
			'The execution continues in the service. Use Wait for Completion or Get Execution with its ID',
		);
		expect(error?.description).toContain(`Execution ${onlyExecution()}`);
	});

	it('reports the last failed check at the timeout', async () => {
		service.state.faults.add({ route: 'get', action: { type: 'status', status: 503 } });
		const { error } = await createAndWait({ firstCheckSeconds: 0.1, longestWaitHours: 0.01 / 60 });
		expect(error?.message).toContain('No result after');
		expect(error?.description).toContain(
			'Last failed check: The service answered with status 503.',
		);
	});

	it('fails with the reason of the service when the execution failed and the item is to stop', async () => {
		const stop = { firstCheckSeconds: 0.1, ifFailed: 'stop' };
		const { error } = await createAndWait(stop, 'failing');
		expect(error?.message).toBe(
			'The service could not process the documents: The scan is not readable',
		);
		expect(error?.description).toContain(`Execution ${onlyExecution()} (workflow failing)`);
	});

	it('says when the service gives no reason', async () => {
		service.state.faults.add({
			route: 'get',
			action: { type: 'status', status: 200, body: { status: 'Cancelled' } },
		});
		const { error } = await createAndWait({ firstCheckSeconds: 0.1, ifFailed: 'stop' });
		expect(error?.message).toBe('The service could not process the documents (status "Cancelled")');
		expect(error?.description).toContain('The service gives no reason');
	});

	it('continues with the execution of another run or node', async () => {
		await runFlow({ ...service, parameters: operation('create'), items });
		const executionId = onlyExecution();
		const { outputs } = await runFlow({
			...service,
			parameters: operation('wait', {
				executionId: ` ${executionId} `,
				waiting: { firstCheckSeconds: 0.1 },
			}),
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			executionId,
			status: 'completed',
			data: { policy: [{ policy_number: 'CPP-1001' }] },
		});
	});
});

describe('A wait', () => {
	it('survives a broken connection, 429, 503 and unreadable answers', async () => {
		const { faults } = service.state;
		faults.add({
			route: 'get',
			requests: { from: 1, to: 1 },
			action: { type: 'reset', when: 'before' },
		});
		faults.add({
			route: 'get',
			requests: { from: 2, to: 2 },
			action: { type: 'status', status: 429, retryAfter: 1 },
		});
		faults.add({
			route: 'get',
			requests: { from: 3, to: 3 },
			action: { type: 'status', status: 503 },
		});
		faults.add({ route: 'get', requests: { from: 4, to: 4 }, action: { type: 'truncated' } });
		faults.add({ route: 'get', requests: { from: 5, to: 5 }, action: { type: 'notJson' } });
		const { outputs, error } = await createAndWait({
			firstCheckSeconds: 0.1,
			longestIntervalMinutes: 0.1 / 60,
		});
		expect(error).toBeUndefined();
		expect(outputs[0]?.[0]?.json.status).toBe('completed');
		expect(checks().map(({ faultApplied }) => faultApplied)).toEqual([
			'reset before',
			'status',
			'status',
			'truncated',
			'notJson',
			undefined,
		]);
		expect(gaps()[2]).toBeGreaterThanOrEqual(1_000);
	});

	it('survives 404 while the service does not know the new execution yet', async () => {
		service.state.faults.add({
			route: 'get',
			times: 2,
			action: { type: 'status', status: 404, body: { detail: 'Workflow execution not found' } },
		});
		const { outputs } = await createAndWait({ firstCheckSeconds: 0.1 });
		expect(outputs[0]?.[0]?.json.status).toBe('completed');
		expect(checks().map(({ status }) => status)).toEqual([404, 404, 200]);
	});

	it('survives a short failure of the token endpoint while the token is renewed', async () => {
		service.state.faults.add({
			route: 'get',
			requests: { from: 1, to: 1 },
			action: { type: 'status', status: 401 },
		});
		service.state.faults.add({
			route: 'token',
			requests: { from: 2, to: 2 },
			action: { type: 'status', status: 503 },
		});
		const { outputs, error } = await createAndWait({ firstCheckSeconds: 0.1 });
		expect(error).toBeUndefined();
		expect(outputs[0]?.[0]?.json.status).toBe('completed');
	});

	it.each([
		[403, { detail: 'Not permitted' }, `The credential has no access to workflow "${WORKFLOW_ID}"`],
		[
			422,
			{ detail: [{ loc: ['path', 'execution_id'], msg: 'not a valid identifier' }] },
			'The service rejected the IDs (status 422)',
		],
		[410, {}, 'The service answered with status 410'],
	])('fails at once on %d', async (status, body, words) => {
		service.state.faults.add({ route: 'get', action: { type: 'status', status, body } });
		const { error } = await createAndWait({ firstCheckSeconds: 0.1 });
		expect(error?.message).toBe(words);
		expect(error?.description).toContain(onlyExecution());
		expect(checks()).toHaveLength(1);
	});
});

describe("n8n's Stop button", () => {
	it('ends a wait within half a second and sends no further request', async () => {
		const running = startFlow({
			...service,
			parameters: operation('createAndWait', {
				workflowId: workflowById('never-ending'),
				waiting: { firstCheckSeconds: 60 },
			}),
			items,
		});
		const { run, error, logs, stopMilliseconds } = await stopWhen(
			running,
			() => service.requests('create')[0]?.status === 200,
		);
		expect(stopMilliseconds).toBeLessThanOrEqual(500);
		expect(run.finished).not.toBe(true);
		expect(error?.message).toBe('The n8n execution was stopped');
		expect(error?.description).toContain(onlyExecution());
		// n8n stores a stopped execution without the node's error, so the ID must be in the log.
		expect(logs).toContainEqual(expect.stringMatching(new RegExp(`^warn: .*${onlyExecution()}`)));
		expect(service.requests().map(({ route }) => route)).toEqual(['token', 'create']);
	});

	it('ends all items, also when the node continues on errors', async () => {
		const running = startFlow({
			...service,
			parameters: operation('createAndWait', {
				workflowId: workflowById('never-ending'),
				waiting: { firstCheckSeconds: 60 },
			}),
			items: Array.from({ length: 12 }, policyItem),
			settings: { onError: 'continueRegularOutput' },
		});
		const answered = () => service.requests('create').filter(({ status }) => status === 200);
		const { logs, stopMilliseconds } = await stopWhen(running, () => answered().length === 12);
		expect(stopMilliseconds).toBeLessThanOrEqual(500);
		// Waits do not count toward the maximum of parallel creates.
		expect(service.state.executions.all()).toHaveLength(12);
		const warning = logs.find((line) => line.startsWith('warn: The n8n execution was stopped'));
		for (const { executionId } of service.state.executions.all())
			expect(warning).toContain(executionId);
	});

	it('ends a create that waits to retry, and does not send it again', async () => {
		service.state.faults.add({
			route: 'create',
			action: { type: 'status', status: 429, retryAfter: 60 },
		});
		const running = startFlow({ ...service, parameters: operation('create'), items });
		const { error } = await stopWhen(running, () => service.requests('create')[0]?.status === 429);
		expect(error?.message).toBe('The n8n execution was stopped');
		expect(service.requests('create')).toHaveLength(1);
	});

	it('ends a wait that the service asked to check again in ten minutes', async () => {
		service.state.faults.add({
			route: 'get',
			action: { type: 'status', status: 429, retryAfter: 600 },
		});
		const running = startFlow({
			...service,
			parameters: operation('createAndWait', { waiting: { firstCheckSeconds: 0.1 } }),
			items,
		});
		const { stopMilliseconds } = await stopWhen(running, () => checks()[0]?.status === 429);
		expect(stopMilliseconds).toBeLessThanOrEqual(500);
		expect(checks()).toHaveLength(1);
	});

	const isHeld = (route: 'create' | 'get') => service.requests(route)[0]?.faultApplied === 'delay';

	it('aborts a create in progress and reports its outcome as unknown', async () => {
		service.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 60_000 } });
		const running = startFlow({ ...service, parameters: operation('create'), items });
		const { error, stopMilliseconds } = await stopWhen(running, () => isHeld('create'));
		expect(stopMilliseconds).toBeLessThanOrEqual(500);
		expect(error?.message).toBe('The n8n execution was stopped');
		expect(error?.description).toBe(
			`Possibly started: item 0 (policy.txt), workflow ${WORKFLOW_ID}`,
		);
	});

	it('aborts a check in progress', async () => {
		service.state.faults.add({ route: 'get', action: { type: 'delay', milliseconds: 60_000 } });
		const running = startFlow({
			...service,
			parameters: operation('createAndWait', { waiting: { firstCheckSeconds: 0.1 } }),
			items,
		});
		const { error, stopMilliseconds } = await stopWhen(running, () => isHeld('get'));
		expect(stopMilliseconds).toBeLessThanOrEqual(500);
		expect(error?.message).toBe('The n8n execution was stopped');
		expect(error?.description).toContain(onlyExecution());
	});
});
