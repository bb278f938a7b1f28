import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { output } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import type { Scope } from '../lines';
import { CASE, next, NEXT, NODE, rewired, SECOND } from '../longFlows';
import { chain, documentWorkflow, node, readFiles } from '../flows';
import { publish } from '../published';
import { until, type World } from '../support';

const MINUTE = 60_000;
const ENDLESS = 'never-ending-cases';
const NUMBER = "$('Start').item.json.body.number";
const INPUTS = {
	textInputs: [{ name: 'Case Number', value: `=CASE-{{ ${NUMBER} }}` }],
};

/** By default, n8n pauses after 20 seconds. */
const waiting = (world: World) =>
	chain(
		'Restarted',
		documentWorkflow(world, 'createAndWait', ENDLESS, { ...CASE, inputs: INPUTS }),
		next(NUMBER),
	);

/** Two documents in each turn of a loop. */
async function inALoop(world: World): Promise<WorkflowJson> {
	for (const number of [1, 2, 3, 4])
		await writeFile(join(world.folder, `retried-${number}.txt`), `Case Number: CASE-${number}`);
	const waits = { waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 10 } };
	const nodes = [
		readFiles(join(world.folder, 'retried-*.txt')),
		documentWorkflow(world, 'createAndWait', ENDLESS, waits),
		node(NEXT, 'n8n-nodes-base.noOp', 1, {}),
	];
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 2, options: {} });
	const links = { Read: [['Loop']], Loop: [[NEXT], [NODE]], [NODE]: [['Loop']] };
	return rewired(chain('Retried', ...nodes), [loop], links);
}

/** n8n is restarted or killed, and a run is retried. */
export function restartingSpec(world: () => World, { long }: Scope): void {
	const waits = long ? 100 : 10;

	const startedSince = (count: number) =>
		world()
			.simulator.state.executions.all()
			.slice(count)
			.map(({ executionId }) => executionId);

	/**
	 * Lets all executions since then end, and n8n check until its executions have succeeded. That none is open says nothing: after a start
	 * n8n marks each pause as crashed for a moment.
	 */
	const finishAll = async (since: number, haveSucceeded: () => Promise<boolean>) => {
		const { clock, simulator } = world();
		const haveEnded = async () => {
			for (const id of startedSince(since))
				await simulator.state.executions.finish(id, { status: 'completed' });
			await clock.move(MINUTE);
			await clock.look();
			return haveSucceeded();
		};
		await until(haveEnded, 5 * MINUTE, 3 * SECOND);
	};

	it(
		`loses none of ${waits} waits at a planned restart, whatever they do at that moment`,
		async () => {
			const { client, n8n, simulator } = world();
			const before = simulator.state.executions.all().length;
			const flow = await publish(world(), waiting(world()), 'onReceived');
			for (let number = 0; number < waits; number++) {
				await flow.call({ number });
				await sleep(randomInt(0, (40 * SECOND) / waits));
			}
			await until(() => startedSince(before).length === waits);
			await sleep(randomInt(0, 3 * SECOND));
			await n8n.main.end('SIGTERM');
			await n8n.main.start();
			const count = async () => client.countExecutions(flow.id, 'success');
			await finishAll(before, async () => (await count()) === waits);
			const ids = await client.executionIds(flow.id);
			const ended = await Promise.all(ids.map(async (id) => client.execution(id)));
			expect(ended.map(({ status, runs }) => [status, runs[NEXT]?.length])).toEqual(
				Array.from({ length: waits }, () => ['success', 1]),
			);
			expect(startedSince(before)).toHaveLength(waits);
		},
		12 * MINUTE,
	);

	if (!long) return;
	it('carries a wait in a loop on by Retry, twice in a row, when n8n was killed during a check after a pause', async () => {
		const { client, n8n, simulator, clock } = world();
		const { executions, faults, requests } = simulator.state;
		const before = executions.all().length;
		const flow = await publish(world(), await inALoop(world()), 'onReceived');
		await flow.call();
		const [first = ''] = await flow.executionIds(1);
		const startedIn = async (turn: number) => {
			await until(() => startedSince(before).length === 2 * turn, 3 * MINUTE, 200);
			return startedSince(before).slice(-2);
		};
		const [failed = '', good = ''] = await startedIn(1);
		await executions.finish(failed, { status: 'failed' });
		await executions.finish(good, { status: 'completed' });
		const [failedToo = ''] = await startedIn(2);
		await executions.finish(failedToo, { status: 'failed' });
		const killInACheck = async (id: string) => {
			const isPaused = async () => (await client.execution(id)).status === 'waiting';
			await until(isPaused, 3 * MINUTE, SECOND);
			requests.clear();
			const slow = { type: 'delay', milliseconds: 10_000 } as const;
			faults.add({ route: 'get', times: 1, action: slow });
			await clock.move(3 * MINUTE); // the longest pause after a start
			await clock.look();
			await until(() => requests.all().some(({ route }) => route === 'get'));
			await n8n.main.end('SIGKILL');
			faults.clear();
			await n8n.main.start();
			await until(
				async () => (await client.execution(id)).status === 'crashed',
				3 * MINUTE,
				SECOND,
			);
		};
		await killInACheck(first);
		void client.retryExecution(first).catch(() => undefined);
		const [, second = ''] = await client.executionIds(flow.id, 2);
		await killInACheck(second);
		void client.retryExecution(second).catch(() => undefined);
		const [, , third = ''] = await client.executionIds(flow.id, 3);
		await finishAll(before, async () => (await client.execution(third)).status === 'success');
		const ended = await client.execution(third);
		// The two documents of a turn are sent at the same time, so either may have the execution that failed.
		const statuses = output(ended, NEXT).map(({ json }) => json.status);
		for (const turn of [statuses.slice(0, 2), statuses.slice(2)])
			expect(turn.sort()).toEqual(['completed', 'failed']);
		expect(ended.runs[NEXT]).toHaveLength(1);
		expect(startedSince(before)).toHaveLength(4);
	});
}
