/**
 * Kills a real n8n again and again while n8n executions send, check, pause and resume. Then it does what docs/failures.md says to do
 * after a crash, and counts what the service has started and where each of these executions was found.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8n } from '../../harness/n8n';
import { output } from '../../harness/n8n-execution';
import type { WorkflowJson } from '../../harness/n8n-rest';
import { startSimulator, type SimulatorConfiguration } from '../../simulator';
import { chain, documentWorkflow, node, split } from '../e2e/flows';
import { withTrigger } from '../e2e/notifying';
import { storeCredential, until, type World } from '../e2e/support';
import { between, numbersFor } from './plan';

export interface KillOptions {
	seed: number;
	/** How many n8n executions are to be met by a kill. */
	rounds: number;
	/** All that n8n has logged. */
	log: () => string;
	report: (sentence: string) => void;
}

export interface KillFigures {
	kills: number;
	/** n8n executions that had not ended when n8n was killed, by what they did. */
	rounds: Map<string, number>;
	/** Executions that the service has started for their documents. */
	started: number;
	/** Where these were found. */
	found: { output: number; log: number; search: number };
	/** Executions that were not found. */
	lost: string[];
	/** Documents with more than one execution. */
	doubled: string[];
	documents: number;
	/** Documents that were certainly not sent, and that were sent after that. */
	sentAfterwards: number;
	/** Documents with the data of their own case at the end. */
	withOwnData: number;
	seconds: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Started in each life of n8n. */
const STARTED_IN_A_LIFE = 16;
/** From the last start to the kill. */
const LONG_LIFE = 8 * SECOND;
/** So that half of the kills meet creates. */
const SHORT_LIFE = SECOND;
const CASE = { stepName: 'case', fields: [{ name: 'case_number', labels: ['Case Number'] }] };

/** What the n8n executions do when n8n is killed. */
const KINDS = {
	creating: { operation: 'create', workflowId: 'killed-quick', documents: 24 },
	checking: { operation: 'createAndWait', workflowId: 'killed-slow', documents: 4 },
	pausing: { operation: 'createAndWait', workflowId: 'killed-long', documents: 3 },
} as const;
type Kind = keyof typeof KINDS;

const CONFIGURATION: SimulatorConfiguration = {
	clients: [{ clientId: 'chaos', clientSecret: 'made-up-secret-of-the-chaos' }],
	workflows: [
		{ workflowId: 'killed-quick', duration: { fixedSeconds: 0.5 }, steps: [CASE] },
		{ workflowId: 'killed-slow', duration: { medianSeconds: 5 }, steps: [CASE] },
		{ workflowId: 'killed-long', duration: { medianSeconds: 25, sigma: 0.3 }, steps: [CASE] },
	],
};

/** An n8n execution and the External IDs of its documents. */
interface Round {
	id: string;
	kind: Kind;
	documents: string[];
	/** Whether n8n was killed before it ended. */
	isMet: boolean;
}

export async function runKills(given: World, options: KillOptions): Promise<KillFigures> {
	const begin = Date.now();
	const { seed, report } = options;
	const random = numbersFor(seed, 'kills');
	const simulator = await startSimulator({ configuration: { ...CONFIGURATION, seed } });
	const credential = await storeCredential(given.client, simulator);
	const world: World = { ...given, simulator, credential };
	// Creates take a while, so that a kill meets some of them.
	for (const [every, milliseconds] of [
		[1, 150],
		[2, 500],
		[5, 1_500],
	] as const)
		simulator.state.faults.add({
			route: 'create',
			requests: { every },
			action: { type: 'delay', milliseconds },
		});
	const rounds: Round[] = [];
	let kills = 0;
	const met = () => rounds.filter(({ isMet }) => isMet).length;
	try {
		const wanted = { workflowIds: [KINDS.pausing.workflowId] };
		await withTrigger(world, wanted, async () => {
			while (met() < options.rounds) {
				await startSome(world, rounds);
				await sleep(between(random, 0, random() < 0.5 ? SHORT_LIFE : LONG_LIFE));
				// With its clock moved on, n8n pauses what it checks, and its next life resumes what it paused.
				if (random() < 0.5) await world.clock.move(MINUTE);
				await world.n8n.main.end('SIGKILL');
				const killedAt = world.clock.now();
				kills++;
				await world.n8n.main.start();
				await until(async () => answers(world), MINUTE);
				await markMet(world, rounds, killedAt);
				report(`${kills} kills have met ${met()} of ${rounds.length} n8n executions`);
			}
			await untilAllHaveEnded(world, rounds);
		});
		const counted = await reconcile(world, rounds, options);
		return { ...counted, kills, seconds: (Date.now() - begin) / 1000 };
	} finally {
		await simulator.stop();
	}
}

/** n8n answers its settings before its database does. */
async function answers({ client }: World): Promise<boolean> {
	return client.executionIds('none').then(
		() => true,
		() => false,
	);
}

/** Starts n8n executions at about the same time, those that create last: they are the shortest. */
async function startSome({ client, ...world }: World, rounds: Round[]): Promise<void> {
	const created = [];
	for (const kind of Array<Kind[]>(STARTED_IN_A_LIFE / ORDER.length)
		.fill(ORDER)
		.flat()
		.sort(byOrder)) {
		const documents = Array.from(
			{ length: KINDS[kind].documents },
			(_, index) => `k${rounds.length + created.length}-${index}`,
		);
		const flow = flowFor({ client, ...world }, kind, documents);
		created.push({ workflow: await client.createWorkflow(flow), kind, documents });
	}
	for (const { workflow, ...round } of created)
		rounds.push({ id: await client.run(workflow), isMet: false, ...round });
}

const ORDER: Kind[] = ['pausing', 'pausing', 'checking', 'creating'];
const byOrder = (a: Kind, b: Kind) => ORDER.indexOf(a) - ORDER.indexOf(b);

function flowFor(world: World, kind: Kind, documents: string[]): WorkflowJson {
	const { operation, workflowId } = KINDS[kind];
	return chain(
		`Killed while ${kind}`,
		...listOf(documents.map((name) => ({ name }))),
		documentWorkflow(world, operation, workflowId, {
			inputDataFieldName: '',
			inputs: {
				externalId: '={{ $json.name }}',
				textInputs: { pairs: [{ name: 'Case Number', value: '={{ $json.name }}' }] },
			},
			waiting: { firstCheckSeconds: 1, longestIntervalMinutes: 0.02, pauseAfterMinutes: 0.1 },
		}),
	);
}

/** One item for each entry. */
const listOf = (entries: object[]) => [
	node('List', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ numbers: entries }),
		options: {},
	}),
	split(),
];

