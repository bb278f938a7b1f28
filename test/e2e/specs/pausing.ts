import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, node, numbers, split } from '../flows';
import { CASE, casesOf, named, next, NEXT, NODE, rewired, SECOND } from '../longFlows';
import { withTrigger, type Notified, type Webhook } from '../notifying';
import type { Scope } from '../lines';
import { until, withOwnService, type World } from '../support';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Each n8n execution and each notification costs n8n a lot of CPU. */
const AT_ONCE = 6;
const ENDLESS = 'never-ending-cases';
/** After an hour of waiting a pause lasts nine minutes; from 75 s before its end a notification is left to the check. */
const WAIT = { firstCheckSeconds: 1, pauseAfterMinutes: 30 };
const PAUSE = { ...CASE, waiting: WAIT };

/** A flow that waits, and what the cell does with it. */
interface Cell {
	title: string;
	/** The workflows that notify the trigger, and how. */
	workflowIds?: string[];
	webhook?: Webhook;
	parameters?: Record<string, unknown>;
	/** Before the flow starts. */
	prepare?: (paused: Omit<Paused, 'ids' | 'id'>) => void;
	flow: (own: World) => WorkflowJson;
	/** When the n8n execution pauses, the next check is minutes away. */
	work: (paused: Paused) => Promise<void>;
	/** Waits for further checks. */
	long?: true;
	/** Depends on code of n8n that differs between its lines. */
	differs?: true;
}

interface Paused {
	own: World;
	notified: Notified;
	/** Of the n8n execution. */
	id: string;
	/** Of the executions that had been started, in order of creation. */
	ids: string[];
	/** Moves n8n's clock on for all cells, to the next check. */
	toNextCheck: () => Promise<void>;
}

/** Ends executions of the service, in random order: identifiers are random. */
async function finish(
	{ simulator }: World,
	ids: string[],
	status: 'completed' | 'failed' = 'completed',
): Promise<void> {
	const { executions } = simulator.state;
	await Promise.all([...ids].sort().map(async (id) => executions.finish(id, { status })));
}

const ended = async ({ own, id }: Paused): Promise<Execution> =>
	own.client.waitForExecution(id, 2 * MINUTE);
const accepted = ({ simulator }: World): number =>
	simulator.state.deliveries.all().filter(({ outcome }) => outcome === 'accepted').length;
const requestsTo = ({ simulator }: World, route: string) =>
	simulator.state.requests.all().filter((request) => request.route === route);

