/**
 * Gives a real n8n mixed work at an even rate for many minutes, and measures what it takes meanwhile. The end of each document is
 * compared with the books of the service.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { output } from '../../harness/n8n-execution';
import type { Report } from '../../harness/report';
import { startSimulator } from '../../simulator';
import type { SimulatorState } from '../../simulator/state/state';
import { casesIn, type Verdict } from '../chaos/books';
import type { Document } from '../chaos/documents';
import { numbersFor } from '../chaos/plan';
import { withTrigger } from '../e2e/notifying';
import { storeCredential, until, type World } from '../e2e/support';
import { CONFIGURATION, CYCLE, KINDS, SERVICE_WORKFLOWS, type Kind, type KindName } from './kinds';
import { publish, type Outcome, type Runs } from './runs';
import { startSampler, thorough, type MeasureName, type Samples } from './samples';

export interface SoakOptions {
	minutes: number;
	report: Report;
}

export interface SoakFigures {
	kinds: Map<KindName, KindFigures>;
	/** Samples while there was work. */
	samples: Samples;
	/** Before the first work and after the last. */
	rest: Record<'before' | 'after', Partial<Record<MeasureName, number>>>;
	events: number;
	/** Calls of the trigger. */
	deliveries: { accepted: number; repeated: number; givenUp: number };
	/** n8n executions that paused. */
	paused: number;
	faults: number;
	requests: number;
	findings: string[];
	seconds: number;
}

