import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output, type Execution } from '../../../harness/n8n-execution';
import { DOCUMENTS, type World } from '../support';
import { expectSampleShape, POLICY, runLive, withQuickService } from '../templateRuns';

/** The mail of "outlook-to-excel" is moved to *Needs Review*, and its row says why. */
function expectToReview(execution: Execution, reason: string): void {
	const jsonOf = (name: string) => output(execution, name).map(({ json }) => json);
	expect(jsonOf('Add a Row')).toMatchObject([{ 'Needs Review': 'Yes', 'To Check': reason }]);
	expect(jsonOf('Move to Needs Review')).toMatchObject([{ 'messageId.value': 'AAMkAGExample1' }]);
}

/** The templates that begin with a mail, with the simulated service. */
export function templatesMailSpec(world: () => World): void {
	it('outlook-to-excel adds a row for each policy, and moves each mail by what was read from it', async () => {
		await withQuickService(world(), async (own) => {
			await writeFile(join(own.folder, 'policy.txt'), POLICY);
			const files = `{${join(DOCUMENTS, 'declarations-page.pdf')},${join(own.folder, 'policy.txt')}}`;
			const execution = await runLive(own, 'outlook-to-excel', files, 'attachment_0');
			const rows = output(execution, 'Choose the Columns').map(({ json }) => json);
			const rowOf = (document: string) => rows.find((row) => row.Documents === document);
			const [doubtful, certain] = [rowOf('declarations-page.pdf'), rowOf('policy.txt')];
			expect(doubtful).toMatchObject({
				'Policy Number': 'EMC-CP-1048823-26',
				'Total Premium': 61689.5,
				'Needs Review': 'Yes',
				'To Check': 'Check: underwriter (no value)',
			});
			expect(certain).toMatchObject({
				'Named Insured': "'=Sample Bakery LLC",
				'Needs Review': 'No',
			});
			const moved = (name: string) =>
				output(execution, name).map(({ json }) => json['messageId.value']);
			expect(moved('Move to Needs Review')).toEqual([doubtful?.mailId]);
			expect(moved('Move to Done')).toEqual([certain?.mailId]);
			expectSampleShape(execution, 'outlook-to-excel', 'Read the Attachments');
		});
	});

	it('outlook-to-excel moves a mail to Needs Review if it has no documents or they could not be read', async () => {
		await withQuickService(world(), async (own) => {
			for (const [name, content, problem] of [
				['invite.ics', 'BEGIN:VCALENDAR', 'Nothing was sent: invite.ics (it is a calendar entry)'],
				['empty.txt', '', 'Nothing was sent: empty.txt (it is empty)'],
			] as const) {
				await writeFile(join(own.folder, name), content);
				const without = await runLive(
					own,
					'outlook-to-excel',
					join(own.folder, name),
					'attachment_0',
				);
				expectToReview(without, problem);
			}
			own.simulator.state.workflows.change('policy-intake', {
				failWith: { error: 'The document has no pages.' },
			});
			const file = join(DOCUMENTS, 'declarations-page.pdf');
			const execution = await runLive(own, 'outlook-to-excel', file, 'attachment_0');
			expectToReview(execution, 'The execution failed: The document has no pages');
		});
	});

	it('gmail-to-google-sheet adds each row of the table, and changes the label once for each mail', async () => {
		await withQuickService(world(), async (own) => {
			const file = join(DOCUMENTS, 'loss-run.pdf');
			const execution = await runLive(own, 'gmail-to-google-sheet', file, 'attachment_0');
			expect(output(execution, 'Add the Rows')).toHaveLength(15);
			const [last, ...more] = output(execution, 'Remove the Intake Label');
			expect(more).toEqual([]);
			expect(last?.json).toMatchObject({ messageId: '19example0001' });
			expect(output(execution, 'Add Label Done')).toHaveLength(1);
			const note = join(DOCUMENTS, 'claim-note.txt');
			const without = await runLive(own, 'gmail-to-google-sheet', note, 'attachment_0');
			expect(output(without, 'Add the Rows')).toHaveLength(1);
			expect(output(without, 'Add Label Needs Review').map(({ json }) => json)).toMatchObject([
				{
					messageId: '19example0001',
					toReview: expect.stringMatching(
						/^There are no rows in "claims". The steps are: "account"/,
					),
					whatToDo: expect.stringMatching(/^Open the mail/),
				},
			]);
			expectSampleShape(execution, 'gmail-to-google-sheet', 'Read the Tables');
		});
	});
}
