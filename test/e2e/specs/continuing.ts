import { setTimeout as sleep } from 'node:timers/promises';
import { inTurns, withService } from '../../chaos/service';
import { publishWaits, SERVICE, startWait } from '../../chaos/waits';
import { startCounter } from '../counter';
import { importContinuing } from '../published';
import type { Scope } from '../lines';
import { until, type World } from '../support';

const MINUTE = 60_000;
const SENT_AT_ONCE = 8;

/** The example "Retry after a crash of n8n" with an n8n that is killed. */
export function continuingSpec(world: () => World, { long }: Scope): void {
	const [PAUSED, CHECKING] = long ? [98, 60] : [12, 6];
	it('continue-after-a-crash retries what had paused, names what had not, and leaves alone what was retried by hand', async () => {
		await withService(world(), { ...SERVICE, seed: 1 }, async (own) => {
			const { client, clock, n8n, simulator } = own;
			const { executions, faults, requests } = simulator.state;
			const counter = await startCounter();
			const ids = [await importContinuing(own, counter, 1)];
			try {
				const waiting = { firstCheckSeconds: 1, pauseAfterSeconds: 5 };
				const flows = await publishWaits(own, counter, waiting);
				ids.push(...flows.map(({ id }) => id));
				const open = () => requests.all().filter(({ finishedAt }) => finishedAt === null);
				const flow = flows.at(-1);
				const send = async (name: string) => startWait(flow, name);
				const names = Array.from({ length: PAUSED }, (_, number) => `paused${number}`);
				await inTurns(names, SENT_AT_ONCE, send);
				const paused = async () => client.countExecutions(flow?.id ?? '', 'waiting');
				await until(async () => (await paused()) === PAUSED, 3 * MINUTE, 500);
				// When n8n is killed, some check, some have paused again, one creates, and one checks for the first time.
				const slow = { action: { type: 'delay', milliseconds: MINUTE } } as const;
				faults.add({ route: 'get', times: CHECKING, ...slow });
				await clock.move(20 * MINUTE);
				await clock.look();
				await until(
					async () => open().length === CHECKING && (await paused()) === PAUSED - CHECKING,
					3 * MINUTE,
					500,
				);
				for (const route of ['get', 'create'] as const) faults.add({ route, times: 1, ...slow });
				await send('creating');
				const checking = (await send('checking'))?.id ?? '';
				await until(() => open().length === CHECKING + 2);
				await sleep(2_000); // until n8n has written its log of events
				await n8n.main.end('SIGKILL');
				faults.clear();
				await n8n.main.start();

				// Somebody retries the last by hand before the example looks.
				const hasCrashed = async () => (await client.execution(checking)).status === 'crashed';
				await until(hasCrashed, 3 * MINUTE, 500);
				const sent = () => requests.all().filter(({ route }) => route === 'create').length;
				const before = sent();
				const second = await client.retryExecution(checking);
				expect((await client.execution(second)).error?.message).toBe(
					'Nothing was sent, because the documents may have been sent before n8n crashed',
				);
				expect(sent()).toBe(before);
				void client.retryExecution(second).catch(() => undefined);

				const mails = () => counter.counted().messages;
				const areOver = async () => {
					for (const { executionId } of executions.all())
						await executions.finish(executionId, { status: 'completed' });
					// What was retried soon after a start pauses once more.
					if (mails().length > 0) {
						await clock.move(3 * MINUTE);
						await clock.look();
					}
					return counter.counts.size === PAUSED + 1 && mails().length > 0;
				};
				await until(areOver, 5 * MINUTE, 2_000);
				const once = [...names, 'checking'].map((name) => [name, 1]);
				expect([...counter.counts]).toEqual(expect.arrayContaining(once));
				// The mail also names failed retries of other tests of this n8n.
				const ofThis = new Set([...names, 'creating', 'checking'].map((name) => `${name}.txt`));
				const named = mails().flatMap(({ text }) => text.match(/\w+\.txt/g) ?? []);
				expect(new Set(named.filter((name) => ofThis.has(name)))).toEqual(
					new Set(['creating.txt']),
				);
				expect(sent()).toBe(before + 1);
			} finally {
				for (const id of ids) await client.deactivate(id);
				await counter.stop();
			}
		});
	});
}