/** A kill has met what crashed, and what had paused and ended later, or has not ended yet. */
async function markMet({ client }: World, rounds: Round[], killedAt: number): Promise<void> {
	for (const round of rounds) {
		if (round.isMet) continue;
		const { status, stoppedAt } = await client.execution(round.id);
		const endedLater = Date.parse(stoppedAt ?? '') > killedAt;
		round.isMet = status === 'crashed' || OPEN.includes(status) || endedLater;
	}
}

const OPEN = ['new', 'running', 'waiting'];

async function untilAllHaveEnded(world: World, rounds: Round[]): Promise<void> {
	const { client, clock } = world;
	const open = async () => {
		const all = await Promise.all(rounds.map(async ({ id }) => client.execution(id)));
		return all.filter(({ status }) => OPEN.includes(status)).length;
	};
	for (let minute = 0; minute < 10 && (await open()) > 0; minute++) {
		await clock.move(2 * MINUTE);
		const end = Date.now() + 65 * SECOND;
		while (Date.now() < end && (await open()) > 0) await sleep(2 * SECOND);
	}
}

/** The steps of docs/failures.md, "After a crash of n8n". */
async function reconcile(
	world: World,
	rounds: Round[],
	{ log }: KillOptions,
): Promise<Omit<KillFigures, 'kills' | 'seconds'>> {
	const { client, simulator } = world;
	const books = () => simulator.state.executions.all();
	const idOf = (metadata: Record<string, unknown> | null) => String(metadata?.external_id);
	const before = books();
	const lines = log().split('\n');
	const found = { output: 0, log: 0, search: 0 };
	const foundIds = new Set<string>();
	/** By document: its data, or the workflow and the ID of its execution, or undefined where it is to be sent. */
	const data = new Map<string, string>();
	const toFetch: Array<{ name: string; workflowId: string; executionId: string }> = [];
	const toSend: string[] = [];
	for (const { id, kind, documents } of rounds) {
		const execution = await client.execution(id);
		const items = execution.status === 'success' ? output(execution, 'Document Workflow') : [];
		const about = lines.filter((line) => line.includes(`n8n execution ${id}`));
		const { workflowId } = KINDS[kind];
		for (const [index, name] of documents.entries()) {
			const item = items[index]?.json;
			// 0: it did not crash.
			if (typeof item?.executionId === 'string') {
				found.output++;
				foundIds.add(item.executionId);
				const own = caseIn(item);
				if (own === undefined) toFetch.push({ name, workflowId, executionId: item.executionId });
				else data.set(name, own);
				continue;
			}
			const own = about.filter((line) => line.includes(`External ID "${name}"`));
			// 3: what was started.
			const started = own.flatMap(
				(line) => /Execution (\S+) of .* was started/.exec(line)?.[1] ?? [],
			);
			for (const executionId of started) {
				found.log++;
				foundIds.add(executionId);
				toFetch.push({ name, workflowId, executionId });
			}
			if (started.length > 0) continue;
			// 4: what was on its way.
			const isOpen = own.at(-1)?.includes('Sending to workflow') ?? false;
			const inDashboard = isOpen ? before.filter(({ metadata }) => idOf(metadata) === name) : [];
			for (const { executionId } of inDashboard) {
				found.search++;
				foundIds.add(executionId);
				toFetch.push({ name, workflowId, executionId });
			}
			// 5: the rest is sent again.
			if (inDashboard.length === 0) toSend.push(name);
		}
	}
	await finishAll(world, toFetch, toSend, data);
	const all = books();
	const counts = new Map<string, number>();
	for (const { metadata } of all) counts.set(idOf(metadata), (counts.get(idOf(metadata)) ?? 0) + 1);
	const names = rounds.flatMap(({ documents }) => documents);
	const kinds = new Map<string, number>();
	for (const { kind, isMet } of rounds) if (isMet) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
	return {
		rounds: kinds,
		started: before.length,
		found,
		lost: before
			.filter(({ executionId }) => !foundIds.has(executionId))
			.map(({ executionId, metadata }) => `${idOf(metadata)}: ${executionId}`),
		doubled: [...counts].flatMap(([name, count]) => (count > 1 ? [`${name}: ${count}`] : [])),
		documents: names.length,
		sentAfterwards: toSend.length,
		withOwnData: names.filter((name) => data.get(name) === name).length,
	};
}

