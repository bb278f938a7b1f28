import { copyFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
	readExampleWorkflows,
	WEBHOOK_CREDENTIAL_TYPE,
	withCredential,
	withSetting,
} from '../../../harness/example-workflows';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import type { Scope } from '../lines';
import {
	completeOutsideN8n,
	DOCUMENTS,
	expectedOf,
	until,
	WEBHOOK_KEY,
	withOwnService,
	type World,
} from '../support';

const MINUTE = 60_000;
const WORKFLOW = 'policy-intake'; // as in the example
const TRIGGER_PATH = 'document-workflow'; // as in the example
const WAIT = 'Wait for Completion';
const NEXT = 'Take Over the Data';
const PERSON = 'Have a Person Look';
const TIME_LIMIT_HOURS = 0.01; // the least; n8n ends pauses whose time is over once a minute

/** The examples "Wake waiting workflows" and "Pause until notified", as a user imports them, with sample documents. */
export function pausingExamplesSpec(world: () => World, { atStart }: Scope): void {
	const state = () => world().simulator.state;
	const pauseFor = async (names: string[]) => pauseExample(world(), names);
	let triggerId: string;

	let unnotified: Promise<Unnotified>;
	atStart(() => {
		unnotified = withOwnService(world(), passUnnotified);
		unnotified.catch(() => undefined); // the test fails with it
	});

	beforeAll(async () => {
		const { credential, webhookCredential, client, n8n } = world();
		const trigger = withCredential(
			withCredential(
				exampleOf('wake-waiting-workflows'),
				webhookCredential,
				WEBHOOK_CREDENTIAL_TYPE,
			),
			credential,
		);
		triggerId = await client.createWorkflow(trigger);
		await client.activate(triggerId);
		const url = `${n8n.url}/webhook/${TRIGGER_PATH}`;
		const authentication = { type: 'api_key' as const, header: 'x-api-key', key: WEBHOOK_KEY };
		state().workflows.change(WORKFLOW, {
			duration: { fixedSeconds: 3600 },
			webhooks: [{ url, authentication }],
		});
	});
	beforeEach(() => state().deliveries.clear());
	afterAll(async () => {
		state().workflows.change(WORKFLOW, { duration: { fixedSeconds: 3 }, webhooks: [] });
		await world().client.deactivate(triggerId);
	});

	const finish = async (
		executionId: string | undefined,
		status: 'completed' | 'failed' = 'completed',
	) => state().executions.finish(executionId ?? '', { status });
	const accepted = () =>
		state()
			.deliveries.all()
			.filter(({ outcome }) => outcome === 'accepted');

	it(
		'pause until the last document is done and return the data',
		async () => {
			const { client } = world();
			const { id, started } = await pauseFor([
				'declarations-page.pdf',
				'declarations-page.pdf',
				'certificate-of-insurance.pdf',
			]);
			expect(started).toHaveLength(3);
			await finish(started[2], 'failed');
			await finish(started[1]);
			await until(() => accepted().length === 2);
			expect((await client.execution(id)).status).toBe('waiting');
			await finish(started[0]);
			const execution = await client.waitForExecution(id, MINUTE);
			expect(endOf(execution)).toBe('success ""');
			expect(execution.runs[WAIT]).toHaveLength(1);
			expect(statusesIn(execution, NEXT)).toEqual([
				[started[0], 'completed'],
				[started[1], 'completed'],
			]);
			expect(output(execution, NEXT)[0]?.json.data).toEqual(expectedOf('declarations-page').steps);
			expect(statusesIn(execution, PERSON)).toEqual([[started[2], 'failed']]);
		},
		2 * MINUTE,
	);

	it('start no n8n execution of the trigger', async () => {
		const { executionId } = await completeOutsideN8n(world(), WORKFLOW, 'claim-note.txt');
		await until(() => accepted().some((delivery) => delivery.executionId === executionId));
		expect(await world().client.executionIds(triggerId)).toEqual([]);
	});

	it(
		'send a rejected document to manual review before the pause',
		async () => {
			const { client } = world();
			state().faults.add({ route: 'create', times: 1, action: { type: 'status', status: 400 } });
			const { id, started } = await pauseFor(['declarations-page.pdf', 'loss-run.pdf']);
			expect(started).toHaveLength(1);
			const paused = await client.execution(id);
			expect(output(paused, PERSON)).toHaveLength(1);
			expect(Object.keys(output(paused, PERSON)[0]?.binary ?? {})).toEqual(['data']);
			await finish(started[0]);
			const execution = await client.waitForExecution(id, MINUTE);
			expect(output(execution, NEXT).map(({ json }) => json.executionId)).toEqual(started);
		},
		2 * MINUTE,
	);

	it(
		'return ended executions at the time limit without the trigger, and pause again for the rest',
		async () => {
			const { started, between, execution, accepted: notified } = await unnotified;
			const [first, second] = started;
			expect(statusesIn(between, WAIT)).toEqual([[second, 'running']]);
			expect(statusesIn(between, NEXT)).toEqual([[first, 'completed']]);
			expect(output(between, NEXT)[0]?.json.data).toEqual(expectedOf('declarations-page').steps);
			expect(endOf(execution)).toBe('success ""');
			expect(execution.runs[NEXT]).toHaveLength(2);
			expect(statusesIn(execution, NEXT)).toEqual([[second, 'completed']]);
			expect(notified).toBe(0);
		},
		8 * MINUTE,
	);
}

