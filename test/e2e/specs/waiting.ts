import { setTimeout as sleep } from 'node:timers/promises';
import { lastRun, output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, numbers, split, TEXT_ONLY } from '../flows';
import { until, type World } from '../support';

const NODE = 'Document Workflow';
const BATCH = 300;
const MINUTE = 60_000;

/** A text input that comes back as extracted data. */
const CASE_NUMBER = {
	inputDataFieldName: '',
	textInputs: { pairs: [{ name: 'Case Number', value: '=CASE-{{ $json.numbers }}' }] },
};

/** Waiting for many executions, for such that do not end, and for such that fail. */
export function waitingSpec(world: () => World): void {
	const requests = () => world().simulator.state.requests.all();
	const looks = () => requests().filter(({ route }) => route === 'get');

	it(
		`${BATCH} executions are waited for in one run while one look in ten fails: all come out in order, soon after the slowest`,
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
				numbers(BATCH),
				split(),
				documentWorkflow(world(), 'createAndWait', 'cases', {
					...CASE_NUMBER,
					options: { firstLookSeconds: 1 },
				}),
			);
			const execution = await client.runToEnd(flow, 4 * MINUTE);
			expect(execution.error?.message).toBeUndefined();
			const items = output(execution, NODE);
			const expected = Array.from({ length: BATCH }, (_, index) => ({
				status: 'completed',
				data: { case: [{ case_number: `CASE-${index}` }] },
				pairedItem: { item: index },
			}));
			expect(
				items.map(({ json: { status, data }, pairedItem }) => ({ status, data, pairedItem })),
			).toEqual(expected);

			const started = executions.all().slice(before);
			expect(started).toHaveLength(BATCH);
			const failed = looks().filter(({ faultApplied }) => faultApplied !== undefined).length;
			expect(failed / looks().length).toBeCloseTo(1 / 10, 2);
			const { startTime, executionTime } = lastRun(execution, NODE);
			const seconds = executionTime / 1000;
			const slowest =
				(Math.max(...started.map(({ completesAt }) => completesAt)) - startTime) / 1000;
			console.log(
				`${n8n.line}: ${BATCH} executions in ${seconds.toFixed(1)} s, the last of which ended after ${slowest.toFixed(1)} s; ${(looks().length / BATCH).toFixed(1)} looks each, ${failed} of them failed.`,
			);
			expect(seconds).toBeLessThan(slowest * 1.25);
		},
		5 * MINUTE,
	);

	it('with Continue, what failed and what has not ended go on beside the others, and say what became of them', async () => {
		const { client } = world();
		const byNumber = "={{ ['never-ending', 'quick', 'failing'][$json.numbers] }}";
		const options = {
			...EARLY.options,
			timeoutMinutes: 0.1,
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
				{ ...TEXT_ONLY, options },
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
			message: expect.stringContaining('has not ended after 6 seconds'),
			advice: expect.stringContaining('It goes on in the service'),
		});
		expect(completed).toMatchObject({ workflowId: 'quick', status: 'completed' });
		expect(failed).toMatchObject({
			workflowId: 'failing',
			status: 'failed',
			failureReason: 'The document has no pages.',
		});
		expect(output(execution, NODE, 1)).toEqual([]);
	});

	it('with Stop, they leave through the Error output, with the ids to go on with', async () => {
		const { client, simulator } = world();
		const byNumber = "={{ ['never-ending', 'quick', 'failing'][$json.numbers] }}";
		const options = { ...EARLY.options, timeoutMinutes: 0.1 };
		const flow = chain(
			'Stop on error',
			numbers(3),
			split(),
			documentWorkflow(
				world(),
				'createAndWait',
				byNumber,
				{ ...TEXT_ONLY, options },
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
				description: expect.stringContaining('Use Wait for Completion or Get with this ID'),
			},
			{
				workflowId: 'failing',
				status: 'failed',
				watchedSeconds: expect.any(Number),
				description: 'The service said: "The document has no pages."',
			},
		]);
		for (const { executionId } of errors)
			expect(simulator.state.executions.find(String(executionId))).toBeDefined();
	});

	it(
		`Stop ends ${BATCH} waits within a second, and the service is asked no more`,
		async () => {
			const { client, simulator, n8n } = world();
			const before = simulator.state.executions.all().length;
			const flow = chain(
				'Stop',
				numbers(BATCH),
				split(),
				documentWorkflow(world(), 'createAndWait', 'never-ending', { ...TEXT_ONLY, ...EARLY }),
			);
			const executionId = await client.run(await client.createWorkflow(flow));
			await until(
				() => simulator.state.executions.all().length - before === BATCH && looks().length > BATCH,
				MINUTE,
			);
			const logged = n8n.log().length;
			const stoppedAt = Date.now();
			await client.stopExecution(executionId);
			await until(
				() => n8n.log().slice(logged).includes(`Running node "${NODE}" finished with error`),
				5_000,
			);
			const milliseconds = Date.now() - stoppedAt;
			expect(milliseconds).toBeLessThan(1_000);
			expect((await client.waitForExecution(executionId, 2_000)).status).toBe('canceled');
			const after = requests().length;
			await sleep(3_000); // at the pace of one look a second there would be hundreds
			expect(requests()).toHaveLength(after);
			console.log(`${n8n.line}: ${BATCH} waits were over ${milliseconds} ms after Stop.`);
		},
		2 * MINUTE,
	);
}
