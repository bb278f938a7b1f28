/**
 * Stops a real n8n hard while many waits pause, and starts it late, so that all of them, half or one are overdue at its start. A loop of
 * n8n's own HTTP Request and Wait nodes stands beside them, and all of its pauses are overdue. A node behind each reports to a counter
 * outside n8n. Nothing carries on what n8n breaks off.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { executionPath } from '../../service/executions';
import { startCounter, type Counter } from '../e2e/counter';
import { chain, documentWorkflow, httpRequest, node } from '../e2e/flows';
import { rewired } from '../e2e/longFlows';
import { publish } from '../e2e/published';
import { until, type World } from '../e2e/support';
import { inTurns, CASE, withService } from './service';
import { between, numbersFor } from './plan';
import type { Section } from './print';

/** How many of the waits are overdue. */
export const SHARES: Record<string, (waits: number) => number> = {
	all: (waits) => waits,
	half: (waits) => waits / 2,
	one: () => 1,
};

export interface OverdueOptions {
	seed: number;
	waits: number;
	loops: number;
	due: number;
	/** Of the start, in milliseconds. */
	delay: number;
	/** In a row: all but the first within half a minute of a start. */
	kills: number;
	report: (sentence: string) => void;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const WORKFLOW = 'paused';
const CALLS_AT_ONCE = 8;
/** From then on a pause lasts 3 % of it, or the longest interval of the wait. */
const AHEAD = 8 * 60 * MINUTE;
const LONGEST = { due: 5, later: 15 };
/** Between the two. */
const DOWN = 7 * MINUTE;
const WITHIN = 15 * MINUTE;
/** Without a delay, n8n needs about so long. */
const START = 10 * SECOND;

export async function runOverdue(given: World, options: OverdueOptions): Promise<Section> {
	const { seed, waits, loops, due, delay, kills, report } = options;
	const random = numbersFor(seed, 'overdue');
	const workflow = { workflowId: WORKFLOW, duration: { fixedSeconds: 100_000 }, steps: [CASE] };
	const counter = await startCounter();
	try {
		return await withService(given, { seed, workflows: [workflow] }, async (world) => {
			const { client, clock, n8n, simulator } = world;
			const { executions } = simulator.state;
			const wait = await publish(world, waiting(world, counter), 'onReceived');
			const loop = await publish(world, looping(world, counter), 'onReceived');
			const calls = [
				...Array.from({ length: waits }, (_, index) => ({ flow: wait, name: `w${seed}-${index}` })),
				...Array.from({ length: loops }, (_, index) => ({ flow: loop, name: `l${seed}-${index}` })),
			];
			await inTurns([...calls.entries()], CALLS_AT_ONCE, async ([index, { flow, name }]) => {
				await flow.call({ name, longest: index < due ? LONGEST.due : LONGEST.later });
			});
			const arePaused = async () =>
				(await client.countExecutions(wait.id, 'waiting')) === waits &&
				(await client.countExecutions(loop.id, 'waiting')) === loops;
			await until(arePaused, WITHIN, SECOND);
			await clock.move(AHEAD);
			await clock.look();
			await sleep(10 * SECOND);
			await until(arePaused, WITHIN, SECOND);
			report(`${waits} waits and ${loops} loops have paused`);
			await n8n.main.end('SIGKILL');
			for (const { executionId } of executions.all())
				await executions.finish(executionId, { status: 'completed' });
			for (let left = kills - 1; left > 0; left--) {
				await clock.move(DOWN);
				const starting = n8n.main.start().catch(() => undefined);
				await sleep(between(random, SECOND, 30 * SECOND));
				await n8n.main.end('SIGKILL');
				await starting;
			}
			await clock.move(DOWN);
			const begin = Date.now();
			await n8n.main.start(Math.max(delay - START, 0));
			const start = Date.now() - begin;
			report(`n8n has started within ${(start / SECOND).toFixed(0)} s`);
			const open = async (id: string) =>
				(await client.countExecutions(id, 'waiting')) +
				(await client.countExecutions(id, 'running'));
			const areOver = async () => (await open(wait.id)) + (await open(loop.id)) === 0;
			// Those that were not overdue, and those of which n8n marked the run as crashed for some seconds.
			await until(areOver, 4 * MINUTE, 5 * SECOND).catch(() => undefined);
			await clock.move(DOWN + DOWN);
			await clock.look();
			await sleep(10 * SECOND);
			await until(areOver, WITHIN, 5 * SECOND).catch(() => report('Some are open'));
			await sleep(5 * SECOND);
			const countsOf = (letter: string) =>
				calls
					.filter(({ name }) => name.startsWith(letter))
					.map(({ name }) => counter.counts.get(name) ?? 0);
			const rowOf = async (id: string, counts: number[]) => [
				`${await client.countExecutions(id, 'success')} of ${counts.length}`,
				`${await client.countExecutions(id, 'crashed')} crashed`,
				`next node once ${counts.filter((count) => count === 1).length}, more ${counts.filter((count) => count > 1).length}`,
			];
			const ofWaits = countsOf('w');
			const [lost, doubled] = [
				ofWaits.filter((count) => count === 0).length,
				ofWaits.filter((count) => count > 1).length + executions.all().length - calls.length,
			];
			return {
				title: `${due} of ${waits} waits overdue, a start of ${(start / SECOND).toFixed(0)} s, kills: ${kills}`,
				rows: [
					['waits that went on by themselves', (await rowOf(wait.id, ofWaits)).join(', ')],
					["n8n's own loops", (await rowOf(loop.id, countsOf('l'))).join(', ')],
				],
				findings: [
					...(lost > 0 ? [`${lost} waits did not go on by themselves`] : []),
					...(doubled > 0 ? [`${doubled} went on twice`] : []),
				],
			};
		});
	} finally {
		await counter.stop();
	}
}

const NAME = "{{ $('Start').item.json.body.name }}";

/** What says that a flow went on. */
const next = ({ url }: Counter) =>
	node('Next', 'n8n-nodes-base.httpRequest', 4.2, { url: `=${url}/${NAME}`, options: {} });

const INPUTS = {
	documents: 'none',
	inputs: { textInputs: [{ name: 'Case Number', value: `=${NAME}` }] },
};

export function waiting(world: World, counter: Counter) {
	const wait = documentWorkflow(world, 'createAndWait', WORKFLOW, {
		...INPUTS,
		waiting: {
			firstCheckSeconds: 1,
			pauseAfterSeconds: 6,
			longestIntervalMinutes: '={{ $json.body.longest }}',
		},
	});
	return chain('Waits', wait, next(counter));
}

/** What a user would build: a check, and a wait of some minutes up to the next one. */
export function looping(world: World, counter: Counter) {
	const executions = executionPath(WORKFLOW, '').slice(0, -1);
	const id = "{{ $('Document Workflow').item.json.executionId }}";
	const check = httpRequest(world, `=${world.simulator.productionUrl}${executions}/${id}`);
	const isCompleted = {
		...{ id: 'completed', leftValue: '={{ $json.status }}', rightValue: 'completed' },
		operator: { type: 'string', operation: 'equals' },
	};
	const branch = node('If', 'n8n-nodes-base.if', 2.2, {
		conditions: { options: { version: 2 }, combinator: 'and', conditions: [isCompleted] },
		options: {},
	});
	const pause = node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: LONGEST.due, unit: 'minutes' });
	const create = documentWorkflow(world, 'create', WORKFLOW, INPUTS);
	const flow = chain('Loops', create, check, branch, next(counter));
	return rewired(flow, [pause], { If: [['Next'], ['Wait']], Wait: [[check.name]] });
}
