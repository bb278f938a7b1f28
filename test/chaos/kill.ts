/**
 * Kills a real n8n again and again while n8n executions send, check and pause. Then it does what docs/waiting.md says to do
 * after a crash, and counts what the service has started and where each of these executions was found.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8n } from '../../harness/n8n';
import { output } from '../../harness/n8n-execution';
import type { WorkflowJson } from '../../harness/n8n-rest';
import { chain, documentWorkflow } from '../e2e/flows';
import { until, type World } from '../e2e/support';
import { between, numbersFor } from './plan';
import { listOf, reconcile, type Reconciled, type ShownDocument } from './reconcile';
import { CASE, slowCreatesDown, withService, type ServiceConfiguration } from './service';

export interface KillOptions {
	seed: number;
	/** How many n8n executions are to be met by a kill. */
	rounds: number;
	/** All that n8n has logged. */
	log: () => string;
	report: (sentence: string) => void;
}

export interface KillFigures extends Reconciled {
	kills: number;
	/** n8n executions that had not ended when n8n was killed, by what they did. */
	rounds: Map<string, number>;
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

/** What the n8n executions do when n8n is killed. */
const KINDS = {
	creating: { operation: 'create', workflowId: 'killed-quick', documents: 24 },
	checking: { operation: 'createAndWait', workflowId: 'killed-slow', documents: 4 },
	pausing: { operation: 'createAndWait', workflowId: 'killed-long', documents: 3 },
} as const;
type Kind = keyof typeof KINDS;

const CONFIGURATION: ServiceConfiguration = {
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
	const rounds: Round[] = [];
	let kills = 0;
	const met = () => rounds.filter(({ isMet }) => isMet).length;
	return withService(given, { ...CONFIGURATION, seed }, async (world) => {
		slowCreatesDown(world);
		while (met() < options.rounds) {
			await startSome(world, rounds);
			await sleep(between(random, 0, random() < 0.5 ? SHORT_LIFE : LONG_LIFE));
			// With its clock moved on, n8n pauses what it checks, and its next life checks what it paused.
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
		const counted = await reconcile(world, await shownOf(world, rounds, options), {
			nameOf: ({ metadata }) => String(metadata?.external_id),
			sendAgain: async (names) => {
				const flow = flowFor(world, 'checking', names);
				return output(await world.client.runToEnd(flow, 10 * MINUTE), 'Document Workflow');
			},
		});
		const kinds = new Map<string, number>();
		for (const { kind, isMet } of rounds) if (isMet) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
		return { ...counted, rounds: kinds, kills, seconds: (Date.now() - begin) / 1000 };
	});
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
			documents: 'none',
			inputs: {
				metadata: [{ name: 'external_id', value: '={{ $json.name }}' }],
				textInputs: [{ name: 'Case Number', value: '={{ $json.name }}' }],
			},
			waiting: { firstCheckSeconds: 1, longestIntervalMinutes: 0.02, pauseAfterSeconds: 6 },
		}),
	);
}

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

/** What n8n shows about each document. Where the n8n execution has not succeeded there is no output. */
async function shownOf(
	{ client }: World,
	rounds: Round[],
	{ log }: KillOptions,
): Promise<ShownDocument[]> {
	const lines = log().split('\n');
	const shown: ShownDocument[] = [];
	for (const { id, kind, documents } of rounds) {
		const execution = await client.execution(id);
		const items = execution.status === 'success' ? output(execution, 'Document Workflow') : [];
		const about = lines.filter((line) => line.includes(`n8n execution ${id}`));
		for (const [index, name] of documents.entries())
			shown.push({
				name,
				workflowId: KINDS[kind].workflowId,
				item: items[index]?.json,
				lines: about.filter((line) => line.includes(`External ID "${name}"`)),
			});
	}
	return shown;
}

/** Collects all that n8n logs; n8n's own log in the tests loses its oldest part. */
export function collector(): { onOutput: (text: string) => void; log: N8n['log'] } {
	const parts: string[] = [];
	return { onOutput: (text) => void parts.push(text), log: () => parts.join('') };
}
