import { setTimeout as sleep } from 'node:timers/promises';
import { publishWaits, SERVICE, startWait } from '../../chaos/waits';
import { withService } from '../../chaos/service';
import { startCounter } from '../counter';
import { importContinuing } from '../imported';
import { until, type World } from '../support';

const MINUTE = 60_000;

/** The example "Continue after a crash" with an n8n that is killed. */
export function continuingSpec(world: () => World): void {
	it(
		'continue-after-a-crash retries what had paused, names what had not, and leaves alone what was retried by hand',
		async () => {
			await withService(world(), { ...SERVICE, seed: 1 }, async (own) => {
				const { client, clock, n8n, simulator } = own;
				const { executions, faults, requests } = simulator.state;
				const counter = await startCounter();
				const ids = [await importContinuing(own, counter, 1)];
				try {
					const waiting = { firstCheckSeconds: 1, pauseAfterSeconds: 5 };
					const flows = await publishWaits(own, counter, waiting);
					ids.push(...flows.map(({ id }) => id));
					const send = async (name: string) => startWait(flows.at(-1), name);
					const waits = await Promise.all(['first', 'second', 'third'].map(send));
					const arePaused = async () => {
						const all = waits.map(async (wait) => client.execution(wait?.id ?? ''));
						return (await Promise.all(all)).every(({ status }) => status === 'waiting');
					};
					await until(arePaused, 2 * MINUTE, 500);
					// Their checks, a create and a first check are under way when n8n is killed.
					const slow = { action: { type: 'delay', milliseconds: MINUTE } } as const;
					faults.add({ route: 'get', ...slow });
					faults.add({ route: 'create', times: 1, ...slow });
					await clock.move(20 * MINUTE);
					await clock.look();
					await send('fourth');
					const fifth = (await send('fifth'))?.id ?? '';
					const open = () => requests.all().filter(({ finishedAt }) => finishedAt === null);
					await until(() => open().length === 5, MINUTE);
					await sleep(2_000); // until n8n has written its log of events
					await n8n.main.end('SIGKILL');
					faults.clear();
					await n8n.main.start();

					// Somebody retries the fifth by hand before the example looks.
					const hasCrashed = async () => (await client.execution(fifth)).status === 'crashed';
					await until(hasCrashed, MINUTE, 500);
					const sent = () => requests.all().filter(({ route }) => route === 'create').length;
					const before = sent();
					const second = await client.retryExecution(fifth);
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
						return counter.counts.size === 4 && mails().length > 0;
					};
					await until(areOver, 5 * MINUTE, 2_000);
					const once = { first: 1, second: 1, third: 1, fifth: 1 };
					expect(Object.fromEntries(counter.counts)).toEqual(once);
					expect(mails().map(({ text }) => text.match(/\w+\.txt/g))).toEqual([['fourth.txt']]);
					expect(sent()).toBe(before + 1);
				} finally {
					for (const id of ids) await client.deactivate(id);
					await counter.stop();
				}
			});
		},
		10 * MINUTE,
	);
}
