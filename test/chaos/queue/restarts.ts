/**
 * Waits fall due while n8n restarts in queue mode with one worker, and so do loops of n8n's own Wait and HTTP Request nodes. What n8n lists
 * as crashed or failed is retried. Each case is a part: how n8n ends and starts.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCounter } from '../../e2e/counter';
import { publish, type Published } from '../../e2e/published';
import { until, type QueueWorld } from '../../e2e/support';
import { looping, waiting } from '../overdue';
import { CASE, inTurns, withService } from '../service';
import { MINUTE, SECOND, type Part, type Section } from '../print';

const WAITS = 20;
const CALLS_AT_ONCE = 8;
/** Then each pause lasts five minutes. */
const AHEAD = 8 * 60 * MINUTE;
const LONGEST = 5;
const DOWN = 7 * MINUTE;
const WITHIN = 5 * MINUTE;
/** After its start a process holds back what another had paused. */
const HELD = 4 * MINUTE;

type Processes = Pick<QueueWorld['n8n'], 'main' | 'workers'>;
/** Ends n8n, lets the pauses fall due, and starts it again. */
type Restart = (n8n: Processes, fallDue: () => Promise<void>) => Promise<void>;

const endAll = async ({ main, workers: [worker] }: Processes) =>
	Promise.all([main.end('SIGTERM'), worker.end('SIGTERM')]);

/** A worker that comes up takes each n8n execution that its logs do not end for crashed. */
function emptyFolder({ workers: [{ userFolder }] }: Processes): void {
	const folder = join(userFolder, '.n8n');
	for (const file of readdirSync(folder).filter((name) => name.startsWith('n8nEventLog')))
		rmSync(join(folder, file));
}

const CASES: Record<string, Restart> = {
	'main-first': async (n8n, fallDue) => {
		await endAll(n8n);
		await fallDue();
		await n8n.main.start();
		await n8n.workers[0].start();
	},
	'worker-first': async (n8n, fallDue) => {
		await endAll(n8n);
		await fallDue();
		// It is ready before main is up.
		await n8n.workers[0].start();
		await n8n.main.start();
	},
	'worker-killed': async ({ workers: [worker] }, fallDue) => {
		await worker.end('SIGKILL');
		await fallDue();
		await sleep(MINUTE); // main takes what is due
		await worker.start();
	},
	'empty-folder': async (n8n, fallDue) => {
		await endAll(n8n);
		emptyFolder(n8n);
		await fallDue();
		await n8n.main.start();
		await n8n.workers[0].start();
	},
};

/** What came of the waits or loops of one restart. */
interface Count {
	byThemselves: number;
	byRetry: number;
	lost: number;
	twice: number;
}

export const RESTART_PARTS: Record<string, Part> = Object.fromEntries(
	Object.entries(CASES).map(([name, restart]) => [
		name,
		async (given, { seed, report, restarts }): Promise<Section> => {
			const workflow = { workflowId: 'paused', duration: { fixedSeconds: 100_000 }, steps: [CASE] };
			const rows: Section['rows'] = [];
			const all: Count[] = [];
			for (const other of given.n8n.workers.slice(1)) await other.end('SIGTERM');
			const counter = await startCounter();
			await withService(given, { seed, workflows: [workflow] }, async (world) => {
				const flows = [
					await publish(world, waiting(world, counter), 'onReceived'),
					await publish(world, looping(world, counter), 'onReceived'),
				];
				for (let round = 1; round <= restarts; round++) {
					const names = flows.map((_, flow) =>
						Array.from({ length: WAITS }, (__, index) => `${flow}-${round}-${index}`),
					);
					await pauseAll(world, flows, names);
					await restart(world.n8n, async () => fallDue(world));
					await settle(world, flows);
					const without = names.map((some) => some.map((each) => counter.counts.get(each) ?? 0));
					for (const flow of flows) await retryFailed(world, flow);
					await sleep(10 * SECOND);
					await until(async () => isOver(world, flows), WITHIN, SECOND).catch(() => undefined);
					const counts = names.map((some, flow) =>
						countOf(
							without[flow] ?? [],
							some.map((each) => counter.counts.get(each) ?? 0),
						),
					);
					all.push(...counts.slice(0, 1));
					counts.forEach((count, flow) =>
						rows.push([
							`${flow === 0 ? 'waits' : "n8n's loops"}, restart ${round}`,
							inWords(count),
						]),
					);
					const statuses = await statusesOf(world, flows);
					report(`${name}: restart ${round} is counted; n8n lists ${statuses}`);
				}
			}).finally(async () => counter.stop());
			const lost = all.reduce((sum, count) => sum + count.lost, 0);
			const twice = all.reduce((sum, count) => sum + count.twice, 0);
			const findings = [
				...(lost > 0 ? [`${lost} waits did not go on, also by Retry`] : []),
				...(twice > 0 ? [`${twice} waits went on twice`] : []),
			];
			return { title: `Restarts in queue mode: ${name}`, rows, findings };
		},
	]),
);

