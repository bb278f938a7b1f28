import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../simulator/state/faults';
import { answer } from './support/answers';
import { runFlow, startFlow } from './support/engine';
import { operation, useService, WORKFLOW_ID } from './support/service';
import { stopWhen } from './support/stop';

const service = useService();

const QUICK = { firstCheckSeconds: 0.1, longestIntervalMinutes: 0.2 / 60 };
const wait = (waiting: INodeParameters = {}, settings: Partial<INode> = {}) =>
	runFlow({
		...service,
		parameters: operation('wait', { executionId: 'e-1', waiting: { ...QUICK, ...waiting } }),
		settings,
	});
const fault = (action: Fault['action'], requests: Fault['requests'] = {}) =>
	service.state.faults.add({ route: 'get', requests, action });
const checks = () => service.requests('get');

describe('A wait', () => {
	it.each<[string, Fault['action']]>([
		[
			'a connection that breaks after the service handled the request',
			{ type: 'reset', when: 'after' },
		],
		['an answer that breaks off', { type: 'truncated' }],
		['an answer without a status', { type: 'status', status: 200, body: { ok: true } }],
		['a 500', { type: 'status', status: 500 }],
		['a 401 that a new token resolves', { type: 'status', status: 401 }],
		['an early 404', { type: 'status', status: 404 }],
	])('continues after %s', async (_what, action) => {
		fault(action, { from: 2, to: 2 });
		fault({ type: 'status', status: 200, body: { status: 'running' } }, { from: 1, to: 1 });
		answer(service, { steps: [] });
		const { status, outputs } = await wait();
		expect(status).toBe('success');
		expect(outputs[0]?.[0]?.json).toMatchObject({ executionId: 'e-1', status: 'completed' });
		expect(checks()).toHaveLength(3);
	});
});

describe('A wait fails', () => {
	it('after ten seconds of 404, with advice', async () => {
		fault({ type: 'status', status: 404, body: { detail: 'Workflow execution not found' } });
		const { outputs, received } = await wait({}, { onError: 'continueErrorOutput' });
		expect(outputs[0]).toEqual([]);
		expect(received[1][0]?.json.error).toMatchObject({
			message: `Workflow "${WORKFLOW_ID}" has no execution "e-1"`,
			description: expect.stringContaining('only found under its own workflow'),
			workflowId: WORKFLOW_ID,
			executionId: 'e-1',
			checks: checks().length,
		});
		const watchedSeconds = Number((received[1][0]?.json.error as IDataObject).watchedSeconds);
		expect(watchedSeconds).toBeGreaterThanOrEqual(10);
		// The last check is at most one interval later.
		expect(watchedSeconds).toBeLessThanOrEqual(10.2);
	});

	it('when each new token gets a 401', async () => {
		fault({ type: 'status', status: 401 });
		const { error } = await wait();
		expect(error?.httpCode).toBe('401');
		expect(checks()).toHaveLength(3);
		expect(service.requests('token')).toHaveLength(3);
	});
});

it("n8n's Stop button ends the check of Get at once", async () => {
	fault({ type: 'delay', milliseconds: 60_000 });
	const running = startFlow({
		...service,
		parameters: operation('get', { executionId: 'e-1' }),
	});
	const { run, error, stopMilliseconds } = await stopWhen(
		running,
		() => checks()[0]?.faultApplied === 'delay',
	);
	expect(stopMilliseconds).toBeLessThanOrEqual(500);
	expect(run.finished).not.toBe(true);
	expect(error?.message).toMatch(/^The n8n execution was stopped/);
});
