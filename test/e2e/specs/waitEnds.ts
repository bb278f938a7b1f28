import { setTimeout as sleep } from 'node:timers/promises';
import { chain, numbers, split } from '../flows';
import { longWait, next, NEXT, startAndPause } from '../longFlows';
import type { Scope } from '../lines';
import { withOwnService, type World } from '../support';

const MINUTE = 60_000;

/** A wait that began to pause and ends without data. It runs beside other tests, with a service of its own. */
export function waitEndsSpec(world: () => World, { atStart }: Scope): void {
	let done: Promise<void> | undefined;
	atStart(() => {
		done = withOwnService(world(), stopInAPause);
		done.catch(() => undefined); // the test fails with it
	});

	it('checks nothing more when the pause is stopped', async () =>
		expect(done).resolves.toBeUndefined());
}

async function stopInAPause(own: World): Promise<void> {
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
}
