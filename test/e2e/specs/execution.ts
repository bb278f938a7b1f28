import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastRun, output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, numbers, readFiles, split, TEXT_ONLY } from '../flows';
import { DOCUMENTS, expectedOf, type World } from '../support';

const NODE = 'Document Workflow';

/** Create, and Create and Wait, on real documents. */
export function executionSpec(world: () => World): void {
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
		const byNumber = "={{ $json.numbers === 1 ? 'never-ending' : 'quick' }}";
		const longestWaitHours = '={{ $json.numbers === 1 ? 0.001 : 1 }}';
		const parameters = { ...TEXT_ONLY, waiting: { ...EARLY.waiting, longestWaitHours } };
		const settings = { onError: 'continueErrorOutput' };
		const flow = chain(
			'Error output',
			numbers(3),
			split(),
			documentWorkflow(world(), 'createAndWait', byNumber, parameters, settings),
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
				workflowId: 'never-ending',
				executionId: expect.stringMatching(/^[\w-]{36}$/),
				status: 'running',
				message: 'No result after 0.001 hours: the execution is still running',
				description: expect.stringMatching(/Execution [\w-]{36} \(workflow never-ending\)/),
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
}
