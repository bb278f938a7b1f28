import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import { runFlow, startFlow, type Outcome } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { expectNoSecretIn } from './support/secrets';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';
import { time, until } from './support/time';

const service = useService();

const LONG = 'never-ending';
const LINK = 'https://app.example.com/{workflowId}/{executionId}';
/** The node's first pause begins after six seconds. */
const WAIT = { firstCheckSeconds: 1, pauseAfterSeconds: 6 };

function flow(waiting: INodeParameters = {}, settings: Partial<INode> = {}) {
	return {
		...service,
		parameters: operation('createAndWait', {
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
			waiting: { ...WAIT, ...waiting },
		}),
		items: [0, 1].map((number) => ({ ...policyItem(), json: { number, workflow: LONG } })),
		settings,
	};
}
const checks = () => service.requests('get').length;
const executions = () => service.state.executions.all().map(({ executionId }) => executionId);
const finish = async (id = '', status: 'completed' | 'failed' = 'completed') =>
	service.state.executions.finish(id, { status });
const finishAll = async () => void (await Promise.all(executions().map(async (id) => finish(id))));
/** An item whose document the service refuses. */
const refused = ([item]: InputItem[]) => ({ ...item, json: { number: 2, workflow: 'unknown' } });
const statuses = ({ received: [first] }: Outcome) => first.map(({ json: { status } }) => status);

