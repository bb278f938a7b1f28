import { copyFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { withCredential } from '../../../harness/example-workflows';
import { output, type Execution } from '../../../harness/n8n-execution';
import { DOCUMENTS, expectedOf, until, type World } from '../support';
import { asTemplate, template, withFilesOnDisk } from '../templateRuns';

const MINUTE = 60_000;
const WORKFLOW = 'policy-intake'; // as in the example
const WAIT = 'Read the Documents';
const NEXT = 'Note the Result';
const HOUR = 60 * MINUTE;

/** The example of an overnight batch, as a user imports it, with sample documents. */
export function pausingExamplesSpec(world: () => World): void {
	const state = () => world().simulator.state;
	const pauseFor = async (names: string[]) => pauseExample(world(), names);

	beforeAll(() => void state().workflows.change(WORKFLOW, { duration: { fixedSeconds: 3600 } }));
	afterAll(() => void state().workflows.change(WORKFLOW, { duration: { fixedSeconds: 3 } }));

	const finish = async (
		executionId: string | undefined,
		status: 'completed' | 'failed' = 'completed',
	) => state().executions.finish(executionId ?? '', { status });
	const toNextCheck = async () => {
		await world().clock.move(10 * MINUTE);
		await world().clock.look();
	};

	it('pauses until the last document is done and returns the data', async () => {
		const { client } = world();
		const { id, started } = await pauseFor([
			'declarations-page.pdf',
			'application.pdf',
			'certificate-of-insurance.pdf',
		]);
		expect(started).toHaveLength(3);
		const { waitTill } = await client.execution(id);
		await finish(started[2], 'failed');
		await finish(started[1]);
		await toNextCheck();
		const isPausedAgain = async () => {
			const now = await client.execution(id);
			return now.status === 'waiting' && now.waitTill !== waitTill;
		};
		await until(isPausedAgain);
		await finish(started[0]);
		await toNextCheck();
		const execution = await client.waitForExecution(id);
		expect(endOf(execution)).toBe('success ""');
		expect(execution.runs[WAIT]).toHaveLength(1);
		expect(execution.runs[NEXT]).toHaveLength(1);
		expect(resultsIn(execution)).toEqual([
			[started[0], 'doubtful'],
			[started[1], 'doubtful'],
			[started[2], 'failed'],
		]);
		expect(output(execution, WAIT)[0]?.json.data).toEqual(expectedOf('declarations-page').steps);
		expect(output(execution, 'Send the Summary')).toMatchObject([
			{ json: { documents: 3, good: 0, doubtful: 2, failed: 1 } },
		]);
	});

	it('lists a rejected document as failed, with its file', async () => {
		const { client } = world();
		state().faults.add({ route: 'create', times: 1, action: { type: 'status', status: 400 } });
		const { id, started } = await pauseFor(['declarations-page.pdf', 'loss-run.pdf']);
		expect(started).toHaveLength(1);
		await finish(started[0]);
		await toNextCheck();
		const execution = await client.waitForExecution(id);
		// Both are sent at the same time, and the service rejects the first that comes.
		expect(resultsIn(execution).sort()).toEqual([
			['', 'failed'],
			[started[0], 'doubtful'],
		]);
		const rejected = output(execution, NEXT).find(({ json }) => json.result === 'failed');
		expect(Object.keys(rejected?.binary ?? {})).toEqual(['data']);
		expect(rejected?.json.detail).toMatch(/rejected/i);
	});
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
	await until(isChecked);
	await clock.move(HOUR);
	await until(async () => (await client.execution(id)).status === 'waiting');
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