/** Puts documents into a folder and runs the example until it has sent them and pauses; `started` follows the order of the items. */
async function pauseExample(
	{ client, credential, folder: readable }: World,
	names: string[],
	change: (workflow: WorkflowJson) => WorkflowJson = (workflow) => workflow,
): Promise<{ id: string; started: string[] }> {
	const folder = await mkdtemp(join(readable, 'to-pause-for-'));
	await Promise.all(
		names.map(async (name, index) =>
			copyFile(join(DOCUMENTS, name), join(folder, `${index}-${name}`)),
		),
	);
	const example = withSetting(
		withCredential(exampleOf('pause-until-notified'), credential),
		'documentsFolder',
		folder,
	);
	const id = await client.run(await client.createWorkflow(change(example)));
	await until(async () => (await client.execution(id)).status === 'waiting', 2 * MINUTE);
	const created = output(await client.execution(id), 'Create');
	return { id, started: created.map(({ json }) => String(json.executionId)) };
}

interface Unnotified {
	started: string[];
	/** The n8n execution after the first time limit, and at its end. */
	between: Execution;
	execution: Execution;
	/** How many notifications were accepted. */
	accepted: number;
}

/** Runs the example without the trigger: one execution ends before the first time limit, the other before the second. */
async function passUnnotified(world: World): Promise<Unnotified> {
	const { client, n8n, simulator } = world;
	const { deliveries, executions, workflows } = simulator.state;
	workflows.change(WORKFLOW, {
		duration: { fixedSeconds: 3600 },
		webhooks: [
			{
				url: `${n8n.url}/webhook/no-such-trigger`,
				retry: { attempts: 2, firstDelayMilliseconds: 1_000 },
			},
		],
	});
	const { id, started } = await pauseExample(
		world,
		['declarations-page.pdf', 'loss-run.pdf'],
		withTimeLimit,
	);
	await executions.finish(started[0] ?? '', { status: 'completed' });
	await until(() => deliveries.all().some(({ outcome }) => outcome === 'givenUp'));
	const isPausedAgain = async () => {
		const { status, runs } = await client.execution(id);
		return status === 'waiting' && runs[NEXT] !== undefined;
	};
	await until(isPausedAgain, 4 * MINUTE);
	const between = await client.execution(id);
	await executions.finish(started[1] ?? '', { status: 'completed' });
	const execution = await client.waitForExecution(id, 4 * MINUTE);
	const accepted = deliveries.all().filter(({ outcome }) => outcome === 'accepted').length;
	return { started, between, execution, accepted };
}

function exampleOf(name: string): WorkflowJson {
	const example = readExampleWorkflows().get(name);
	if (!example) throw new Error(`There is no example "${name}".`);
	return example;
}

/** The example with a short time limit; it has an hour. */
function withTimeLimit(workflow: WorkflowJson): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		if (node.name !== WAIT) return node;
		const { parameters } = node as { parameters?: { options?: object } };
		return {
			...node,
			parameters: {
				...parameters,
				options: { ...parameters?.options, timeLimitHours: TIME_LIMIT_HOURS },
			},
		};
	});
	return { ...workflow, nodes };
}

/** The identifier and status of each item that a node returned. */
function statusesIn(execution: Execution, name: string): unknown[][] {
	return output(execution, name).map(({ json }) => [json.executionId, json.status]);
}

function endOf({ status, error }: Execution): string {
	return `${status} ${JSON.stringify(error?.message ?? '')}`;
}
