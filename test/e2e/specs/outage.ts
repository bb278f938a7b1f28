import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, TEXT_ONLY } from '../flows';
import type { Scope } from '../lines';
import { withTrigger } from '../notifying';
import { until, withOwnService, type World } from '../support';

const WORKFLOW = 'never-ending';
const MINUTE = 60_000;
/** Longer than the minute in which the node repeats its first check after a pause, so that it polls until the time limit. */
const OUTAGE = 70_000;

/** A service that is down when a pause is resumed. Runs beside the other tests, with its own service. */
export function outageSpec(world: () => World, { atStart }: Scope): void {
	let outcome: Promise<Outcome>;
	atStart(() => {
		outcome = withOwnService(world(), resumeDuringOutage);
		outcome.catch(() => undefined); // the test fails with it
	});

	it(
		`keeps checking for ${OUTAGE / 1000} s after a notification until the service can be read, and then returns the data`,
		async () => {
			const { executionId, statusAfterOutage, execution } = await outcome;
			expect(statusAfterOutage).toBe('running');
			expect(output(execution, 'Document Workflow')).toMatchObject([
				{ json: { executionId, status: 'completed' } },
			]);
		},
		4 * MINUTE,
	);
}

interface Outcome {
	executionId: string;
	/** The state of the n8n execution when the service can be read again. */
	statusAfterOutage: string;
	execution: Execution;
}

async function resumeDuringOutage(world: World): Promise<Outcome> {
	const { client, simulator } = world;
	const { executions, faults } = simulator.state;
	return withTrigger(world, { workflowIds: [WORKFLOW] }, async () => {
		const pause = documentWorkflow(world, 'createAndWait', WORKFLOW, {
			...TEXT_ONLY,
			howToWait: 'pause',
		});
		const id = await client.run(await client.createWorkflow(chain('Outage', pause)));
		await until(async () => (await client.execution(id)).status === 'waiting', 2 * MINUTE);
		// The trigger checks once, and so does the paused n8n execution; the checks of the resumed node fail.
		faults.add({ route: 'get', requests: { from: 3 }, action: { type: 'status', status: 503 } });
		const executionId = executions.all()[0]?.executionId ?? '';
		await executions.finish(executionId, { status: 'completed' });
		await until(async () => (await client.execution(id)).status === 'running', MINUTE);
		await sleep(OUTAGE);
		const { status: statusAfterOutage } = await client.execution(id);
		faults.clear();
		const execution = await client.waitForExecution(id, 3 * MINUTE);
		return { executionId, statusAfterOutage, execution };
	});
}
