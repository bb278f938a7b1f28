/**
 * Sends documents through a real n8n while the service and the network in front of it misbehave as a seed says. Then it compares, item by item, what n8n says with the books of the service.
 */
import { until, type World } from '../e2e/support';
import { batchesOf, toldBy, type Batch } from './documents';
import { FAULTS, judge, type Booked, type Told, type Verdict } from './books';
import { hasSecret, movable, surround, type Surroundings } from './surroundings';
import { increase, inTurns } from './service';
import { serviceFaults } from './plan';
import { flowFor } from './ways';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ChaosOptions {
	seed: number;
	documents: number;
	/** With faults that last for minutes. */
	long: boolean;
	report: (sentence: string) => void;
}

export interface Figures {
	/** Documents by way and verdict. */
	verdicts: Map<string, Map<Verdict, number>>;
	/** What went wrong, with the number of requests or connections. */
	faults: Map<string, number>;
	requests: number;
	/** At hosts other than the service, and in what n8n shows: its outputs, errors and log. */
	strangers: {
		requests: number;
		selfSigned: number;
		leaks: number;
		leaksInN8n: number;
	};
	/** Documents with the verdict of a fault, in words. */
	findings: string[];
	seconds: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** n8n executions under way. */
const AT_ONCE = { long: 4, short: 10 };
const RUN_WITHIN = 12 * MINUTE;

/** Runs the chaos in a running n8n; afterwards its clock is as before. */
export async function runChaos(world: World, options: ChaosOptions): Promise<Figures> {
	const begin = Date.now();
	const { seed, documents, long } = options;
	const seconds = () => (Date.now() - begin) / 1000;
	const report = (sentence: string) => options.report(`${seconds().toFixed(0)} s: ${sentence}`);
	const around = await surround(world, seed);
	const clock = movable(world);
	try {
		const { faults } = around.simulator.state;
		for (const fault of serviceFaults({ seed, documents, otherHost: around.other.url, long }))
			faults.add(fault);
		const batches = await batchesOf(world, options);
		const told = new Map<Batch, Map<string, Told>>();
		const tell = (batch: Batch, of: Map<string, Told>) => void told.set(batch, of);
		const polled = batches.filter(({ way }) => !way.pauses);
		const paused = batches.filter(({ way }) => way.pauses);
		// The clock of n8n is right, an hour ahead, and an hour behind.
		const third = Math.ceil(polled.length / 3);
		for (const [index, ahead] of [0, HOUR, -2 * HOUR].entries()) {
			await clock.move(ahead);
			const some = polled.slice(index * third, (index + 1) * third);
			await inTurns(some, long ? AT_ONCE.long : AT_ONCE.short, async (batch) =>
				tell(batch, await runBatch(around, batch)),
			);
			report(`${told.size} of ${batches.length} n8n executions have ended`);
		}
		await clock.restore();
		await runPaused(around, paused, { long, report, clock }, tell);
		return { ...figuresOf(around, told, world.n8n.log()), seconds: seconds() };
	} finally {
		await clock.restore();
		await around.stop();
	}
}

async function runBatch({ worlds }: Surroundings, { way, documents }: Batch) {
	const world = worlds[way.address ?? 'service'];
	const { client } = world;
	const id = await client.run(await client.createWorkflow(flowFor(world, way, documents)));
	const first = await client.waitForExecution(id, RUN_WITHIN);
	if (first.status !== 'error') return toldBy([first], documents);
	const again = await client.retryExecution(id);
	return toldBy([first, await client.waitForExecution(again, RUN_WITHIN)], documents);
}

function figuresOf(
	{ simulator: { state }, network, other, selfSigned }: Surroundings,
	told: Map<Batch, Map<string, Told>>,
	log: string,
): Omit<Figures, 'seconds'> {
	const booked = new Map<string, Booked[]>();
	for (const { executionId, metadata, files } of state.executions.all()) {
		const id = String(metadata?.external_id);
		const names = files.map(({ fileName, sha256 }) => [fileName, sha256] as const);
		booked.set(id, [...(booked.get(id) ?? []), { executionId, files: Object.fromEntries(names) }]);
	}
	const verdicts = new Map<string, Map<Verdict, number>>();
	const findings: string[] = [];
	const secret = state.clients[0]?.clientSecret ?? '';
	let leaksInN8n = hasSecret(log, secret) ? 1 : 0;
	for (const [{ way, documents }, ofBatch] of told) {
		const counts = verdicts.get(way.name) ?? new Map<Verdict, number>();
		verdicts.set(way.name, counts);
		for (const document of documents) {
			const books = booked.get(document.id) ?? [];
			const said = ofBatch.get(document.id) ?? { items: [], error: '' };
			if (hasSecret(JSON.stringify(said), secret)) leaksInN8n++;
			const verdict = judge(document, books, said);
			counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
			if (FAULTS.includes(verdict))
				findings.push(
					`${document.id} (${way.name}) is ${verdict}: the service has ${JSON.stringify(books)}; n8n says ${JSON.stringify(said)}`,
				);
		}
	}
	const faults = new Map<string, number>();
	for (const { route, faultApplied, status } of state.requests.all()) {
		const fault = faultApplied === 'status' ? `status ${status ?? ''}` : faultApplied;
		if (fault !== undefined) increase(faults, `service, ${route}: ${fault}`);
	}
	for (const [type, count] of network.applied) faults.set(`network: ${type}`, count);
	return {
		verdicts,
		faults,
		requests: state.requests.all().length,
		strangers: {
			requests: other.requests(),
			leaks: other.leaks(),
			selfSigned: selfSigned.requests(),
			leaksInN8n,
		},
		findings,
	};
}

const STARTED_AT_ONCE = 4;
/** After the last create. */
const QUIET = { long: 10 * SECOND, short: 4 * SECOND };
/** How often the clock is moved on until all n8n executions have ended. */
const ROUNDS = 12;
/** The first check is made after 12 seconds. */
const PAUSED_WITHIN = 20 * SECOND;
/** From a check to the end of the n8n execution. */
const ENDS_WITHIN = { long: 30 * SECOND, short: 5 * SECOND };
/** The default of Maximum Interval, and some more. */
const LONGEST_PAUSE = 20 * MINUTE;

interface Wanted extends Pick<ChaosOptions, 'long' | 'report'> {
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
