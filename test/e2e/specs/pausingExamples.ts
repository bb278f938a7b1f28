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
	type World,
} from '../support';

const MINUTE = 60_000;
const WORKFLOW = 'policy-intake'; // as in the example
const TRIGGER_PATH = 'document-workflow'; // as in the example
const WAIT = 'Create and Wait';
const NEXT = 'Use the Data';
const PERSON = 'Manual Review';
const HOUR = 60 * MINUTE;

/** The examples of long waits and of the trigger that resumes them, as a user imports them, with sample documents. */
export function pausingExamplesSpec(world: () => World, { long }: Scope): void {
	const state = () => world().simulator.state;
	const pauseFor = async (names: string[]) => pauseExample(world(), names);
	let triggerId: string;

	beforeAll(async () => {
		const { credential, webhookCredential, client, n8n } = world();
		const trigger = withCredential(
			withCredential(
				exampleOf('resume-waiting-workflows'),
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
		'send a rejected document to manual review with its file',
		async () => {
			const { client } = world();
			state().faults.add({ route: 'create', times: 1, action: { type: 'status', status: 400 } });
			const { id, started } = await pauseFor(['declarations-page.pdf', 'loss-run.pdf']);
			expect(started).toHaveLength(1);
			await finish(started[0]);
			const execution = await client.waitForExecution(id, MINUTE);
			const [rejected, ...others] =
				execution.runs[PERSON]?.flatMap(({ data }) => data?.main?.[0] ?? []) ?? [];
			expect(Object.keys(rejected?.binary ?? {})).toEqual(['data']);
			expect(others).toEqual([]);
			expect(output(execution, NEXT).map(({ json }) => json.executionId)).toEqual(started);
		},
		2 * MINUTE,
	);

	if (!long) return;

	it(
		'return the data at the next check when no notification comes',
		async () => {
			const { client, clock } = world();
			state().workflows.change(WORKFLOW, { webhooks: [] });
			const { id, started } = await pauseFor(['declarations-page.pdf', 'loss-run.pdf']);
			await finish(started[0]);
			await finish(started[1]);
			await clock.move(15 * MINUTE);
			const execution = await client.waitForExecution(id, 4 * MINUTE);
			expect(endOf(execution)).toBe('success ""');
			expect(execution.runs[NEXT]).toHaveLength(1);
			expect(statusesIn(execution, NEXT)).toEqual(started.map((each) => [each, 'completed']));
		},
		6 * MINUTE,
	);
}

/**
 * Puts documents into a folder and runs the example until it has sent them. Then it moves the clock on, so that the example pauses; `started`
 * follows the order of the items.
 */
async function pauseExample(
	{ client, clock, credential, folder: readable, simulator }: World,
	names: string[],
): Promise<{ id: string; started: string[] }> {
	const folder = await mkdtemp(join(readable, 'to-pause-for-'));
	await Promise.all(
		names.map(async (name, index) =>
			copyFile(join(DOCUMENTS, name), join(folder, `${index}-${name}`)),
		),
	);
	const example = withSetting(
		withCredential(exampleOf('long-waits'), credential),
		'documentsFolder',
		folder,
	);
	const { executions, requests } = simulator.state;
	const [before, checksBefore] = [executions.all().length, requests.all().length];
	const isChecked = () =>
		requests
			.all()
			.slice(checksBefore)
			.some(({ route }) => route === 'get');
	const id = await client.run(await client.createWorkflow(example));
	await until(isChecked, 2 * MINUTE);
	await clock.move(HOUR);
	await until(async () => (await client.execution(id)).status === 'waiting', 2 * MINUTE);
	const started = executions.all().slice(before);
	const nameOf = ({ files: [file] }: (typeof started)[number]) => file?.fileName ?? '';
	started.sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
	return { id, started: started.map(({ executionId }) => executionId) };
}

function exampleOf(name: string): WorkflowJson {
	const example = readExampleWorkflows().get(name);
	if (!example) throw new Error(`There is no example "${name}".`);
	return example;
}

/** The identifier and status of each item that a node returned. */
function statusesIn(execution: Execution, name: string): unknown[][] {
	return output(execution, name).map(({ json }) => [json.executionId, json.status]);
}

function endOf({ status, error }: Execution): string {
	return `${status} ${JSON.stringify(error?.message ?? '')}`;
}
