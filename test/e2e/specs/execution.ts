import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastRun, output } from '../../../harness/n8n-execution';
import {
	chain,
	documentWorkflow,
	EARLY,
	numbers,
	readFiles,
	split,
	TEXT_ONLY,
	type Operation,
} from '../flows';
import { WRONG_CLIENT_SECRET } from '../../leaks/secrets';
import type { Scope } from '../lines';
import { DOCUMENTS, expectedOf, type World } from '../support';

const NODE = 'Document Workflow';

/** The four operations on real documents. */
export function executionSpec(world: () => World, { differencesOnly }: Scope): void {
	const runOn = async (operation: Operation, workflowId: string, parameters = {}) =>
		world().client.runToEnd(
			chain(operation, documentWorkflow(world(), operation, workflowId, parameters)),
		);

	it('Create sends each byte of a document with its name and type, and returns the identifiers', async () => {
		const { client, simulator } = world();
		const file = join(DOCUMENTS, 'declarations-page.pdf');
		const textInputs = {
			inputs: { textInputs: [{ name: 'policy_number', value: 'CPP-1001' }] },
		};
		const flow = chain(
			'Create',
			readFiles(file),
			documentWorkflow(world(), 'create', 'policy-intake', textInputs),
		);
		const [item] = output(await client.runToEnd(flow), NODE);
		expect(item?.json).toMatchObject({ workflowId: 'policy-intake', status: 'running' });

		const arrived = simulator.state.executions.find(String(item?.json.executionId));
		expect(arrived?.userInputs).toEqual({ policy_number: 'CPP-1001' });
		expect(arrived?.files).toEqual([
			expect.objectContaining({
				fileName: 'declarations-page.pdf',
				mediaType: 'application/pdf',
				sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
			}),
		]);
	});

	it('Create and Wait returns an item for each document, in order, with values and confidence', async () => {
		const { client } = world();
		const names = ['application', 'certificate-of-insurance', 'statement-of-values'];
		const workflows = Object.fromEntries(
			names.map((name) => [`${name}.pdf`, expectedOf(name).workflowId]),
		);
		const flow = chain(
			'Create and Wait',
			readFiles(join(DOCUMENTS, `{${names.join(',')}}.pdf`)),
			documentWorkflow(
				world(),
				'createAndWait',
				`={{ (${JSON.stringify(workflows)})[$json.fileName] }}`,
				{ ...EARLY, outputOptions: { values: 'us' } },
			),
		);
		const execution = await client.runToEnd(flow);
		const read = output(execution, 'Read').map(({ json }) =>
			String(json.fileName).replace('.pdf', ''),
		); // in no certain order
		expect([...read].sort()).toEqual(names);
		const items = output(execution, NODE);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		items.forEach(({ json }, index) => {
			const { workflowId, steps } = expectedOf(read[index] ?? '');
			expect(json).toMatchObject({ workflowId, status: 'completed', data: steps });
			const confidence = json.confidence as Record<string, Array<Record<string, number>>>;
			const scores = Object.values(confidence).flatMap((rows) =>
				rows.flatMap((row) => Object.values<number>(row)),
			);
			expect(scores.length).toBeGreaterThan(10);
			for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
			expect(json.lowestConfidence).toBe(Math.min(...scores));
		});
	});

	it('returns failed items through the Error output, with their identifiers, and the others through the first', async () => {
		const { client } = world();
		const byNumber = "={{ $json.numbers === 1 ? 'failing' : 'quick' }}";
		const settings = { onError: 'continueErrorOutput' };
		const flow = chain(
			'Error output',
			numbers(3),
			split(),
			documentWorkflow(world(), 'createAndWait', byNumber, { ...TEXT_ONLY, ...EARLY }, settings),
		);
		const execution = await client.runToEnd(flow);
		expect(execution.status).toBe('success');
		expect(output(execution, NODE, 0).map(({ json }) => json.workflowId)).toEqual([
			'quick',
			'quick',
		]);
		const failed = output(execution, NODE, 1);
		expect(failed).toHaveLength(1);
		expect(failed[0]?.json).toMatchObject({
			numbers: 1,
			error: {
				workflowId: 'failing',
				executionId: expect.stringMatching(/^[\w-]{36}$/),
				status: 'failed',
				message: 'The service could not process the documents: The document has no pages',
				description: expect.stringMatching(/Execution [\w-]{36} \(workflow failing\)/),
			},
		});
	});

	it('does not send accepted documents again with Retry On Fail', async () => {
		const { client, simulator } = world();
		const before = simulator.state.executions.all().length;
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const byNumber = "={{ $json.numbers === 1 ? 'no-such-workflow' : 'quick' }}";
		const flow = chain(
			'Retry',
			numbers(3),
			split(),
			documentWorkflow(world(), 'create', byNumber, TEXT_ONLY, settings),
		);
		const { error } = lastRun(await client.runToEnd(flow), NODE);
		const started = simulator.state.executions.all().slice(before);
		expect(
			simulator.state.requests
				.all()
				.filter(({ route, status }) => route === 'create' && status === 404),
		).toHaveLength(3);
		expect(started).toHaveLength(2);
		for (const { executionId } of started) expect(error?.description).toContain(executionId);
	});

	it("sends only what failed in the service again when retried in n8n's list of executions", async () => {
		const { client, simulator } = world();
		const before = simulator.state.executions.all().length;
		const created = () =>
			simulator.state.executions
				.all()
				.slice(before)
				.map(({ workflowId }) => workflowId);
		const byNumber = "={{ ['quick', 'no-such-workflow', 'quick'][$json.numbers] }}";
		const rejected = await client.runToEnd(
			chain(
				'Refused',
				numbers(3),
				split(),
				documentWorkflow(world(), 'create', byNumber, TEXT_ONLY),
			),
		);
		expect(created()).toEqual(['quick', 'quick']);
		const again = await client.waitForExecution(await client.retryExecution(rejected.id));
		expect(again.id).not.toBe(rejected.id);
		expect(created()).toEqual(['quick', 'quick']);
		const started = simulator.state.executions.all().slice(before);
		for (const { executionId } of started)
			expect(lastRun(again, NODE).error?.description).toContain(executionId);

		const inputs = { ...EARLY, documentOptions: { skipAlreadySent: 'node' } };
		const failed = await client.runToEnd(
			chain(
				'Failed',
				readFiles(join(DOCUMENTS, 'invoice.pdf')),
				documentWorkflow(world(), 'createAndWait', 'failing', inputs),
			),
		);
		expect(
			lastRun(await client.waitForExecution(await client.retryExecution(failed.id)), NODE).error
				?.message,
		).toMatch(/^The service could not process the documents/);
		expect(created()).toEqual(['quick', 'quick', 'failing', 'failing']);
	});

	if (differencesOnly) return;

	it('Get returns the status of a running execution, and the data once it is completed', async () => {
		const { client, simulator } = world();
		const flow = chain(
			'Create',
			readFiles(join(DOCUMENTS, 'claim-note.txt')),
			documentWorkflow(world(), 'create', 'claim-notes'),
		);
		const [created] = output(await client.runToEnd(flow), NODE);
		const executionId = String(created?.json.executionId);
		await simulator.state.executions.finish(executionId, { status: 'completed' });
		const [item] = output(await runOn('get', 'claim-notes', { executionId }), NODE);
		expect(item?.json).toMatchObject({
			executionId,
			status: 'completed',
			data: expectedOf('claim-note').steps,
		});

		const [running] = output(await runOn('create', 'never-ending', TEXT_ONLY), NODE);
		const [checked] = output(
			await runOn('get', 'never-ending', { executionId: running?.json.executionId }),
			NODE,
		);
		expect(checked?.json).toMatchObject({
			executionId: running?.json.executionId,
			status: 'running',
		});
	});

	it('Wait for Completion returns the data of an execution that another run created', async () => {
		const { client } = world();
		const flow = chain(
			'Create',
			readFiles(join(DOCUMENTS, 'invoice.pdf')),
			documentWorkflow(world(), 'create', 'invoice-intake'),
		);
		const [created] = output(await client.runToEnd(flow), NODE);
		const executionId = String(created?.json.executionId);
		const [item] = output(await runOn('wait', 'invoice-intake', { executionId, ...EARLY }), NODE);
		expect(item?.json).toMatchObject({
			executionId,
			status: 'completed',
			data: expectedOf('invoice').steps,
		});
	});

	it('Create and Wait fails with the reason of the service when the execution fails', async () => {
		const execution = await runOn('createAndWait', 'failing', { ...TEXT_ONLY, ...EARLY });
		expect(execution.status).toBe('error');
		const { error } = lastRun(execution, NODE);
		expect(error?.message).toBe(
			'The service could not process the documents: The document has no pages',
		);
		expect(error?.description).toMatch(/Execution [\w-]+ \(workflow failing\)/);
	});

	it('Create reports a wrong client secret', async () => {
		const { client, simulator, credential } = world();
		const { id, name, type, data } = credential;
		await client.updateCredential(id, {
			name,
			type,
			data: { ...data, clientSecret: WRONG_CLIENT_SECRET },
		});
		try {
			const { error } = lastRun(await runOn('create', 'quick', TEXT_ONLY), NODE);
			expect(error?.message).toBe('The service rejected Client ID and Client Secret');
			expect(simulator.state.requests.all().map(({ route }) => route)).toEqual(['token']);
		} finally {
			await client.updateCredential(id, { name, type, data });
		}
	});

	it('Create names an unknown workflow in its error', async () => {
		const execution = await runOn('create', 'no-such-workflow', TEXT_ONLY);
		expect(lastRun(execution, NODE).error?.message).toBe(
			'The workflow "no-such-workflow" was not found',
		);
	});

	it('retries while the service is too busy, and starts no execution twice', async () => {
		const { simulator } = world();
		simulator.state.faults.add({
			route: 'create',
			requests: { to: 2 },
			action: { type: 'status', status: 429, retryAfter: 1 },
		});
		simulator.state.faults.add({ route: 'get', times: 1, action: { type: 'status', status: 503 } });
		const before = simulator.state.executions.all().length;
		const execution = await runOn('createAndWait', 'quick', { ...TEXT_ONLY, ...EARLY });
		expect(execution.status).toBe('success');
		expect(simulator.state.executions.all().length - before).toBe(1);
		expect(simulator.state.requests.all().filter(({ route }) => route === 'create')).toHaveLength(
			3,
		);
	});
}
