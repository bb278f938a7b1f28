import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import {
	readExampleWorkflows,
	WEBHOOK_CREDENTIAL_TYPE,
	withCredential,
	withSetting,
} from '../../../harness/example-workflows';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { DOCUMENTS, expectedOf, until, WEBHOOK_KEY, type World } from '../support';

const MINUTE = 60_000;
const WORKFLOW = 'policy-intake'; // as in the example
const TRIGGER_PATH = 'document-workflow'; // as in the example
const WAIT = 'Wait for Completion';
const NEXT = 'Take Over the Data';
const PERSON = 'Have a Person Look';
const TIME_LIMIT_HOURS = 0.02; // shorter than the panel takes; n8n looks for pauses that are over once a minute

/** The examples "Wake waiting workflows" and "Pause until notified", as a user imports them, with sample documents. */
export function wakingExamplesSpec(world: () => World): void {
	describe('the examples "Wake waiting workflows" and "Pause until notified"', () => {
		const state = () => world().simulator.state;
		let triggerId: string;
		let folder: string;

		beforeAll(async () => {
			const { credential, webhookCredential, client, n8n, folder: readable } = world();
			folder = join(readable, 'to-pause-for');
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
			await rm(folder, { recursive: true, force: true });
		});

		/** Puts documents into the folder, and runs the example until it has sent them and waits; gives the executions of the service in the order of the items. */
		async function pauseFor(
			names: string[],
			change: (workflow: WorkflowJson) => WorkflowJson = (workflow) => workflow,
		): Promise<{ id: string; started: string[] }> {
			const { client, credential } = world();
			await rm(folder, { recursive: true, force: true });
			await mkdir(folder);
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
			await until(async () => (await client.execution(id)).status === 'waiting', MINUTE);
			const created = output(await client.execution(id), 'Create');
			return { id, started: created.map(({ json }) => String(json.executionId)) };
		}

		const finish = async (
			executionId: string | undefined,
			status: 'completed' | 'failed' = 'completed',
		) => state().executions.finish(executionId ?? '', { status });
		const accepted = () =>
			state()
				.deliveries.all()
				.filter(({ outcome }) => outcome === 'accepted');

		it(
			'wait until the last of the documents is done, and end with the data',
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
				expect(output(execution, NEXT).map(({ json }) => [json.executionId, json.status])).toEqual([
					[started[0], 'completed'],
					[started[1], 'completed'],
				]);
				expect(output(execution, NEXT)[0]?.json.data).toEqual(
					expectedOf('declarations-page').steps,
				);
				expect(
					output(execution, PERSON).map(({ json }) => [json.executionId, json.status]),
				).toEqual([[started[2], 'failed']]);
			},
			2 * MINUTE,
		);

		it('start nothing else: the workflow of the trigger has no n8n execution', async () => {
			const { executionId } = await startUnwatched(world());
			await finish(executionId);
			await until(() => accepted().some((delivery) => delivery.executionId === executionId));
			expect(await world().client.executionIds(triggerId)).toEqual([]);
		});

		it(
			'hand a document that the service refuses to a person before the pause',
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
			'without the trigger: at the time limit Get tells the truth, what has ended goes on, and the rest waits again, up to the next limit',
			async () => {
				const { client } = world();
				await client.deactivate(triggerId);
				const { id, started } = await pauseFor(
					['declarations-page.pdf', 'loss-run.pdf'],
					withTimeLimit,
				);
				const [first, second] = started;
				await finish(first);
				await until(() =>
					state()
						.deliveries.all()
						.some(({ outcome }) => outcome === 'givenUp'),
				);
				const isPausedAgain = async () => {
					const { status, runs } = await client.execution(id);
					return status === 'waiting' && runs[NEXT] !== undefined;
				};
				await until(isPausedAgain, 4 * MINUTE);
				const between = await client.execution(id);
				expect(output(between, WAIT).map(({ json }) => [json.executionId, json.status])).toEqual([
					[second, 'running'],
				]);
				expect(output(between, NEXT).map(({ json }) => [json.executionId, json.status])).toEqual([
					[first, 'completed'],
				]);
				expect(output(between, NEXT)[0]?.json.data).toEqual(expectedOf('declarations-page').steps);

				await finish(second);
				const execution = await client.waitForExecution(id, 4 * MINUTE);
				expect(endOf(execution)).toBe('success ""');
				expect(execution.runs[NEXT]).toHaveLength(2);
				expect(output(execution, NEXT).map(({ json }) => [json.executionId, json.status])).toEqual([
					[second, 'completed'],
				]);
				expect(accepted()).toEqual([]);
			},
			8 * MINUTE,
		);
	});
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

/** An execution that somebody else started, so that it leads back to nowhere. */
async function startUnwatched({
	simulator,
	credential: { data },
}: World): Promise<{ executionId: string }> {
	const { productionUrl } = simulator;
	const { data: token } = await axios.post<{ access_token: string }>(
		`${productionUrl}/api/v1/oauth2/access_token`,
		{ client_id: data.clientId, client_secret: data.clientSecret },
		{ proxy: false },
	);
	const form = new FormData();
	form.append('files', new Blob(['Policy Number: 1']), 'policy.txt');
	const headers = { authorization: `Bearer ${token.access_token}` };
	const { data: started } = await axios.post<{ workflow_execution_id: string }>(
		`${productionUrl}/api/v1/workflow-builder/workflows/${WORKFLOW}/executions`,
		form,
		{ headers, proxy: false },
	);
	return { executionId: started.workflow_execution_id };
}

function endOf({ status, error }: Execution): string {
	return `${status} ${JSON.stringify(error?.message ?? '')}`;
}
