/** The part of a chaos in which n8n executions pause and check again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../e2e/support';
import { toldBy, type Batch } from './documents';
import type { Told } from './books';
import { inTurns } from './service';
import type { movable, Surroundings } from './surroundings';
import { flowFor } from './ways';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STARTED_AT_ONCE = 4;
/** After the last create. */
const QUIET = { long: 10 * SECOND, short: 4 * SECOND };
/** How often the clock is moved on until all n8n executions have ended. */
const ROUNDS = 12;
const RUN_WITHIN = 12 * MINUTE;
/** The first check is made after 12 seconds. */
const PAUSED_WITHIN = 20 * SECOND;
/** From a check to the end of the n8n execution. */
const ENDS_WITHIN = { long: 30 * SECOND, short: 5 * SECOND };
/** The default of Maximum Interval, and some more. */
const LONGEST_PAUSE = 20 * MINUTE;

interface Wanted {
	long: boolean;
	report: (sentence: string) => void;
	clock: ReturnType<typeof movable>;
}

/**
 * n8n executions that pause. All of their executions end at once in random order. n8n has the results at its next checks, to which its
 * clock is moved.
 */
export async function runPaused(
	{ simulator, worlds: { service: world } }: Surroundings,
	batches: Batch[],
	{ long, clock, report }: Wanted,
	tell: (batch: Batch, told: Map<string, Told>) => void,
): Promise<void> {
	const { client } = world;
	const size = long ? 'long' : 'short';
	const { executions, requests } = simulator.state;
	const ids = new Map<string, Batch>();
	const countOf = async (...statuses: string[]) => {
		const all = await Promise.all([...ids.keys()].map(async (id) => client.execution(id)));
		return all.filter(({ status }) => statuses.includes(status)).length;
	};
	const haveAllBegun = () => {
		const begun = new Set(executions.all().map(({ metadata }) => metadata?.external_id));
		return batches.every(({ documents }) => documents.some(({ id }) => begun.has(id)));
	};
	const lastCreate = () =>
		Math.max(...requests.all().map(({ route, startedAt }) => (route === 'create' ? startedAt : 0)));
	const areRunning = async () => (await countOf('new', 'running')) > 0;
	const areOver = async () => (await countOf('new', 'running', 'waiting')) === 0;
	await inTurns(batches, STARTED_AT_ONCE, async (batch) => {
		const flow = flowFor(world, batch.way, batch.documents);
		ids.set(await client.run(await client.createWorkflow(flow)), batch);
	});
	await eventually(async () => haveAllBegun(), MINUTE);
	await until(() => Date.now() - lastCreate() > QUIET[size], 5 * MINUTE);
	// While they check, n8n's clock is moved on, so that they pause, for a quarter of an hour. On a busy machine some begin later.
	for (const ahead of [8 * HOUR, 4 * HOUR, 4 * HOUR]) {
		if (!(await areRunning())) break;
		await clock.move(ahead);
		await eventually(async () => !(await areRunning()), PAUSED_WITHIN);
	}
	report(`${await countOf('waiting')} of ${ids.size} n8n executions have paused`);
	for (let round = 0; round < ROUNDS && !(await areOver()); round++) {
		const running = executions.all().filter(({ status }) => status === 'running');
		for (const { executionId } of running)
			void executions.finish(executionId, { status: 'completed' });
		await clock.move(LONGEST_PAUSE);
		await clock.look();
		await eventually(areOver, ENDS_WITHIN[size]);
		report(`${await countOf('waiting')} n8n executions wait after a check`);
	}
	for (const [id, batch] of ids)
		tell(batch, toldBy([await client.waitForExecution(id, RUN_WITHIN)], batch.documents));
}

/** Waits until a condition holds, or for so many milliseconds. */
async function eventually(condition: () => Promise<boolean>, timeout: number): Promise<void> {
	for (const end = Date.now() + timeout; Date.now() < end && !(await condition());)
		await sleep(SECOND);
}