export interface KindFigures {
	runs: number;
	documents: number;
	verdicts: Map<Verdict, number>;
	/** What n8n stores of all runs. */
	bytes: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** From one start to the next. */
const EVERY = 2 * SECOND;
const MOST_AT_ONCE = 20;
const FAULT_EVERY = 30 * SECOND;
const REST = 30 * SECOND;

/** One of them every half minute. The node retries all of these. */
const FAULTS: Array<(state: SimulatorState) => unknown> = [
	({ faults }) =>
		faults.add({
			route: 'create',
			times: 3,
			action: { type: 'status', status: 429, retryAfter: 1 },
		}),
	({ tokens }) => tokens.revokeAll(),
	({ faults }) =>
		faults.add({ route: 'get', times: 5, action: { type: 'status', status: 503, retryAfter: 1 } }),
	({ faults }) =>
		faults.add({
			route: 'create',
			times: 1,
			action: { type: 'revokeTokenDuringUpload', afterBytes: 500 },
		}),
	({ faults }) =>
		faults.add({
			route: 'create',
			times: 3,
			action: { type: 'status', status: 503, retryAfter: 1 },
		}),
	({ faults }) => faults.add({ route: 'get', times: 3, action: { type: 'reset', when: 'before' } }),
];

/** Lets n8n work for so many minutes, and then until all has ended. */
export async function runSoak(given: World, options: SoakOptions): Promise<SoakFigures> {
	const begin = Date.now();
	const simulator = await startSimulator({ configuration: CONFIGURATION });
	const credential = await storeCredential(given.client, simulator);
	const world: World = { ...given, simulator, credential };
	const { n8n } = world;
	const { state } = simulator;
	const figures: SoakFigures = {
		kinds: new Map((Object.keys(KINDS) as KindName[]).map((name) => [name, noFigures()])),
		samples: {} as Samples,
		rest: { before: {}, after: {} },
		events: 0,
		deliveries: { accepted: 0, repeated: 0, givenUp: 0 },
		paused: 0,
		faults: 0,
		requests: 0,
		findings: [],
		seconds: 0,
	};
	try {
		const runs = await publish(world);
		await withTrigger(world, { workflowIds: [SERVICE_WORKFLOWS.reported] }, async ({ id }) => {
			await sleep(REST);
			figures.rest.before = await thorough(n8n);
			const events = collectEvents(world, id, figures);
			const sampler = startSampler(n8n);
			const reported = await work(world, runs, options, figures);
			await sampler.stop();
			figures.samples = sampler.samples;
			await events.end(reported, runs);
			await sleep(REST);
			figures.rest.after = await thorough(n8n);
		});
		const ended = (wanted: string) =>
			state.deliveries.all().filter(({ outcome }) => outcome === wanted).length;
		figures.deliveries = {
			accepted: ended('accepted'),
			repeated: ended('repeat'),
			givenUp: ended('givenUp'),
		};
		const requests = state.requests.all();
		figures.requests = requests.length;
		figures.faults = requests.filter(
			({ faultApplied, status }) => faultApplied !== undefined || status === 401,
		).length;
		return { ...figures, seconds: (Date.now() - begin) / 1000 };
	} finally {
		await simulator.stop();
	}
}

/** Starts runs at an even rate and waits for the end of all; returns the documents that events report. */
async function work(
	world: World,
	runs: Runs,
	{ minutes, report }: SoakOptions,
	figures: SoakFigures,
): Promise<Document[]> {
	const random = numbersFor(1, 'soak');
	const begin = Date.now();
	const reported: Document[] = [];
	const background: Array<Promise<unknown>> = [];
	/** Runs that are under way. */
	const busy = new Set<number>();
	const one = async (name: KindName, number: number) => {
		const kind: Kind = KINDS[name];
		busy.add(number);
		try {
			const run = await runs.start(name, number, random);
			if (kind.isReported) reported.push(...run.documents);
			count(figures, name, await runs.end(run));
		} catch (error) {
			figures.findings.push(`Run ${number} (${kind.title}): ${String(error)}`);
		} finally {
			busy.delete(number);
		}
	};
	const isDue = (slot: number, every: number) => slot > 0 && (slot * EVERY) % every === 0;
	for (let slot = 0; slot * EVERY < minutes * MINUTE; slot++) {
		await sleep(Math.max(0, begin + slot * EVERY - Date.now()));
		await until(() => busy.size < MOST_AT_ONCE, 10 * MINUTE);
		if (isDue(slot, FAULT_EVERY))
			FAULTS[((slot * EVERY) / FAULT_EVERY) % FAULTS.length]?.(world.simulator.state);
		background.push(one(CYCLE[slot % CYCLE.length] ?? 'waiting', slot));
		if (isDue(slot, MINUTE))
			report(
				`${(slot * EVERY) / MINUTE} minutes: ${slot} n8n executions started, ${busy.size} under way, ${figures.paused} have paused, ${figures.findings.length} findings`,
			);
	}
	await Promise.all(background);
	return reported;
}

const noFigures = (): KindFigures => ({ runs: 0, documents: 0, verdicts: new Map(), bytes: 0 });

function count(
	all: SoakFigures,
	name: KindName,
	{ verdicts, bytes, hasPaused, findings: found }: Outcome,
): void {
	const figures = all.kinds.get(name) ?? noFigures();
	all.kinds.set(name, figures);
	figures.runs++;
	figures.documents += verdicts.length;
	figures.bytes += bytes;
	for (const verdict of verdicts)
		figures.verdicts.set(verdict, (figures.verdicts.get(verdict) ?? 0) + 1);
	all.findings.push(...found);
	if (hasPaused) all.paused++;
}

/** Reads what events have started, before n8n deletes it. */
function collectEvents({ client, simulator }: World, workflowId: string, figures: SoakFigures) {
	const seen = new Set<string>();
	/** The cases of each event, by its execution. */
	const events = new Map<string, string[]>();
	const read = async () => {
		for (const id of await client.executionIds(workflowId)) {
			if (seen.has(id)) continue;
			seen.add(id);
			const execution = await client.waitForExecution(id);
			for (const { json } of output(execution, 'Document Workflow Trigger')) {
				const executionId = String(json.executionId);
				events.set(executionId, [...(events.get(executionId) ?? []), casesIn(json).join()]);
				figures.events++;
			}
		}
	};
	const fail = (error: unknown) => void figures.findings.push(`Events: ${String(error)}`);
	const stopped = new AbortController();
	const reading = (async () => {
		while (!stopped.signal.aborted) {
			await read().catch(fail);
			await sleep(10 * SECOND, undefined, { signal: stopped.signal }).catch(() => undefined);
		}
	})();
	return {
		/** Each of the documents has one event with its own case, and there is no other event. */
		end: async (documents: Document[], runs: Runs) => {
			await until(() => simulator.state.deliveries.isIdle(), 2 * MINUTE);
			stopped.abort();
			await reading;
			await read().catch(fail);
			for (const document of documents)
				for (const { executionId } of runs.executionsOf([document])) {
					const cases = events.get(executionId) ?? [];
					if (cases.join(' and ') !== document.cases.join())
						figures.findings.push(
							`${document.id} has ${cases.length} events, with the cases ${cases.join(' and ')}`,
						);
					events.delete(executionId);
				}
			for (const executionId of events.keys())
				figures.findings.push(`Nobody expected an event of ${executionId}`);
		},
	};
}
