import { runFlow, startFlow, stopWhen } from './support/engine';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';

const service = useService();

const items = [policyItem()];
const onlyExecution = () => String(service.state.executions.all()[0]?.executionId);

describe('Waiting', () => {
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

	it('aborts a create in progress and reports its outcome as unknown', async () => {
		service.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 60_000 } });
		const running = startFlow({ ...service, parameters: operation('create'), items });
		const { error, stopMilliseconds } = await stopWhen(
			running,
			() => service.requests('create')[0]?.faultApplied === 'delay',
		);
		expect(stopMilliseconds).toBeLessThanOrEqual(500);
		expect(error?.message).toBe('The n8n execution was stopped');
		expect(error?.description).toBe(
			`Possibly started: item 0 (policy.txt), workflow ${WORKFLOW_ID}`,
		);
	});
});
