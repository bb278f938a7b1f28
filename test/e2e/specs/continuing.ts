import { setTimeout as sleep } from 'node:timers/promises';
import { publishWaits, startWait, SERVICE } from '../../chaos/waits';
import { withService } from '../../chaos/service';
import { importContinuing } from '../continuing';
import { startCounter } from '../counter';
import { until, type World } from '../support';

const MINUTE = 60_000;
/** Minutes; a look takes one. */
const LOOKS_EVERY = 1;
const WAITING = { firstCheckSeconds: 1, pauseAfterSeconds: 6 };

/** The example "Continue after a crash" with an n8n that is killed. */
export function continuingSpec(world: () => World): void {
	it(
		'continue-after-a-crash retries once what had paused, and names once what had not',
		async () => {
			await withService(world(), { ...SERVICE, seed: 1 }, async (own) => {
				const { client, clock, n8n, simulator } = own;
				const { executions, faults, requests } = simulator.state;
				const counter = await startCounter();
				const example = await importContinuing(own, LOOKS_EVERY);
				const flows = await publishWaits(own, counter, WAITING);
				const send = async (name: string) => startWait(flows.at(-1), name);
				try {
					const waits = await Promise.all(['first', 'second', 'third'].map(send));
					const arePaused = async () => {
						const all = waits.map(async (wait) => client.execution(wait?.id ?? ''));
						return (await Promise.all(all)).every(({ status }) => status === 'waiting');
					};
					await until(arePaused, 2 * MINUTE, 1_000);
					// Their checks, and a create, are under way when n8n is killed.
					for (const route of ['get', 'create'] as const)
						faults.add({ route, action: { type: 'delay', milliseconds: MINUTE } });
					await clock.move(20 * MINUTE);
					await clock.look();
					await send('fourth');
					const open = () => requests.all().filter(({ finishedAt }) => finishedAt === null);
					await until(() => open().length === 4);
					await n8n.main.end('SIGKILL');
					faults.clear();
					for (const { executionId } of executions.all())
						await executions.finish(executionId, { status: 'completed' });
					await n8n.main.start();

					await until(() => counter.counts.size === 3, 5 * MINUTE);
					await until(() => example.texts().length > 0, 5 * MINUTE);
					// The next look finds nothing new.
					await sleep((LOOKS_EVERY + 1.2) * MINUTE);
					expect(Object.fromEntries(counter.counts)).toEqual({ first: 1, second: 1, third: 1 });
					expect(example.texts()).toHaveLength(1);
					const [text = ''] = example.texts();
					expect(text).toContain('Documents: fourth.txt');
					expect(text).not.toMatch(/first\.txt|second\.txt|third\.txt/);
					const looks = await client.executionIds(example.workflowId);
					const statuses = await Promise.all(
						looks.map(async (id) => (await client.execution(id)).status),
					);
					expect(statuses).not.toContain('error');
					const creates = requests.all().filter(({ route }) => route === 'create');
					expect(creates).toHaveLength(4);
				} finally {
					for (const id of [...flows.map((flow) => flow.id), example.workflowId])
						await client.deactivate(id);
					counter.stop();
					example.stop();
				}
			});
		},
		15 * MINUTE,
	);
}