/** Gets the results of what was found, and sends the rest, in two n8n executions. */
async function finishAll(
	world: World,
	toFetch: Array<{ name: string; workflowId: string; executionId: string }>,
	toSend: string[],
	data: Map<string, string>,
): Promise<void> {
	const { client, simulator } = world;
	simulator.state.faults.clear();
	const wait = documentWorkflow(world, 'wait', '={{ $json.workflowId }}', {
		executionId: '={{ $json.executionId }}',
		waiting: { firstCheckSeconds: 0.1 },
	});
	const runs = [
		{ names: toFetch.map(({ name }) => name), flow: chain('Fetched', ...listOf(toFetch), wait) },
		{ names: toSend, flow: flowFor(world, 'checking', toSend) },
	];
	for (const { names, flow } of runs) {
		if (names.length === 0) continue;
		const execution = await client.runToEnd(flow, 10 * MINUTE);
		for (const [index, { json }] of output(execution, 'Document Workflow').entries())
			data.set(names[index] ?? '', caseIn(json) ?? '');
	}
}

/** The case in the data of an item. */
function caseIn({ data }: Record<string, unknown>): string | undefined {
	const rows = (data as { case?: Array<{ case_number?: unknown }> } | undefined)?.case;
	const [row] = rows ?? [];
	return typeof row?.case_number === 'string' ? row.case_number : undefined;
}

/** Collects all that n8n logs; n8n's own log in the tests loses its oldest part. */
export function collector(): { onOutput: (text: string) => void; log: N8n['log'] } {
	const parts: string[] = [];
	return { onOutput: (text) => void parts.push(text), log: () => parts.join('') };
}
