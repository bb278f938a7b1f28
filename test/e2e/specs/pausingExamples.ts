import { copyFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { WEBHOOK_CREDENTIAL_TYPE, withCredential } from '../../../harness/example-workflows';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { Scope } from '../lines';
import {
	completeOutsideN8n,
	DOCUMENTS,
	expectedOf,
	until,
	WEBHOOK_KEY,
	type World,
} from '../support';
import { asTemplate, template, withFilesOnDisk } from '../templateRuns';

const MINUTE = 60_000;
const WORKFLOW = 'policy-intake'; // as in the example
const TRIGGER_PATH = 'document-workflow'; // as in the example
const WAIT = 'Read the Documents';
const NEXT = 'Note the Result';
const HOUR = 60 * MINUTE;

/** The example of an overnight batch and the one with the trigger that resumes it, as a user imports them, with sample documents. */
export function pausingExamplesSpec(world: () => World, { long }: Scope): void {
	const state = () => world().simulator.state;
	const pauseFor = async (names: string[]) => pauseExample(world(), names);
	let triggerId: string;

	beforeAll(async () => {
		const { credential, webhookCredential, client, n8n } = world();
		const trigger = withCredential(
			withCredential(
				template('resume-waiting-workflows'),
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
				'application.pdf',
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
			expect(resultsIn(execution)).toEqual([
				[started[0], 'doubtful'],
				[started[1], 'doubtful'],
				[started[2], 'failed'],
			]);
			expect(output(execution, WAIT)[0]?.json.data).toEqual(expectedOf('declarations-page').steps);
			expect(output(execution, 'Send the Summary')).toMatchObject([
				{ json: { documents: 3, good: 0, doubtful: 2, failed: 1 } },
			]);
		},
		2 * MINUTE,
	);

	it('start no n8n execution of the trigger', async () => {
		const { executionId } = await completeOutsideN8n(world(), WORKFLOW, 'claim-note.txt');
		await until(() => accepted().some((delivery) => delivery.executionId === executionId));
		expect(await world().client.executionIds(triggerId)).toEqual([]);
	});

	it(
		'list a rejected document as failed, with its file',
		async () => {
			const { client } = world();
			state().faults.add({ route: 'create', times: 1, action: { type: 'status', status: 400 } });
			const { id, started } = await pauseFor(['declarations-page.pdf', 'loss-run.pdf']);
			expect(started).toHaveLength(1);
			await finish(started[0]);
			const execution = await client.waitForExecution(id, MINUTE);
			// Both are sent at the same time, and the service rejects the first that comes.
			expect(resultsIn(execution).sort()).toEqual([
				['', 'failed'],
				[started[0], 'doubtful'],
			]);
			const rejected = output(execution, NEXT).find(({ json }) => json.result === 'failed');
			expect(Object.keys(rejected?.binary ?? {})).toEqual(['data']);
			expect(rejected?.json.detail).toMatch(/rejected/i);
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
			expect(resultsIn(execution)).toEqual(started.map((each) => [each, 'doubtful']));
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
	const example = withFilesOnDisk(
		asTemplate(withCredential(template('overnight-batch'), credential)),
		join(folder, '*.pdf'),
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

/** The identifier of each execution, and what was noted of it. */
function resultsIn(execution: Execution): unknown[][] {
	return output(execution, NEXT).map(({ json }) => [json.executionId, json.result]);
}

function endOf({ status, error }: Execution): string {
	return `${status} ${JSON.stringify(error?.message ?? '')}`;
}
