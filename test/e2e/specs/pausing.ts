import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import type { Fault } from '../../../simulator/state/faults';
import { chain, documentWorkflow, node, numbers, split } from '../flows';
import { CASE, casesOf, named, next, NEXT, NODE, SECOND } from '../longFlows';
import { until, withOwnService, type World } from '../support';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ENDLESS = 'never-ending-cases';
/** The service holds the executions of this workflow for a person. */
const HELD: Fault & { workflowId: string } = {
	...{ route: 'get', workflowId: 'held-cases' },
	action: { type: 'status', status: 200, body: { status: 'on_hold' } },
};
/** After an hour of waiting a pause lasts nine minutes. */
const WAIT = { firstCheckSeconds: 1, pauseAfterSeconds: 1800 };
const PAUSE = { ...CASE, waiting: WAIT };

interface Paused {
	own: World;
	/** Of the n8n execution. */
	id: string;
	/** Of the executions in the service, in order of creation. */
	ids: string[];
}

/** A flow that pauses, and what happens to it. Between the steps n8n's clock is moved to the next check. */
interface Cell {
	title: string;
	/** Executions that it starts in the service. */
	count: number;
	flow: (own: World) => WorkflowJson;
	steps: Array<(paused: Paused) => Promise<void>>;
}

/** Ends executions of the service, in random order: identifiers are random. */
async function finish({ simulator }: World, ids: string[]): Promise<void> {
	const { executions } = simulator.state;
	await Promise.all(
		[...ids].sort().map(async (id) => executions.finish(id, { status: 'completed' })),
	);
}

const finishAll = async ({ own, ids }: Paused) => finish(own, ids);
/** Checks of an execution. */
const checksOf = ({ simulator }: World, id: string | undefined) =>
	simulator.state.requests
		.all()
		.filter(({ route, executionId }) => route === 'get' && executionId === id);

