import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_DOCUMENTS } from '../../../examples/make-documents/sample-documents';
import { withSetting } from '../../../harness/example-workflows';
import { output, type Execution } from '../../../harness/n8n-execution';
import { DOCUMENTS, expectedOf, type World } from '../support';
import {
	expectNoGaps,
	expectSampleShape,
	expectSuccess,
	live,
	POLICY,
	runLive,
	template,
	withFilesOnDisk,
	withQuickService,
	withService,
} from '../templateRuns';

/** The templates that begin with a file in a folder or library, with the simulated service. */
export function templatesFilesSpec(world: () => World): void {
	it('drive-folder saves the data of each file and moves it, and sends no file a second time', async () => {
		await withQuickService(world(), async (own) => {
			await writeFile(join(own.folder, 'policy.txt'), POLICY);
			const files = `{${join(DOCUMENTS, 'declarations-page.pdf')},${join(own.folder, 'policy.txt')}}`;
			const id = await own.client.createWorkflow(live(own, 'drive-folder', files, 'data'));
			const run = async () => {
				const ended = await own.client.waitForExecution(await own.client.run(id, 'Start'));
				expectSuccess(ended, []);
				return ended;
			};
			const first = await run();
			expectNoGaps(first, template('drive-folder'));
			expectSampleShape(first, 'drive-folder', 'Read the File');
			expectTable(first, 'Save the Data', 'Name the File', ['declarations-page.pdf', 'policy.txt']);
			expect(output(first, 'Move to Done')).toHaveLength(1);
			expect(output(first, 'Move to Needs Review')).toHaveLength(1);
			const second = await run();
			expect(output(second, 'Name the File').map(({ json }) => json.row)).toEqual([null, null]);
			expect(output(second, 'Move to Done')).toHaveLength(2);
			await own.client.deleteWorkflow(id);
			const failWith = { error: 'The document has no pages.' };
			own.simulator.state.workflows.change('policy-intake', { failWith });
			const failed = await runLive(own, 'drive-folder', join(own.folder, 'policy.txt'), 'data');
			const [moved] = output(failed, 'Move to Needs Review').map(({ json }) => json);
			expect(JSON.stringify(moved)).toContain('The document has no pages');
			await writeFile(join(own.folder, 'empty.txt'), '');
			const empty = await runLive(own, 'drive-folder', join(own.folder, 'empty.txt'), 'data');
			expect(output(empty, 'Move to Needs Review').map(({ json }) => json)).toMatchObject([
				{ toReview: 'Nothing was sent: empty.txt (it is empty)' },
			]);
		});
	});

	it('overnight-batch saves all rows as one Excel file, then counts the results in a mail, and leaves only what failed for the next evening', async () => {
		await withQuickService(world(), async (own) => {
			const folder = join(own.folder, 'overnight');
			await mkdir(folder, { recursive: true });
			await copyFile(join(DOCUMENTS, 'declarations-page.pdf'), join(folder, 'page.pdf'));
			await writeFile(join(folder, 'policy.txt'), POLICY);
			await writeFile(join(folder, 'broken.txt'), 'Policy Number: EX-2');
			const workflow = withService(own, template('overnight-batch'));
			const value = "={{ $json.name === 'broken.txt' ? 'failing' : 'policy-intake' }}";
			const workflowId = { __rl: true, mode: 'id', value };
			const nodes = workflow.nodes.map((each) =>
				each.name === 'Read the Documents'
					? { ...each, parameters: { ...each.parameters, workflowId } }
					: each,
			);
			const id = await own.client.createWorkflow(
				withFilesOnDisk({ ...workflow, nodes }, join(folder, '*')),
			);
			const evening = async () => {
				const run = await own.client.run(id, 'Each Evening');
				const ended = await own.client.waitForExecution(run);
				expectSuccess(ended, ['Send the Summary']);
				expectNoGaps(ended, template('overnight-batch'));
				return ended;
			};
			const first = await evening();
			const inOrder = ['Save the Excel File', 'Send the Summary', 'Move to Done'];
			expect(Object.keys(first.runs).filter((name) => inOrder.includes(name))).toEqual(inOrder);
			const [mail, ...more] = output(first, 'Send the Summary').map(({ json }) => json);
			expect(more).toEqual([]);
			expect(mail?.subject).toBe('Documents of the night: 1 good, 1 doubtful, 1 failed');
			expect(mail?.bodyContent).toMatch(
				/^- broken\.txt: failed, The execution failed: The document has no pages, [\w-]+$/m,
			);
			expect(mail?.bodyContent).toMatch(
				/^- page\.pdf: doubtful, Check: policy details: underwriter \(no value\), /m,
			);
			expectTable(first, 'Save the Excel File', 'Make One Item per Row', [
				'page.pdf',
				'policy.txt',
			]);
			const samples = template('overnight-batch').pinData['Read the Documents'] ?? [];
			expect(shapesOf(samples)).toEqual(shapesOf(output(first, 'Read the Documents')));

			const done = output(first, 'Move to Done').map(({ json }) => String(json.fileId));
			expect(done.sort()).toEqual(['page.pdf', 'policy.txt']);
			for (const name of done) await rm(join(folder, name));
			expect(output(await evening(), 'Send the Summary').map(({ json }) => json)).toMatchObject([
				{ documents: 1, good: 0, doubtful: 0, failed: 1 },
			]);
			await own.client.deleteWorkflow(id);
		});
	});

	it('sample-documents sends each file of a folder to the workflow for its type', async () => {
		await withQuickService(world(), async (own) => {
			const example = withSetting(
				withService(own, template('sample-documents')),
				'documentsFolder',
				DOCUMENTS,
			);
			const execution = await own.client.runToEnd({ ...example, pinData: {} });
			expectSuccess(execution, ['Use the Data', 'Note What to Check']);
			expectNoGaps(execution, template('sample-documents'));
			const used = ['Use the Data', 'Note What to Check'].flatMap((name) =>
				output(execution, name).map(({ json }) => json),
			);
			expect(used).toHaveLength(SAMPLE_DOCUMENTS.length);
			for (const { file, workflowId } of used)
				expect(workflowId).toBe(expectedOf(String(file).split('.')[0] ?? '').workflowId);
			expectSampleShape(execution, 'sample-documents', 'Read the Documents');
		});
	});
}

/** One Excel file was saved, with rows of these files. */
function expectTable(execution: Execution, save: string, make: string, files: string[]): void {
	const [saved, ...others] = output(execution, save);
	expect(others).toEqual([]);
	expect(saved?.binary?.data?.fileExtension).toBe('xlsx');
	const rows = output(execution, make).map(({ json }) =>
		Object.fromEntries(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value])),
	);
	expect([...new Set(rows.map(({ file }) => file))].sort()).toEqual(files);
	expect(rows[0]).toMatchObject({
		step: 'policy_details',
		row: 1,
		policy_number: expect.any(String),
	});
}

/** The fields of items, in their order, by the status of the execution. */
function shapesOf(items: Array<{ json: Record<string, unknown> }>): Map<unknown, string[]> {
	return new Map(items.map(({ json }) => [json.status, Object.keys(json)]));
}
