import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, EARLY, numbers, split, TEXT_ONLY } from '../flows';
import { withTrigger } from '../notifying';
import type { Scope } from '../lines';
import { until, withOwnService, type World } from '../support';

const NODE = 'Document Workflow';
const NEXT = 'Next';
const MINUTE = 60_000;
const NOTIFIED = 'never-ending-cases';
/** 72 s, less than the panel allows. n8n queries pauses that end soon once a minute, so a shorter limit would not be exact. */
const PAUSE = { ...TEXT_ONLY, howToWait: 'pause', options: { timeLimitHours: 0.02 } };

/**
 * The time limit of a pause. Runs beside the other tests, with its own service. The node behind the pause takes twelve
 * seconds, so that it still runs when the limit passes after a notification.
 */
export function timeLimitSpec(world: () => World, { long, atStart }: Scope): void {
	/**
	 * When an execution ends, in milliseconds after the time limit. From 75 s before the limit notifications are rejected, because n8n
	 * has already set its timer. The first moment is within these 75 s, the last is after the limit.
	 */
	const moments = long ? [-10_000, -5_000, -1_000, -300, 0, 300, 700] : [-5_000, 300];
	let outcome: Promise<Outcome>;
	atStart(() => {
		outcome = withOwnService(world(), async (own) => passTheLimit(own, moments));
		outcome.catch(() => undefined); // the tests fail with it
	});

	it(
		'outputs the items with status running at the time limit, and a Get behind returns the real status',
		async () => {
			const { ids, execution } = (await outcome).unnotified;
			expect(execution.error?.message).toBeUndefined();
			const items = output(execution, NODE).map(({ json }) => json);
			expect(items).toMatchObject(
				[0, 1].map((numbers) => ({ numbers, status: 'running', executionId: expect.any(String) })),
			);
			const given = items.map(({ executionId }) => executionId);
			expect([...given].sort()).toEqual([...ids].sort());
			expect(output(execution, 'Get').map(({ json }) => [json.executionId, json.status])).toEqual(
				given.map((executionId) => [executionId, executionId === ids[0] ? 'completed' : 'running']),
			);
		},
		6 * MINUTE,
	);

	it.each(moments.map((moment, index) => [moment, index]))(
		'runs the nodes behind the pause once when a notification comes %i ms after the limit',
		async (_moment, index) => {
			const { executionId, execution, behind } = (await outcome).notified[index] ?? {};
			expect(execution?.status).toBe('success');
			expect(execution && output(execution, NODE)).toMatchObject([
				{ json: { executionId, status: 'running' } },
			]);
			expect(execution && output(execution, NEXT)).toMatchObject([
				{ json: { status: 'completed' } },
			]);
			expect(behind).toBe(1);
		},
		6 * MINUTE,
	);
}

interface Outcome {
	/** No trigger is active: one of two executions has ended, and n8n is not notified. */
	unnotified: { ids: string[]; execution: Execution };
	/** By moment; `behind` is how many executions the node behind the pause has started. */
	notified: Array<{ executionId: string; execution: Execution; behind: number }>;
}

async function passTheLimit(world: World, moments: number[]): Promise<Outcome> {
	const [unnotified, notified] = await Promise.all([
		passUnnotified(world),
		passNotified(world, moments),
	]);
	return { unnotified, notified };
}

async function passUnnotified(world: World): Promise<Outcome['unnotified']> {
	const { client, simulator } = world;
	const wait = documentWorkflow(world, 'createAndWait', 'never-ending', PAUSE);
	const get = {
		...documentWorkflow(world, 'get', '={{ $json.workflowId }}', {
			executionId: '={{ $json.executionId }}',
		}),
		id: 'get',
		name: 'Get',
	};
	const flow = chain('Limit', numbers(2), split(), wait, get);
	const { id, ids } = await pause(world, flow, 'never-ending');
	await simulator.state.executions.finish(ids[0] ?? '', { status: 'completed' });
	return { ids, execution: await client.waitForExecution(id, 5 * MINUTE) };
}

async function passNotified(world: World, moments: number[]): Promise<Outcome['notified']> {
	const { client, simulator } = world;
	const { deliveries, executions } = simulator.state;
	const wait = documentWorkflow(world, 'createAndWait', NOTIFIED, PAUSE);
	const accepted = () => deliveries.all().filter(({ outcome }) => outcome === 'accepted');
	return withTrigger(world, { workflowIds: [NOTIFIED] }, async () => {
		const paused: Array<{ id: string; ids: string[]; name: string; moment: number }> = [];
		for (const moment of moments) {
			const name = `MOMENT ${moment}`;
			const next = {
				...documentWorkflow(world, 'createAndWait', 'twelve-seconds', {
					...TEXT_ONLY,
					options: { ...EARLY.options, externalId: name },
				}),
				id: 'next',
				name: NEXT,
			};
			paused.push({
				...(await pause(world, chain('Moment', wait, next), NOTIFIED)),
				name,
				moment,
			});
		}
		const ended = await Promise.all(
			paused.map(async ({ id, ids: [executionId = ''], name, moment }) => {
				const { waitTill } = await client.execution(id);
				await sleep(Date.parse(waitTill ?? '') + moment - Date.now());
				await executions.finish(executionId, { status: 'completed' });
				return { executionId, name, execution: await client.waitForExecution(id, 5 * MINUTE) };
			}),
		);
		await until(() => accepted().length === moments.length, 2 * MINUTE);
		return ended.map(({ name, ...each }) => ({
			...each,
			behind: executions.all().filter(({ metadata }) => metadata?.external_id === name).length,
		}));
	});
}

/** Starts a workflow and waits until it pauses; `ids` are its executions in the service. */
async function pause(
	{ client, simulator }: World,
	flow: WorkflowJson,
	workflowId: string,
): Promise<{ id: string; ids: string[] }> {
	const started = () =>
		simulator.state.executions.all().filter((each) => each.workflowId === workflowId);
	const before = started().length;
	const id = await client.run(await client.createWorkflow(flow));
	await until(async () => (await client.execution(id)).status === 'waiting', 2 * MINUTE);
	return {
		id,
		ids: started()
			.slice(before)
			.map(({ executionId }) => executionId),
	};
}
