import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output } from '../../../harness/n8n-execution';
import { DOCUMENTS, type World } from '../support';
import {
	expectNoGaps,
	expectSampleShape,
	expectSuccess,
	live,
	POLICY,
	runLive,
	template,
	withQuickService,
} from '../templateRuns';

const MINUTE = 60_000;

/** The templates that begin with a file in a folder or library, with the simulated service. */
export function templatesFilesSpec(world: () => World): void {
	it(
		'drive-folder saves the data of each file and moves it, and sends no file a second time',
		async () => {
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
				const saved = output(first, 'Save the Data');
				expect(saved.map(({ binary }) => Object.keys(binary ?? {}).includes('report_csv'))).toEqual(
					[true, true],
				);
				expect(output(first, 'Move to Done')).toHaveLength(1);
				expect(output(first, 'Move to Needs Review')).toHaveLength(1);
				const second = await run();
				expect(second.runs).not.toHaveProperty(['Save the Data']);
				expect(output(second, 'Move to Done')).toHaveLength(2);
				await own.client.deleteWorkflow(id);
				const failWith = { error: 'The document has no pages.' };
				own.simulator.state.workflows.change('policy-intake', { failWith });
				const failed = await runLive(own, 'drive-folder', join(own.folder, 'policy.txt'), 'data');
				expect(output(failed, 'Move to Needs Review').map(({ json }) => json)).toMatchObject([
					{ file: 'declarations-page.pdf', problem: expect.stringContaining('has no pages') },
				]);
			});
		},
		MINUTE,
	);
}
