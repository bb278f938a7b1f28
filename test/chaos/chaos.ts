/**
 * Sends documents through a real n8n while the service, the network in front of it and the notifications misbehave as a seed says.
 * Then it compares, item by item, what n8n says with the books of the service.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution, Item } from '../../harness/n8n-execution';
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../simulator';
import { withTrigger } from '../e2e/notifying';
import { storeCredential, until, type World } from '../e2e/support';
import { FAULTS, judge, type Booked, type Told, type Verdict } from './books';
import { writeDocument, type Document } from './documents';
import { hasSecret, startOtherHost, startSelfSigned, type OtherHost } from './hosts';
import { connectionFaults, numbersFor, serviceFaults } from './plan';
import { startProxy, type Proxy } from './proxy';
import { flowFor, NEXT, NODE, SERVICE_WORKFLOWS, WAYS, type Address, type Way } from './ways';

export interface ChaosOptions {
	seed: number;
	documents: number;
	/** With faults that last for minutes, and with lost notifications. */
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
		downloads: number;
		selfSigned: number;
		leaks: number;
		leaksInN8n: number;
	};
	notifications: { accepted: number; repeated: number; givenUp: number };
	/** Documents with the verdict of a fault, in words. */
	findings: string[];
	seconds: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Documents of an n8n execution. */
const BATCH = { long: 40, short: 20 };
/** A pause needs an n8n execution of its own for a few documents, so that notifications resume many. */
const NOTIFIED_BATCH = 5;
const AT_ONCE = 4;
/** How often the clock is moved on until all n8n executions have ended. n8n looks once a minute for pauses that are over. */
const ROUNDS = 12;
const RUN_WITHIN = 12 * MINUTE;
const NO_SUCH_HOST = 'https://no-such-host.invalid';
const CASE = { stepName: 'case', fields: [{ name: 'case_number', labels: ['Case Number'] }] };

const CONFIGURATION: SimulatorConfiguration = {
	clients: [{ clientId: 'chaos', clientSecret: 'made-up-secret-of-the-chaos' }],
	workflows: [
		{ workflowId: SERVICE_WORKFLOWS.quick, duration: { medianSeconds: 1 }, steps: [CASE] },
		{
			workflowId: SERVICE_WORKFLOWS.failing,
			duration: { fixedSeconds: 0.5 },
			failWith: { error: 'The document has no pages.' },
		},
		{
			workflowId: SERVICE_WORKFLOWS.linked,
			duration: { medianSeconds: 1 },
			steps: [CASE],
			answerFormat: 'url',
		},
		{ workflowId: SERVICE_WORKFLOWS.notified, duration: { fixedSeconds: 3600 }, steps: [CASE] },
	],
};

/** Documents that one n8n execution sends. */
interface Batch {
	way: Way;
	documents: Document[];
}

/** The service with all that stands around it. */
interface Surroundings {
	simulator: Simulator;
	network: Proxy;
	other: OtherHost;
	storage: OtherHost;
	selfSigned: Omit<OtherHost, 'leaks'>;
	/** n8n with a credential for each address. */
	worlds: Record<Address, World>;
	stop: () => Promise<void>;
}

/** Runs the chaos in a running n8n; afterwards its clock is as before. */
export async function runChaos(world: World, options: ChaosOptions): Promise<Figures> {
	const begin = Date.now();
	const { seed, documents, long, report } = options;
	const around = await surround(world, seed);
	const clock = movable(world);
	try {
		const { faults } = around.simulator.state;
		for (const fault of serviceFaults({ seed, documents, otherHost: around.other.url, long }))
			faults.add(fault);
		const batches = await batchesOf(world, options);
		const told = new Map<Batch, Map<string, Told>>();
		const tell = (batch: Batch, of: Map<string, Told>) => void told.set(batch, of);
		const polled = batches.filter(({ way }) => !way.isNotified);
		const notified = batches.filter(({ way }) => way.isNotified);
		// The clock of n8n is right, an hour ahead, and an hour behind.
		const third = Math.ceil(polled.length / 3);
		for (const [index, ahead] of [0, HOUR, -2 * HOUR].entries()) {
			await clock.move(ahead);
			const some = polled.slice(index * third, (index + 1) * third);
			await inTurns(some, AT_ONCE, async (batch) => tell(batch, await runBatch(around, batch)));
			report(`${told.size} of ${batches.length} n8n executions have ended`);
		}
		await clock.restore();
		const notifications = await runNotified(around, notified, { ...options, clock }, tell);
		return {
			...figuresOf(around, told, world.n8n.log()),
			notifications,
			seconds: (Date.now() - begin) / 1000,
		};
	} finally {
		await clock.restore();
		await around.stop();
	}
}

