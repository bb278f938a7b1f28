import { setTimeout as sleep } from 'node:timers/promises';
import { lastRun, output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, numbers, split, TEXT_ONLY } from '../flows';
import type { Scope } from '../lines';
import { logFromNow, until, type World } from '../support';

const NODE = 'Document Workflow';
const MINUTE = 60_000;
const SIX_SECONDS = 6 / 3600; // in hours

/** A text input that the service returns as extracted data. */
const CASE_NUMBER = {
	documents: 'none',
	inputs: { textInputs: [{ name: 'Case Number', value: '=CASE-{{ $json.numbers }}' }] },
};

/** Waits that end while the node checks: for many executions, for executions that do not end, and for executions that fail. */
export function waitingSpec(world: () => World, { long }: Scope): void {
	const batch = long ? 300 : 60;
	// The short form checks every second: how the intervals grow is tested elsewhere, without n8n.
	const { workflowId, waiting, intervalSeconds } = long
		? { workflowId: 'slow-cases', waiting: { firstCheckSeconds: 1 }, intervalSeconds: 18.2 }
		: { workflowId: 'cases', waiting: EARLY.waiting, intervalSeconds: 1 };
	const requests = () => world().simulator.state.requests.all();
	const checks = () => requests().filter(({ route }) => route === 'get');

	it(
		`returns ${batch} executions of one run in order, soon after the slowest, while one check in ten fails`,
		async () => {
			const { client, simulator, n8n } = world();
			const { faults, executions } = simulator.state;
			faults.add({
				route: 'get',
				requests: { from: 10, every: 30 },
				action: { type: 'status', status: 503 },
			});
			faults.add({
				route: 'get',
				requests: { from: 20, every: 30 },
				action: { type: 'reset', when: 'before' },
			});
			faults.add({ route: 'get', requests: { from: 30, every: 30 }, action: { type: 'notJson' } });
			const before = executions.all().length;
			const flow = chain(
				'Batch',
				numbers(batch),
				split(),
				documentWorkflow(world(), 'createAndWait', workflowId, { ...CASE_NUMBER, waiting }),
			);
			const execution = await client.runToEnd(flow, 4 * MINUTE);
			expect(execution.error?.message).toBeUndefined();
			const items = output(execution, NODE);
			const expected = Array.from({ length: batch }, (_, index) => ({
				status: 'completed',
				data: { case: [{ case_number: `CASE-${index}` }] },
				pairedItem: { item: index },
			}));
			expect(
				items.map(({ json: { status, data }, pairedItem }) => ({ status, data, pairedItem })),
			).toEqual(expected);

			const started = executions.all().slice(before);
			expect(started).toHaveLength(batch);
			const failed = checks().filter(({ faultApplied }) => faultApplied !== undefined).length;
			expect(failed / checks().length).toBeCloseTo(1 / 10, 2);
			const { startTime, executionTime } = lastRun(execution, NODE);
			const seconds = executionTime / 1000;
			const slowest =
				(Math.max(...started.map(({ completesAt }) => completesAt)) - startTime) / 1000;
			console.log(
				`${n8n.line}: ${batch} executions in ${seconds.toFixed(1)} s, the last of which ended after ${slowest.toFixed(1)} s; ${(checks().length / batch).toFixed(1)} checks each, ${failed} of them failed.`,
			);
			// The slowest may end just after a check, and the next two checks may fail.
			expect(seconds).toBeLessThan(slowest * 1.1 + 3 * intervalSeconds);
		},
		5 * MINUTE,
	);

	it('returns failed and unfinished executions beside the others with Continue', async () => {
		const { client } = world();
		const byNumber = "={{ ['never-ending', 'quick', 'failing'][$json.numbers] }}";
		const waiting = {
			...EARLY.waiting,
			longestWaitHours: SIX_SECONDS,
			ifFailed: 'continue',
			ifTimedOut: 'continue',
		};
		const flow = chain(
			'Continue',
			numbers(3),
			split(),
			documentWorkflow(
				world(),
				'createAndWait',
				byNumber,
				{ ...TEXT_ONLY, waiting },
				{ onError: 'continueErrorOutput' },
			),
		);
		const execution = await client.runToEnd(flow);
		expect(execution.status).toBe('success');
		const [running, completed, failed] = output(execution, NODE).map(({ json }) => json);
		expect(running).toMatchObject({
			workflowId: 'never-ending',
			status: 'running',
			timedOut: true,
			watchedSeconds: expect.any(Number),
			message: expect.stringContaining('No result after 6 seconds'),
			advice: expect.stringContaining('The execution continues in the service'),
		});
		expect(completed).toMatchObject({ workflowId: 'quick', status: 'completed' });
		expect(failed).toMatchObject({
			workflowId: 'failing',
			status: 'failed',
			failureReason: 'The document has no pages.',
		});
		expect(output(execution, NODE, 1)).toEqual([]);
	});

	it('returns failed and unfinished executions through the Error output with Stop, with their identifiers', async () => {
		const { client, simulator } = world();
		const byNumber = "={{ ['never-ending', 'quick', 'failing'][$json.numbers] }}";
		const waiting = { ...EARLY.waiting, longestWaitHours: SIX_SECONDS };
		const flow = chain(
			'Stop on error',
			numbers(3),
			split(),
			documentWorkflow(
				world(),
				'createAndWait',
				byNumber,
				{ ...TEXT_ONLY, waiting },
				{ onError: 'continueErrorOutput' },
			),
		);
		const execution = await client.runToEnd(flow);
		expect(output(execution, NODE).map(({ json }) => json.workflowId)).toEqual(['quick']);
		const errors = output(execution, NODE, 1).map(
			({ json }) => json.error as Record<string, unknown>,
		);
		expect(errors).toMatchObject([
			{
				workflowId: 'never-ending',
				status: 'running',
				watchedSeconds: expect.any(Number),
				description: expect.stringContaining(
					'Use Wait for Completion or Get Execution with its ID',
				),
			},
			{
				workflowId: 'failing',
				status: 'failed',
				watchedSeconds: expect.any(Number),
				message: 'The service could not process the documents: The document has no pages',
			},
		]);
		for (const { executionId } of errors)
			expect(simulator.state.executions.find(String(executionId))).toBeDefined();
	});

	it(
		`ends ${batch} waits within two seconds of Stop, and sends no further request`,
		async () => {
			const { client, simulator, n8n } = world();
			const before = simulator.state.executions.all().length;
			const flow = chain(
				'Stop',
				numbers(batch),
				split(),
				documentWorkflow(world(), 'createAndWait', 'never-ending', { ...TEXT_ONLY, ...EARLY }),
			);
			const executionId = await client.run(await client.createWorkflow(flow));
			await until(
				() => simulator.state.executions.all().length - before === batch && checks().length > batch,
				MINUTE,
			);
			const logged = logFromNow(n8n.log);
			const stoppedAt = Date.now();
			await client.stopExecution(executionId);
			await until(() => logged().includes(`Running node "${NODE}" finished with error`), 5_000);
			const milliseconds = Date.now() - stoppedAt;
			expect(milliseconds).toBeLessThan(2_000);
			expect((await client.waitForExecution(executionId, 2_000)).status).toBe('canceled');
			const after = requests().length;
			await sleep(2_000); // each execution was checked once a second
			expect(requests()).toHaveLength(after);
			console.log(`${n8n.line}: ${batch} waits ended ${milliseconds} ms after Stop.`);
		},
		2 * MINUTE,
	);
}
