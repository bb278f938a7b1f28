import { setTimeout as sleep } from 'node:timers/promises';
import { importContinuing, type Continuing } from '../continuing';
import { startCounter, type Counter } from '../counter';
import { chain, documentWorkflow, node } from '../flows';
import { publish, type Published } from '../published';
import { until, withOwnService, type World } from '../support';

const MINUTE = 60_000;
const SERVICE = 'never-ending-cases';
/** From one look to the next; each takes a minute. */
const LOOKS_EVERY = 30;

interface Killed {
	own: World;
	flow: Published;
	counter: Counter;
	template: Continuing;
}

/** The example "Continue after a crash" with an n8n that is killed. */
export function continuingSpec(world: () => World): void {
	it(
		'continue-after-a-crash retries once what had paused, and names once what had not',
		async () => {
			await withOwnService(world(), async (own) => {
				const counter = await startCounter();
				const template = await importContinuing(own, LOOKS_EVERY);
				const flow = await publish(own, waiting(own, counter.url), 'onReceived');
				try {
					await killedAndContinued({ own, flow, counter, template });
				} finally {
					for (const id of [flow.id, template.workflowId]) await own.client.deactivate(id);
					counter.stop();
					template.stop();
				}
			});
		},
		15 * MINUTE,
	);
}

async function killedAndContinued({ own, flow, counter, template }: Killed): Promise<void> {
	const { client, clock, n8n, simulator } = own;
	const { executions, faults, requests } = simulator.state;
	const count = async (status: string) => client.countExecutions(flow.id, status);
	const send = async (name: string) => {
		const form = new FormData();
		form.append('name', name);
		form.append('data', new Blob([`About ${name}`]), `${name}.txt`);
		await flow.call(form);
	};
	for (const name of ['first', 'second', 'third']) await send(name);
	await until(async () => (await count('waiting')) === 3, 2 * MINUTE);
	// Their checks, and a create, are under way when n8n is killed.
	for (const route of ['get', 'create'] as const)
		faults.add({ route, action: { type: 'delay', milliseconds: MINUTE } });
	await clock.move(20 * MINUTE);
	await clock.look();
	await send('fourth');
	const underWay = () => requests.all().filter(({ finishedAt }) => finishedAt === null).length;
	await until(() => underWay() === 4);
	await n8n.main.end('SIGKILL');
	faults.clear();
	for (const { executionId } of executions.all())
		await executions.finish(executionId, { status: 'completed' });
	await n8n.main.start();

	await until(() => counter.counts.size === 3, 5 * MINUTE);
	await until(() => template.texts().length > 0, 5 * MINUTE);
	// The next looks find nothing new.
	await sleep(2 * MINUTE);
	expect(Object.fromEntries(counter.counts)).toEqual({ first: 1, second: 1, third: 1 });
	expect(template.texts()).toHaveLength(1);
	const [text = ''] = template.texts();
	expect(text).toContain('Documents: fourth.txt');
	expect(text).not.toMatch(/first|second|third/);
	const creates = requests.all().filter(({ route }) => route === 'create');
	expect(creates).toHaveLength(4);
	const looks = await Promise.all(
		(await client.executionIds(template.workflowId)).map(async (id) => client.execution(id)),
	);
	expect(looks.filter(({ status }) => status === 'error')).toEqual([]);
}

/** Waits for a case. The node behind says that it has continued. */
function waiting(own: World, url: string) {
	const wait = documentWorkflow(own, 'createAndWait', SERVICE, {
		inputs: {
			textInputs: { pairs: [{ name: 'Case Number', value: '={{ $json.body.name }}' }] },
		},
		waiting: { firstCheckSeconds: 1, pauseAfterMinutes: 0.1 },
	});
	const next = node('Next', 'n8n-nodes-base.httpRequest', 4.2, {
		url: `=${url}/{{ $json.data.case[0].case_number }}`,
		options: {},
	});
	return chain('Killed', wait, next);
}