/** The clock of n8n, which can be set right again. */
function movable({ clock }: World) {
	let ahead = 0;
	const move = async (milliseconds: number) => {
		ahead += milliseconds;
		await clock.move(milliseconds);
	};
	return { move, restore: async () => (ahead === 0 ? undefined : move(-ahead)) };
}

async function surround(world: World, seed: number): Promise<Surroundings> {
	const simulator = await startSimulator({ configuration: { ...CONFIGURATION, seed } });
	const { productionUrl, state } = simulator;
	const secret = state.clients[0]?.clientSecret ?? '';
	const network = await startProxy(productionUrl, connectionFaults(seed));
	const other = await startOtherHost(secret);
	const storage = await startOtherHost(secret, (path) => productionUrl + path);
	const selfSigned = await startSelfSigned();
	// The service keeps its data at another host.
	state.addresses.production = storage.url;
	const at = async (url: string): Promise<World> => {
		const service = { ...simulator, productionUrl: url };
		return { ...world, simulator, credential: await storeCredential(world.client, service) };
	};
	return {
		...{ simulator, network, other, storage, selfSigned },
		worlds: {
			service: await at(network.url),
			unknownHost: await at(NO_SUCH_HOST),
			selfSigned: await at(selfSigned.url),
		},
		stop: async () => {
			await network.stop();
			await simulator.stop();
			await Promise.all([other.stop(), storage.stop(), selfSigned.stop()]);
		},
	};
}

