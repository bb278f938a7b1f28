import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, numbers, split } from '../flows';
import { longWait, next, NEXT, NODE, startAndPause } from '../longFlows';
import type { Scope } from '../lines';
import { withOwnService, type World } from '../support';

const MINUTE = 60_000;
const FAILING = 'failing-in-thirty-seconds';

interface Cell {
	title: string;
	work: (own: World) => Promise<void>;
}

const toEnd = async ({ client }: World, flow: WorkflowJson): Promise<Execution> =>
	client.runToEnd(flow, 6 * MINUTE);

const CELLS: Cell[] = [
	{
		title: 'passes on the status and the reason of an execution that has failed',
		work: async (own) => {
			const execution = await toEnd(
				own,
				chain('Goes on', numbers(1), split(), longWait(own, {}, {}, FAILING), next()),
			);
			expect(output(execution, NODE)).toMatchObject([
				{ json: { status: 'failed', failureReason: 'The document has no pages.' } },
			]);
			expect(execution.runs[NEXT]).toHaveLength(1);
		},
	},
	{
		title: 'checks nothing more when the pause is stopped',
		work: async (own) => {
			const { client, simulator } = own;
			const id = await startAndPause(
				own,
				chain('Stopped', numbers(2), split(), longWait(own, {}, {}, 'never-ending'), next()),
			);
			const requests = simulator.state.requests.all().length;
			await client.stopExecution(id);
			await sleep(1.5 * MINUTE);
			const execution = await client.execution(id);
			expect(execution.status).toBe('canceled');
			expect(execution.runs[NEXT]).toBeUndefined();
			expect(simulator.state.requests.all()).toHaveLength(requests);
		},
	},
];

/** How a wait ends that began to pause, other than with data. All run at the same time, beside other tests, each with its own service. */
export function waitEndsSpec(world: () => World, { atStart }: Scope): void {
	const done = new Map<string, Promise<void>>();
	atStart(() => {
		for (const { title, work } of CELLS) {
			const working = withOwnService(world(), work);
			working.catch(() => undefined); // the tests fail with it
			done.set(title, working);
		}
	});

	it.each(CELLS.map(({ title }) => [title]))(
		'%s',
		async (title) => expect(done.get(title)).resolves.toBeUndefined(),
		7 * MINUTE,
	);
}