/** The n8n execution has ended, and the node behind has run once with the data. */
const endsWith =
	(...given: number[]) =>
	async ({ own, id }: Paused): Promise<Execution> => {
		const execution = await own.client.waitForExecution(id);
		expect(execution.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
		expect(output(execution, NEXT).map(({ json }) => json)).toEqual(casesOf(...given));
		expect(execution.runs[NEXT]).toHaveLength(1);
		return execution;
	};

const pausing = (own: World, more: object = {}) =>
	documentWorkflow(own, 'createAndWait', ENDLESS, { ...PAUSE, ...more });

const CELLS: Cell[] = [
	{
		title: 'one execution is checked at the time of the check, and not before',
		count: 1,
		flow: (own) => {
			const metadata = [{ name: 'external_id', value: 'CASE-1' }];
			const inputs = { ...CASE.inputs, metadata };
			return chain('One', numbers(1), split(), pausing(own, { inputs }), next());
		},
		steps: [
			async ({ own, ids }) => {
				const [executionId = ''] = ids;
				expect(own.simulator.state.executions.find(executionId)?.metadata).toEqual({
					external_id: 'CASE-1',
				});
				own.simulator.state.requests.clear();
				await finish(own, ids);
				await sleep(1_500);
				expect(checksOf(own, executionId)).toEqual([]);
			},
			async (paused) => {
				const execution = await endsWith(0)(paused);
				expect(output(execution, NODE)).toMatchObject([
					{
						json: { executionId: paused.ids[0], metadata: { external_id: 'CASE-1' } },
						pairedItem: { item: 0 },
					},
				]);
				// The check that shows its end is also the one for its result.
				expect(checksOf(paused.own, paused.ids[0])).toHaveLength(1);
				const all = paused.own.simulator.state.requests.all();
				expect(all.filter(({ route }) => route === 'create')).toEqual([]);
			},
		],
	},
	{
		title: 'three executions are returned together once the last has ended',
		count: 3,
		flow: (own) => chain('Last', numbers(3), split(), pausing(own), next()),
		steps: [
			async ({ own, ids }) => finish(own, ids.slice(1)),
			async ({ own, id, ids }) => {
				const isPausedAgain = async () => {
					const { status, waitTill } = await own.client.execution(id);
					return status === 'waiting' && Date.parse(waitTill ?? '') > own.clock.now() + MINUTE;
				};
				await until(isPausedAgain, 3 * MINUTE, SECOND);
				await finish(own, ids);
			},
			async (paused) => void (await endsWith(0, 1, 2)(paused)),
		],
	},
	{
		title:
			'a held execution goes on as chosen, and Wait for Completion gets its result when a person has acted',
		count: 1,
		flow: (own) => {
			own.simulator.state.faults.add(HELD);
			const waiting = { ...WAIT, ifHeld: 'continue' };
			const given = documentWorkflow(own, 'createAndWait', HELD.workflowId, { ...CASE, waiting });
			const parameters = { executionId: '={{ $json.executionId }}', waiting: WAIT };
			const wait = documentWorkflow(own, 'wait', '={{ $json.workflowId }}', parameters);
			return chain('Held', numbers(1), split(), named('Create', given), wait, next());
		},
		steps: [
			async ({ own, id, ids }) => {
				const execution = await own.client.execution(id);
				expect(execution.status).toBe('waiting');
				expect(output(execution, 'Create')).toMatchObject([
					{ json: { held: true, needsReview: true, status: 'on_hold', executionId: ids[0] } },
				]);
			},
			async (paused) => {
				const { faults } = paused.own.simulator.state;
				for (const { faultId, workflowId } of faults.all())
					if (workflowId === HELD.workflowId) faults.clear(faultId);
				await finishAll(paused);
			},
			async (paused) => void (await endsWith(0)(paused)),
		],
	},
	{
		title: "a call of n8n's resume address continues nothing",
		count: 1,
		flow: (own) => {
			const address = node('Address', 'n8n-nodes-base.set', 3.4, {
				assignments: {
					assignments: [
						{ id: 'a', name: 'url', value: '={{ $execution.resumeUrl }}', type: 'string' },
						{ id: 'b', name: 'numbers', value: '={{ $json.numbers }}', type: 'number' },
					],
				},
				options: {},
			});
			return chain('Called', numbers(1), split(), address, pausing(own), next());
		},
		steps: [
			async (paused) => {
				const { client } = paused.own;
				await finishAll(paused);
				const before = await client.execution(paused.id);
				const url = String(output(before, 'Address')[0]?.json.url);
				for (const method of ['GET', 'POST'])
					expect((await fetch(url, { method })).status).toBeGreaterThanOrEqual(400);
				const { status, waitTill } = await client.execution(paused.id);
				expect({ status, waitTill }).toEqual({ status: 'waiting', waitTill: before.waitTill });
			},
			async (paused) => void (await endsWith(0)(paused)),
		],
	},
];

/** n8n executions that pause for minutes, all at the same time. */
export function pausingSpec(world: () => World): void {
	const failures = new Map<string, unknown>();

	beforeAll(async () => {
		await withOwnService(world(), async (own) => {
			const { client, clock, simulator } = own;
			const paused = new Map<Cell, Paused>();
			for (const cell of CELLS) paused.set(cell, await start(own, cell));
			const { executions } = simulator.state;
			const areChecked = () =>
				executions
					.all()
					.every(
						({ executionId, workflowId }) =>
							workflowId === HELD.workflowId || checksOf(own, executionId).length > 0,
					);
			await until(areChecked);
			await clock.move(HOUR);
			for (const { id } of paused.values())
				await until(
					async () => (await client.execution(id)).status === 'waiting',
					3 * MINUTE,
					SECOND,
				);
			for (let step = 0; CELLS.some(({ steps }) => step < steps.length); step++) {
				if (step > 0) {
					await clock.move(10 * MINUTE);
					await clock.look();
				}
				await Promise.all(
					[...paused].map(async ([{ title, steps }, given]) => {
						// The tests fail with it.
						if (!failures.has(title))
							await steps[step]?.(given).catch((error: unknown) => failures.set(title, error));
					}),
				);
			}
		});
	}, 10 * MINUTE);

	it.each(CELLS.map(({ title }) => [title]))('%s', (title) => {
		if (failures.has(title)) throw failures.get(title);
	});
}

async function start(own: World, { count, flow }: Cell): Promise<Paused> {
	const { executions } = own.simulator.state;
	const before = executions.all().length;
	const id = await own.client.run(await own.client.createWorkflow(flow(own)));
	await until(() => executions.all().length === before + count);
	const ids = executions
		.all()
		.slice(before)
		.map(({ executionId }) => executionId);
	return { own, id, ids };
}