describe('A long wait', () => {
	it('pauses, checks again, and returns each item once, without sending anything again', async () => {
		const first = await runFlow(flow());
		expect(first.status).toBe('waiting');
		// The shortest pause, less some time for this line.
		expect(Number(first.waitTill) - time.now()).toBeGreaterThanOrEqual(25_000);
		expect(Number(first.waitTill) - time.now()).toBeLessThanOrEqual(30_000);

		await finish(executions()[0]);
		const before = checks();
		const second = await first.continue();
		expect(second.status).toBe('waiting');
		expect(checks() - before).toBe(2);
		expect(second.received[0]).toEqual([]);

		await finishAll();
		const last = await second.continue();
		expect(last.status).toBe('success');
		// One check of what had not ended, and one for the result of what had.
		expect(checks() - before).toBe(4);
		expect(last.received[0].map(({ json, pairedItem }) => [json.status, pairedItem])).toEqual([
			['completed', { item: 0 }],
			['completed', { item: 1 }],
		]);
		expect(last.run.data.resultData.runData['Document Workflow']).toHaveLength(1);
		expect(service.requests('create')).toHaveLength(2);
		expectNoSecretIn([first.run, second.run, last.run, last.logs]);
	});

	it.each([
		['continue', 'success'],
		['fail', 'error'],
	])('ends at its time limit as On Timeout says: %s', async (ifTimedOut, status) => {
		const first = await runFlow(flow({ ifTimedOut, longestWaitHours: 2 }));
		expect(first.status).toBe('waiting');
		await time.sleep(2 * 3_600_000);
		const last = await first.continue();
		expect(last.status).toBe(status);
		if (status === 'success') {
			const items = last.received[0].map(({ json }) => json);
			expect(items).toMatchObject(
				executions().map((executionId) => ({
					...{ executionId, status: 'running', timedOut: true },
					message: expect.stringContaining('No result after 2 hours'),
				})),
			);
			expect(items.reduce((sum, item) => sum + Number(item.checks), 0)).toBe(checks());
		} else
			for (const executionId of executions())
				expect(last.error?.description).toContain(executionId);
		const { watchedSeconds } = last.received[0][0]?.json ?? { watchedSeconds: 7_201 };
		expect(watchedSeconds).toBeGreaterThan(7_200);
	});

	it('pauses or ends once when n8n continues a pause twice, as n8n 1 does with a limit on parallel runs', async () => {
		const first = await runFlow(flow());
		const [one, other] = await Promise.all([first.continue(), first.continue()]);
		expect([one.status, other.status]).toEqual(['waiting', 'waiting']);
		expect(other.waitTill).toEqual(one.waitTill);
		await finishAll();
		const last = await one.continue();
		expect(statuses(last)).toEqual(['completed', 'completed']);
		const before = checks();
		for (const paused of [one, other, first]) {
			const again = await paused.continue();
			expect(again.status).toBe('success');
			expect(again.outputs).toEqual([[]]);
			// What the node behind received in all runs so far.
			expect(again.received[0]).toHaveLength(2);
		}
		expect(checks()).toBe(before);
	});

	it('ends with its items when Retry On Fail runs the node again after the pause, because the first has failed', async () => {
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const given = flow({}, { onError: 'continueRegularOutput', ...tries });
		const first = await runFlow({ ...given, items: [refused(given.items), ...given.items] });
		await finishAll();
		const last = await first.continue();
		expect(statuses(last)).toEqual([undefined, 'completed', 'completed']);
	});

	it('goes on when each execution is finished or held, with what to do, where Continue is chosen', async () => {
		await service.enter({ executionLink: LINK });
		service.state.workflows.change(WORKFLOW_ID, { duration: { fixedSeconds: 36_000 } });
		const items = [LONG, WORKFLOW_ID].map((workflow) => ({ ...policyItem(), json: { workflow } }));
		const first = await runFlow({ ...flow({ ifHeld: 'continue' }), items });
		service.state.faults.add({
			...{ route: 'get', workflowId: LONG },
			action: { type: 'status', status: 200, body: { status: 'on_hold' } },
		});
		const second = await first.continue();
		expect(second.status).toBe('waiting');
		const [held, other] = executions();
		await finish(other);
		const last = await second.continue();
		expect(last.status).toBe('success');
		const heldUrl = `https://app.example.com/never-ending/${held}`;
		expect(last.received[0].map(({ json }) => json)).toMatchObject([
			{
				...{ held: true, needsReview: true, status: 'on_hold', executionId: held },
				executionUrl: heldUrl,
				toReview: `A person must act in the document service, where the status is "on_hold". Execution ${held} (workflow never-ending) at ${heldUrl}`,
				advice:
					'To get the result afterwards, use Wait for Completion with the executionId. Get Execution returns what is available now',
			},
			{ status: 'completed', executionUrl: `https://app.example.com/${WORKFLOW_ID}/${other}` },
		]);
	});

	it('keeps the IDs in the custom data of the n8n execution when the pause begins', async () => {
		const { run } = await runFlow(flow());
		expect(run.data.resultData.metadata).toMatchObject({
			started_executions_1: executions().join(' '),
		});
	});

	it('is continued by Retry, twice in a row, without sending again what had failed before the pause', async () => {
		const given = flow({}, { onError: 'continueRegularOutput' });
		const running = startFlow({ ...given, items: [...given.items, refused(given.items)] });
		await until(() => executions().length === 2);
		await time.sleep(2_000);
		await finish(executions()[0], 'failed');
		const first = await running.outcome;
		expect(first.status).toBe('waiting');
		const creates = service.requests('create').length;
		const second = await first.retry();
		expect(second.status).toBe('waiting');
		await finish(executions()[1]);
		for (const last of [await second.retry(), await first.retry()]) {
			expect(last.status).toBe('success');
			expect(statuses(last).slice(-3)).toEqual(['failed', 'completed', undefined]);
		}
		expect(service.requests('create')).toHaveLength(creates);
	});

	it.each([
		['with the legacy order of execution', { executionOrder: 'v0' as const }],
		["with n8n's Engine 2.0", { engineType: 'v2' }],
	])('goes on while the node runs in an n8n workflow %s, and says so', async (_what, settings) => {
		const running = startFlow({ ...flow(), workflowSettings: settings as IWorkflowSettings });
		await until(() => executions().length === 2);
		await time.sleep(16_000);
		await finishAll();
		const { status, hints, received } = await running.outcome;
		expect(status).toBe('success');
		expect(received[0]).toHaveLength(2);
		expect(hints).toContainEqual(expect.stringContaining('Reason: its n8n workflow uses'));
	});
});
