import { publishWaits, SERVICE, startWait } from '../../chaos/waits';
import { withService } from '../../chaos/service';
import { startCounter } from '../counter';
import { importContinuing } from '../imported';
import { until, type World } from '../support';

const MINUTE = 60_000;

/** The example "Continue after a crash" with an n8n that is killed. */
export function continuingSpec(world: () => World): void {
	it(
		'continue-after-a-crash retries what had paused, and names what had not',
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
					// Their checks, and a create, are under way when n8n is killed.
					for (const route of ['get', 'create'] as const)
						faults.add({ route, action: { type: 'delay', milliseconds: MINUTE } });
					await clock.move(20 * MINUTE);
					await clock.look();
					await send('fourth');
					const open = () => requests.all().filter(({ finishedAt }) => finishedAt === null);
					await until(() => open().length === 4, MINUTE);
					await n8n.main.end('SIGKILL');
					faults.clear();
					for (const { executionId } of executions.all())
						await executions.finish(executionId, { status: 'completed' });
					await n8n.main.start();

					const mails = () => counter.counted().messages;
					await until(() => counter.counts.size === 3 && mails().length > 0, 5 * MINUTE, 500);
					expect(Object.fromEntries(counter.counts)).toEqual({ first: 1, second: 1, third: 1 });
					expect(mails().map(({ text }) => text.match(/\w+\.txt/g))).toEqual([['fourth.txt']]);
					expect(requests.all().filter(({ route }) => route === 'create')).toHaveLength(4);
				} finally {
					for (const id of ids) await client.deactivate(id);
					await counter.stop();
				}
			});
		},
		10 * MINUTE,
	);
}
