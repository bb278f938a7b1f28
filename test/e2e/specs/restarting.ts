import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../lines';
import { CASE, next, NEXT, SECOND } from '../longFlows';
import { chain, documentWorkflow, node } from '../flows';
import { publish } from '../published';
import { until, type World } from '../support';

const MINUTE = 60_000;
const ENDLESS = 'never-ending-cases';
const NUMBER = "$('Start').item.json.body.number";
const INPUTS = {
	textInputs: { pairs: [{ name: 'Case Number', value: `=CASE-{{ ${NUMBER} }}` }] },
};

/** By default, n8n pauses after 20 seconds. */
const waiting = (world: World, given: object = {}) =>
	chain(
		'Restarted',
		node('Edit', 'n8n-nodes-base.noOp', 1, {}),
		documentWorkflow(world, 'createAndWait', ENDLESS, { ...CASE, inputs: INPUTS, waiting: given }),
		next(NUMBER),
	);

/** n8n is restarted, killed, and runs are retried, at any moment of a wait. */
export function restartingSpec(world: () => World, { long }: Scope): void {
	const waits = long ? 100 : 20;

	it(
		`loses none of ${waits} waits at a planned restart, whatever they do at that moment`,
		async () => {
			const { client, n8n, simulator, clock } = world();
			const { executions, requests } = simulator.state;
			const before = executions.all().length;
			const flow = await publish(world(), waiting(world()), 'onReceived');
			for (let number = 0; number < waits; number++) {
				await flow.call({ number });
				await sleep(randomInt(0, 60 * SECOND) / waits);
			}
			await until(() => executions.all().length === before + waits, MINUTE);
			await sleep(randomInt(0, 3 * SECOND));
			await n8n.main.end('SIGTERM');
			expect(await client.countExecutions(flow.id, 'waiting').catch(() => waits)).toBe(waits);
			await n8n.main.start();
			await Promise.all(
				executions
					.all()
					.slice(before)
					.map(async ({ executionId }) => executions.finish(executionId, { status: 'completed' })),
			);
			const haveEnded = async () => {
				await clock.move(MINUTE);
				await clock.look();
				return (await client.countExecutions(flow.id, 'success')) === waits;
			};
			await until(haveEnded, 5 * MINUTE, 5 * SECOND);
			const ids = await client.executionIds(flow.id);
			const ended = await Promise.all(ids.map(async (id) => client.execution(id)));
			expect(ended.map(({ runs }) => runs[NEXT]?.length)).toEqual(ids.map(() => 1));
			expect(requests.all().filter(({ route }) => route === 'create')).toHaveLength(waits);
		},
		12 * MINUTE,
	);
}