/** All documents in batches, each on disk, in random order. */
async function batchesOf(world: World, { seed, documents, long }: ChaosOptions): Promise<Batch[]> {
	const random = numbersFor(seed, 'documents');
	const weights = WAYS.reduce((sum, { weight }) => sum + weight, 0);
	const batches: Batch[] = [];
	let left = documents;
	for (const way of WAYS) {
		const isLast = way === WAYS.at(-1);
		let ofWay = isLast ? left : Math.round((documents * way.weight) / weights);
		left -= ofWay;
		const size = way.isNotified ? NOTIFIED_BATCH : long ? BATCH.long : BATCH.short;
		for (; ofWay > 0; ofWay -= size) {
			const ids = Array.from(
				{ length: Math.min(size, ofWay) },
				(_, index) => `s${seed}-${batches.length}-${index}`,
			);
			const folder = join(world.folder, `chaos-${seed}`);
			const each = ids.map(async (id) => writeDocument(folder, id, way.fileCount, random));
			batches.push({ way, documents: await Promise.all(each) });
		}
	}
	return batches
		.map((batch) => ({ batch, place: random() }))
		.sort((a, b) => a.place - b.place)
		.map(({ batch }) => batch);
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

/** What n8n shows about each document: its items in the last n8n execution, and the errors of all. */
function toldBy(executions: Execution[], documents: Document[]): Map<string, Told> {
	const last = executions.at(-1);
	const error = executions.map(errorOf).join('\n').trim();
	const about = executions.map(describe).join(', ');
	const items = last === undefined || last.status === 'error' ? [] : itemsOf(last);
	return new Map(
		documents.map(({ id }, index) => {
			const own = items.filter((item) => indexOf(item) === index);
			return [id, { items: own.map(({ json }) => json), error, about }];
		}),
	);
}

function describe({ id, status, waitTill, runs }: Execution): string {
	const counts = Object.entries(runs).map(([name, all]) => {
		const items = all.map(({ data }) =>
			(data?.main ?? []).map((some) => some?.length ?? 0).join('+'),
		);
		return `${name} ${items.join(' then ')}`;
	});
	return `n8n execution ${id}: ${status}, waiting until ${waitTill}, items: ${counts.join('; ')}`;
}

function errorOf({ error, runs }: Execution): string {
	const errors = [error, ...(runs[NODE] ?? []).map((run) => run.error)];
	return errors
		.map((each) => (each ? `${each.message}\n${each.description ?? ''}` : ''))
		.join('\n');
}

/** All items that the node has output, on both outputs. After a pause n8n may list a run without items behind the one with them. */
function itemsOf({ runs }: Execution): Item[] {
	const itemsIn = (name: string) =>
		(runs[name] ?? []).map(({ data }) => (data?.main ?? []).flatMap((items) => items ?? []));
	const behind = itemsIn(NEXT).filter((items) => items.length > 0);
	// The node behind must not get them twice either.
	return behind.length > 1 ? behind.flat() : itemsIn(NODE).flat();
}

function indexOf({ pairedItem }: Item): number {
	const paired = Array.isArray(pairedItem) ? (pairedItem[0] as unknown) : pairedItem;
	if (typeof paired === 'number') return paired;
	return (paired as { item?: number } | undefined)?.item ?? -1;
}

/**
 * n8n executions that pause. All of their executions end at once in random order; notifications come late, twice, or break. Of those
 * that are lost n8n has the result at its next check, to which its clock is moved.
 */
async function runNotified(
	{ simulator, worlds: { service: world } }: Surroundings,
	batches: Batch[],
	options: ChaosOptions & { clock: ReturnType<typeof movable> },
	tell: (batch: Batch, told: Map<string, Told>) => void,
): Promise<Figures['notifications']> {
	const { client, n8n } = world;
	const { seed, long, clock, report } = options;
	const { executions, requests, deliveries } = simulator.state;
	const trigger = await startProxy(n8n.webhookUrl, connectionFaults(seed, 'notifications'));
	const wanted = {
		workflowIds: [SERVICE_WORKFLOWS.notified],
		through: (url: string) => url.replace(n8n.webhookUrl, trigger.url),
		webhook: {
			duplicates: 1,
			delaySeconds: { fromSeconds: 0, toSeconds: long ? 20 : 3 },
			retry: {
				attempts: long ? 1 : 4,
				firstDelayMilliseconds: 500,
				longestDelayMilliseconds: 500,
			},
		},
	};
	const ids = new Map<string, Batch>();
	const countOf = async (...statuses: string[]) => {
		const all = await Promise.all([...ids.keys()].map(async (id) => client.execution(id)));
		return all.filter(({ status }) => statuses.includes(status)).length;
	};
	const lastCreate = () =>
		Math.max(...requests.all().map(({ route, startedAt }) => (route === 'create' ? startedAt : 0)));
	const endAll = async () => {
		const running = executions.all().filter(({ status }) => status === 'running');
		for (const { executionId } of running)
			void executions.finish(executionId, { status: 'completed' });
		await sleep(SECOND);
		await until(() => deliveries.isIdle(), 10 * MINUTE, SECOND);
	};
	const answers = () => {
		const counts = new Map<string, number>();
		for (const { answer } of deliveries.all()) increase(counts, String(answer));
		return Object.fromEntries(counts);
	};
	const work = async () => {
		await inTurns(batches, AT_ONCE, async (batch) => {
			const flow = flowFor(world, batch.way, batch.documents);
			ids.set(await client.run(await client.createWorkflow(flow)), batch);
		});
		await until(() => Date.now() - lastCreate() > (long ? 10 : 4) * SECOND, 5 * MINUTE, SECOND);
		// While they check, n8n's clock is moved on, so that they pause, for a quarter of an hour.
		await clock.move(8 * HOUR);
		await eventually(async () => (await countOf('new', 'running')) === 0, MINUTE);
		report(`${await countOf('waiting')} of ${ids.size} n8n executions have paused`);
		await endAll();
		const areOver = async () => (await countOf('new', 'running', 'waiting')) === 0;
		await eventually(areOver, (long ? 60 : 10) * SECOND);
		report(`${await countOf('waiting')} n8n executions were not notified, or not in time`);
		report(`Answers to notifications: ${JSON.stringify(answers())}`);
		for (let round = 0; round < ROUNDS && !(await areOver()); round++) {
			await endAll();
			await clock.move(HOUR);
			await eventually(areOver, 75 * SECOND);
		}
		for (const [id, batch] of ids)
			tell(batch, toldBy([await client.waitForExecution(id, RUN_WITHIN)], batch.documents));
	};
	try {
		await withTrigger(world, wanted, work);
	} finally {
		await clock.restore();
		await trigger.stop();
	}
	const ended = (wantedOutcome: string) =>
		deliveries.all().filter(({ outcome }) => outcome === wantedOutcome).length;
	return { accepted: ended('accepted'), repeated: ended('repeat'), givenUp: ended('givenUp') };
}

function figuresOf(
	{ simulator: { state }, network, other, storage, selfSigned }: Surroundings,
	told: Map<Batch, Map<string, Told>>,
	log: string,
): Omit<Figures, 'notifications' | 'seconds'> {
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
			downloads: storage.requests(),
			leaks: other.leaks() + storage.leaks(),
			selfSigned: selfSigned.requests(),
			leaksInN8n,
		},
		findings,
	};
}

function increase(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Waits until a condition holds, or for so many milliseconds. */
async function eventually(condition: () => Promise<boolean>, timeout: number): Promise<void> {
	for (const end = Date.now() + timeout; Date.now() < end && !(await condition());)
		await sleep(SECOND);
}

/** Works on all, so many at the same time. */
async function inTurns<T>(
	all: T[],
	atOnce: number,
	work: (one: T) => Promise<void>,
): Promise<void> {
	const left = [...all];
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
		}),
	);
}
