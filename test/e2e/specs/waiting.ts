import { lastRun, output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, numbers, split } from '../flows';
import type { Scope } from '../lines';
import { type World } from '../support';

const NODE = 'Document Workflow';
const MINUTE = 60_000;

/** A text input that the service returns as extracted data. */
const CASE_NUMBER = {
	documents: 'none',
	inputs: { textInputs: [{ name: 'Case Number', value: '=CASE-{{ $json.numbers }}' }] },
};

/** Many waits that end while the node checks. */
export function waitingSpec(world: () => World, { long }: Scope): void {
	const batch = long ? 300 : 60;
	// The short form checks every second: how the intervals grow is tested elsewhere, without n8n.
	const { workflowId, waiting, intervalSeconds } = long
		? { workflowId: 'slow-cases', waiting: { firstCheckSeconds: 1 }, intervalSeconds: 18.2 }
		: { workflowId: 'cases', waiting: EARLY.waiting, intervalSeconds: 1 };
	const requests = () => world().simulator.state.requests.all();
	const checks = () => requests().filter(({ route }) => route === 'get');

	it(`returns ${batch} executions of one run in order, soon after the slowest, while one check in ten fails`, async () => {
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
		expect(failed).toBe(Math.floor(checks().length / 10));
		const { startTime, executionTime } = lastRun(execution, NODE);
		const seconds = executionTime / 1000;
		const slowest = (Math.max(...started.map(({ completesAt }) => completesAt)) - startTime) / 1000;
		console.log(
			`${n8n.line}: ${batch} executions in ${seconds.toFixed(1)} s, the last of which ended after ${slowest.toFixed(1)} s; ${(checks().length / batch).toFixed(1)} checks each, ${failed} of them failed.`,
		);
		// The slowest may end just after a check, and the next two checks may fail.
		expect(seconds).toBeLessThan(slowest * 1.1 + 3 * intervalSeconds);
	});
}