async function pauseAll(world: QueueWorld, flows: Published[], names: string[][]): Promise<void> {
	const calls = flows.flatMap((flow, index) =>
		(names[index] ?? []).map((name) => ({ flow, name })),
	);
	await inTurns(calls, CALLS_AT_ONCE, async ({ flow, name }) =>
		flow.call({ name, longest: LONGEST }),
	);
	const arePaused = async () => {
		for (const { id } of flows)
			if ((await world.client.countExecutions(id, 'waiting')) < WAITS) return false;
		return true;
	};
	await until(arePaused, WITHIN, SECOND);
	await world.clock.move(AHEAD);
	await world.clock.look();
	await sleep(15 * SECOND);
	await until(arePaused, WITHIN, SECOND);
}

async function fallDue({ clock, simulator }: QueueWorld): Promise<void> {
	const { executions } = simulator.state;
	for (const { executionId, status } of executions.all())
		if (status === 'running') await executions.finish(executionId, { status: 'completed' });
	await clock.move(DOWN);
}

/** Until nothing runs or waits. */
async function settle(world: QueueWorld, flows: Published[]): Promise<void> {
	const areOver = async () => isOver(world, flows);
	await until(areOver, HELD, 5 * SECOND).catch(() => undefined);
	await world.clock.move(DOWN);
	await world.clock.look();
	await until(areOver, WITHIN, 5 * SECOND).catch(() => undefined);
}

async function isOver({ client }: QueueWorld, flows: Published[]): Promise<boolean> {
	for (const { id } of flows)
		for (const status of ['waiting', 'running', 'new'])
			if ((await client.countExecutions(id, status)) > 0) return false;
	return true;
}

/** For example "20 success, 19 crashed; 40 success". */
async function statusesOf({ client }: QueueWorld, flows: Published[]): Promise<string> {
	const texts: string[] = [];
	for (const { id } of flows) {
		const counts: string[] = [];
		for (const status of ['success', 'crashed', 'error', 'waiting', 'running', 'new']) {
			const count = await client.countExecutions(id, status);
			if (count > 0) counts.push(`${count} ${status}`);
		}
		texts.push(counts.join(', '));
	}
	return texts.join('; ');
}

async function retryFailed({ client }: QueueWorld, { id }: Published): Promise<void> {
	for (const execution of await client.executionIds(id)) {
		const { status } = await client.execution(execution);
		if (!['crashed', 'error'].includes(status)) continue;
		// n8n answers when the retry has ended, and sometimes misses that a worker has ended it.
		await Promise.race([client.retryExecution(execution), sleep(MINUTE)]).catch(() => undefined);
	}
}

function countOf(before: number[], after: number[]): Count {
	return {
		byThemselves: before.filter((count) => count > 0).length,
		byRetry: after.filter((count, index) => count > 0 && before[index] === 0).length,
		lost: after.filter((count) => count === 0).length,
		twice: after.filter((count) => count > 1).length,
	};
}

function inWords({ byThemselves, byRetry, lost, twice }: Count): string {
	return `by themselves ${byThemselves}, by Retry ${byRetry}, lost ${lost}, twice ${twice}`;
}