function expectOnce(execution: Execution, ...given: number[]): void {
	expect(execution.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');
	expect(output(execution, NEXT).map(({ json }) => json)).toEqual(casesOf(...given));
	expect(execution.runs[NEXT]).toHaveLength(1);
}

const pausing = (own: World, settings: Record<string, unknown> = {}, more: object = {}) =>
	documentWorkflow(own, 'createAndWait', ENDLESS, { ...PAUSE, ...more }, settings);

const CELLS: Cell[] = [
	{
		title:
			'one execution, by its notification and long before the next check, without a check in between',
		flow: (own) =>
			chain(
				'One',
				numbers(1),
				split(),
				pausing(own, {}, { inputs: { ...CASE.inputs, externalId: 'CASE-1' } }),
				next(),
			),
		work: async (paused) => {
			const { own, ids } = paused;
			const [{ metadata } = { metadata: null }] = own.simulator.state.executions.all();
			expect(JSON.stringify(metadata)).not.toContain('webhook-waiting');
			const before = requestsTo(own, 'get').length;
			await sleep(1_500);
			expect(requestsTo(own, 'get')).toHaveLength(before);
			await finish(own, ids);
			const execution = await ended(paused);
			expectOnce(execution, 0);
			expect(output(execution, NODE)).toMatchObject([
				{ json: { executionId: ids[0], externalId: 'CASE-1' }, pairedItem: { item: 0 } },
			]);
			expect(output(execution, NODE)[0]?.json.metadata).toMatchObject({ external_id: 'CASE-1' });
			await until(() => accepted(own) === 1);
			expect(own.simulator.state.deliveries.all().at(-1)).toMatchObject({ answer: 200 });
			expect(requestsTo(own, 'create')).toHaveLength(1);
			// By the trigger, by the pause, and by the node in both of its steps.
			expect(requestsTo(own, 'get').length - before).toBeLessThanOrEqual(5);
		},
		differs: true,
	},
	{
		title: 'six executions that end at the same moment, each notified twice',
		webhook: { duplicates: 1 },
		flow: (own) => chain('Same moment', numbers(6), split(), pausing(own), next()),
		work: async (paused) => {
			await finish(paused.own, paused.ids);
			expectOnce(await ended(paused), ...Array(6).keys());
			await until(() => accepted(paused.own) === 12, MINUTE);
			expectOnce(await ended(paused), ...Array(6).keys());
		},
		differs: true,
	},
	{
		title: 'three executions when the last of them has ended',
		flow: (own) => chain('Last', numbers(3), split(), pausing(own), next()),
		work: async (paused) => {
			const { own, id, ids } = paused;
			await finish(own, ids.slice(1));
			await until(() => accepted(own) === 2, MINUTE);
			expect((await own.client.execution(id)).status).toBe('waiting');
			await finish(own, ids.slice(0, 1));
			expectOnce(await ended(paused), 0, 1, 2);
		},
	},
	{
		title: 'an execution that ended while another was being created, notified before the pause',
		workflowIds: ['quick', ENDLESS],
		webhook: { duplicates: 1 },
		prepare: ({ own }) => {
			const action = { type: 'delay', milliseconds: 4_000 } as const;
			own.simulator.state.faults.add({ route: 'create', workflowId: ENDLESS, action });
		},
		flow: (own) => {
			const byNumber = `={{ ['quick', '${ENDLESS}'][$json.numbers] }}`;
			const wait = documentWorkflow(own, 'createAndWait', byNumber, PAUSE);
			return chain('Early', numbers(2), split(), wait, next());
		},
		work: async (paused) => {
			await until(() => accepted(paused.own) === 2, MINUTE);
			expect((await paused.own.client.execution(paused.id)).status).toBe('waiting');
			await finish(paused.own, paused.ids);
			const execution = await ended(paused);
			expect(output(execution, NODE).map(({ json }) => [json.workflowId, json.status])).toEqual([
				['quick', 'completed'],
				[ENDLESS, 'completed'],
			]);
			expect(execution.runs[NEXT]).toHaveLength(1);
			await until(() => accepted(paused.own) === 4, MINUTE);
		},
		differs: true,
	},
	{
		title: 'a notification that the service repeats after the end',
		flow: (own) => chain('Late', numbers(1), split(), pausing(own), next()),
		work: async (paused) => {
			const { own, ids, notified } = paused;
			await finish(own, ids);
			expectOnce(await ended(paused), 0);
			const again = {
				workflow_id: ENDLESS,
				workflow_execution_id: ids[0],
				status: 'completed',
				metadata: own.simulator.state.executions.all()[0]?.metadata,
				steps: [],
			};
			expect((await notified.call(again)).status).toBe(200);
			await sleep(2_000);
			expectOnce(await ended(paused), 0);
			expect(await own.client.executionIds(notified.id)).toEqual([]);
		},
	},
	{
		title: 'a rejected document with Retry On Fail and the Error output, which is sent once',
		flow: (own) => {
			const byNumber = `={{ ['no-such-workflow', '${ENDLESS}'][$json.numbers] }}`;
			const settings = {
				...{ onError: 'continueErrorOutput', retryOnFail: true },
				...{ maxTries: 3, waitBetweenTries: 100 },
			};
			const wait = documentWorkflow(own, 'createAndWait', byNumber, PAUSE, settings);
			return chain('Refused', numbers(2), split(), wait, next());
		},
		work: async (paused) => {
			await finish(paused.own, paused.ids);
			const execution = await ended(paused);
			expectOnce(execution, 1);
			expect(output(execution, NODE, 1)).toMatchObject([
				{ json: { error: { message: 'The workflow "no-such-workflow" was not found' } } },
			]);
			expect(
				requestsTo(paused.own, 'create')
					.map(({ status }) => status)
					.sort(),
			).toEqual([200, 404]);
		},
		differs: true,
	},
	{
		title: 'a Wait for Completion behind a Create, a Wait and an If',
		flow: (own) => {
			const create = named('Create', documentWorkflow(own, 'create', ENDLESS, CASE));
			const aside = node('Aside', 'n8n-nodes-base.wait', 1.1, { amount: 1 });
			const parameters = { executionId: '={{ $json.executionId }}', waiting: WAIT };
			const wait = documentWorkflow(own, 'wait', '={{ $json.workflowId }}', parameters);
			return chain('Behind', numbers(2), split(), create, aside, wait, next());
		},
		work: async (paused) => {
			await finish(paused.own, paused.ids);
			expectOnce(await ended(paused), 0, 1);
		},
	},
	{
		title: 'one of two branches that both wait, and then the other',
		flow: (own) =>
			rewired(
				chain('Branches', numbers(1), split(), pausing(own), next()),
				[named('Other', pausing(own)), next(undefined, 'Behind the other')],
				{ Split: [[NODE, 'Other']], Other: [['Behind the other']] },
			),
		work: async (paused) => {
			const { own, id, ids } = paused;
			await finish(own, ids);
			const { executions } = own.simulator.state;
			await until(() => executions.all().length === 2, MINUTE);
			await until(async () => (await own.client.execution(id)).status === 'waiting', MINUTE);
			const other = executions.all().find(({ executionId }) => !ids.includes(executionId));
			await finish(own, [other?.executionId ?? '']);
			const execution = await ended(paused);
			expectOnce(execution, 0);
			expect(output(execution, 'Behind the other').map(({ json }) => json)).toEqual(casesOf(0));
			expect(execution.runs['Behind the other']).toHaveLength(1);
		},
	},
	{
		title: 'a wait of up to three days, for which two values are filled in',
		flow: (own) => {
			const values = { ...CASE, waiting: { longestWaitHours: 72 } };
			return chain(
				'Days',
				numbers(1),
				split(),
				documentWorkflow(own, 'createAndWait', ENDLESS, values),
				next(),
			);
		},
		work: async (paused) => {
			await finish(paused.own, paused.ids);
			expectOnce(await ended(paused), 0);
		},
	},
	{
		title: 'a failed execution, with Stop',
		flow: (own) =>
			chain(
				'Stop',
				numbers(1),
				split(),
				pausing(own, {}, { waiting: { ...WAIT, ifFailed: 'stop' } }),
				next(),
			),
		work: async (paused) => {
			await finish(paused.own, paused.ids, 'failed');
			const execution = await ended(paused);
			expect(execution.status).toBe('error');
			expect(execution.error?.message).toContain('could not process the documents');
			expect(execution.runs[NEXT]).toBeUndefined();
		},
	},
	{
		title: 'a failed execution, with Stop and the Error output',
		flow: (own) => {
			const waiting = { ...WAIT, ifFailed: 'stop' };
			const settings = { onError: 'continueErrorOutput' };
			return chain('Error', numbers(1), split(), pausing(own, settings, { waiting }), next());
		},
		work: async (paused) => {
			const [executionId] = paused.ids;
			await finish(paused.own, paused.ids, 'failed');
			const execution = await ended(paused);
			expect(output(execution, NODE, 1)).toMatchObject([
				{ json: { error: { executionId, status: 'failed' } } },
			]);
			expect(execution.runs[NEXT]).toBeUndefined();
		},
	},
	{
		title: 'a failed execution, with Continue',
		flow: (own) => chain('Continue', numbers(1), split(), pausing(own), next()),
		work: async (paused) => {
			const [executionId] = paused.ids;
			await finish(paused.own, paused.ids, 'failed');
			const execution = await ended(paused);
			expect(output(execution, NODE)).toMatchObject([{ json: { executionId, status: 'failed' } }]);
			expect(execution.runs[NEXT]).toHaveLength(1);
		},
	},
	{
		title: 'no stopped n8n execution, although its notification is accepted',
		flow: (own) => chain('Stopped', numbers(1), split(), pausing(own), next()),
		work: async ({ own, id, ids }) => {
			await own.client.stopExecution(id);
			await finish(own, ids);
			await until(() => accepted(own) === 1, MINUTE);
			await sleep(2_000);
			const execution = await own.client.execution(id);
			expect(execution.status).toBe('canceled');
			expect(execution.runs[NEXT]).toBeUndefined();
		},
		differs: true,
	},
	{
		title: 'no n8n execution of a deleted workflow, although its notification is accepted',
		flow: (own) => chain('Deleted', numbers(1), split(), pausing(own), next()),
		work: async ({ own, id, ids }) => {
			await own.client.deleteWorkflow((await own.client.execution(id)).workflowId);
			await finish(own, ids);
			await until(() => accepted(own) === 1, MINUTE);
		},
		differs: true,
	},
	{
		title: 'an execution, and starts the workflow of the trigger too when that is set to both',
		parameters: { resumePaused: 'both' },
		flow: (own) => chain('Both', numbers(1), split(), pausing(own), next()),
		work: async (paused) => {
			const { own, notified } = paused;
			await finish(own, paused.ids);
			expectOnce(await ended(paused), 0);
			const [started = ''] = await own.client.executionIds(notified.id, 1);
			expect(
				output(await own.client.waitForExecution(started), 'Document Workflow Trigger'),
			).toMatchObject([{ json: { status: 'completed', workflowId: ENDLESS } }]);
		},
	},
	{
		title: 'twenty executions, with few checks for each notification',
		flow: (own) => chain('Many', numbers(20), split(), pausing(own), next()),
		work: async (paused) => {
			const { own, ids } = paused;
			const before = requestsTo(own, 'get').length;
			await finish(own, ids);
			expectOnce(await ended(paused), ...Array(20).keys());
			await until(() => accepted(own) === 20, MINUTE);
			const checks = requestsTo(own, 'get').length - before;
			const calls = own.simulator.state.deliveries.all().length;
			console.log(
				`${own.n8n.line}: 20 executions of one pause, ${checks} checks, ${calls} calls of the trigger.`,
			);
			// The trigger checks each execution, once more where it asked for a retry; the pause checks a few, and the node each twice.
			expect(checks).toBeLessThanOrEqual(20 * 4 + calls);
		},
	},
	{
		title: 'an execution whose notification is lost, at the next check',
		workflowIds: [],
		flow: (own) => chain('Lost', numbers(2), split(), pausing(own), next()),
		work: async (paused) => {
			await finish(paused.own, paused.ids);
			await paused.toNextCheck();
			expectOnce(await paused.own.client.waitForExecution(paused.id, 3 * MINUTE), 0, 1);
		},
		long: true,
	},
	{
		title: 'an execution, and pauses again while the service is down at that moment',
		flow: (own) => chain('Down', numbers(1), split(), pausing(own), next()),
		work: async (paused) => {
			const { own, id, ids } = paused;
			const { waitTill } = await own.client.execution(id);
			const { faults } = own.simulator.state;
			// The trigger checks once, and so does the pause; the checks of the node fail.
			faults.add({ route: 'get', requests: { from: 3 }, action: { type: 'status', status: 503 } });
			await finish(own, ids);
			const isPausedAgain = async () => {
				const now = await own.client.execution(id);
				return now.status === 'waiting' && now.waitTill !== waitTill;
			};
			await until(isPausedAgain, 3 * MINUTE, SECOND);
			faults.clear();
			await paused.toNextCheck();
			expectOnce(await own.client.waitForExecution(id, 3 * MINUTE), 0);
		},
		long: true,
	},
];

/**
 * n8n executions that pause until the service notifies them. Some cells run at the same time, each with its own service and trigger. The clock
 * of n8n is moved on by an hour while their nodes check, so that the pauses are long.
 */
export function pausingSpec(world: () => World, { differencesOnly, long }: Scope): void {
	const cells = CELLS.filter((cell) => (long || !cell.long) && (!differencesOnly || cell.differs));
	const failures = new Map<string, unknown>();

	const wave = async (some: Cell[]): Promise<void> => {
		const arePausing = meeting(some.length, async () => world().clock.move(HOUR));
		const areWaiting = meeting(some.length, async () => world().clock.move(10 * MINUTE));
		const all = some.map(async (cell) => {
			const working = withOwnService(world(), async (own) =>
				runCell(cell, own, arePausing, areWaiting),
			);
			// The tests fail with it.
			await working.catch((error: unknown) => failures.set(cell.title, error));
			arePausing.leave(cell);
			areWaiting.leave(cell);
		});
		await Promise.all(all);
	};

	beforeAll(async () => {
		for (let first = 0; first < cells.length; first += AT_ONCE)
			await wave(cells.slice(first, first + AT_ONCE));
	}, 15 * MINUTE);

	it.each(cells.map(({ title }) => [title]))('resumes %s', (title) => {
		if (failures.has(title)) throw failures.get(title);
	});
}

async function runCell(
	cell: Cell,
	own: World,
	arePausing: Meeting,
	areWaitingForChecks: Meeting,
): Promise<void> {
	const { workflowIds = [ENDLESS], webhook = {}, parameters = {}, prepare, flow, work } = cell;
	const { client, simulator } = own;
	await withTrigger(own, { workflowIds, webhook, parameters }, async (notified) => {
		const toNextCheck = async () => areWaitingForChecks.arrive(cell);
		prepare?.({ own, notified, toNextCheck });
		const id = await client.run(await client.createWorkflow(flow(own)));
		const isChecked = () => {
			const checked = new Set(requestsTo(own, 'get').map(({ executionId }) => executionId));
			const all = simulator.state.executions.all();
			return all.length > 0 && all.every(({ executionId }) => checked.has(executionId));
		};
		await until(isChecked, 2 * MINUTE);
		await arePausing.arrive(cell);
		await until(async () => (await client.execution(id)).status === 'waiting', 2 * MINUTE, SECOND);
		const ids = simulator.state.executions.all().map(({ executionId }) => executionId);
		await work({ own, notified, id, ids, toNextCheck });
	});
}

/** Lets cells wait for each other, before something is done for all of them. */
interface Meeting {
	arrive: (cell: Cell) => Promise<void>;
	/** Of a cell that does not come, or has come. */
	leave: (cell: Cell) => void;
}

function meeting(count: number, then: () => Promise<void>): Meeting {
	const seen = new Set<Cell>();
	let open: (done: Promise<void>) => void = () => undefined;
	const opened = new Promise<void>((resolve) => (open = resolve));
	const leave = (cell: Cell) => {
		seen.add(cell);
		if (seen.size === count) open(then());
	};
	return {
		leave,
		arrive: async (cell) => {
			leave(cell);
			return opened;
		},
	};
}
