import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openEditor, type Editor } from '../../../harness/browser';
import {
	addNode,
	beginWithForm,
	choose,
	chooseFromList,
	drag,
	enterId,
	openEmptyWorkflow,
	pill,
	upload,
} from '../../../harness/gestures';
import type { N8nClient } from '../../../harness/n8n-rest';
import type { Scope } from '../lines';
import { DOCUMENTS, expectedOf, until, type World } from '../support';

const CREDENTIAL = 'Newcomer account';
const INVOICE = join(DOCUMENTS, 'invoice.pdf');
/** The fields of the workflow any-document, and what docs/results.md says to add. */
const COLUMNS = {
	...{ policy_number: 'string', insured: 'string', claim_number: 'string' },
	...{ date_of_loss: 'string', effective_date: 'string', expiration_date: 'string' },
	total: 'number',
	...{ needsReview: 'boolean', toReview: 'string', step: 'string', row: 'number' },
	...{ fileName: 'string', executionId: 'string', executionUrl: 'string' },
	...{ executionStatus: 'string', externalId: 'string' },
};

/** From an empty canvas to data in a table, with mouse and keyboard. */
export function newcomerSpec(world: () => World, { long }: Scope): void {
	describe('someone new to the node', () => {
		let current: Editor | undefined;
		const editor = (): Editor => {
			if (!current) throw new Error('The editor has not been opened');
			return current;
		};
		beforeAll(async () => {
			const { client, n8n, credential } = world();
			const { type, data } = credential;
			await client.createCredential({ name: CREDENTIAL, type, data });
			current = await openEditor(n8n.url, client.login);
		});
		afterEach(() => expect(editor().errors).toEqual([]));
		afterAll(async () => current?.close());

		it('has the data of an uploaded file with one value, and drags a field into the next node', async () => {
			const { page, screenshot } = editor();
			const { steps } = expectedOf('invoice');
			const number = String(steps.invoice?.[0]?.invoice_number);
			const given = await extractFromForm(editor(), world().client, 'invoice-intake');
			await upload(page, INVOICE);
			const output = page.getByTestId('output-panel');
			await output.getByText(number).first().waitFor();
			await screenshot('newcomer-output');
			expect(given).toEqual(['Workflow']);

			await addNode(page, 'edit fields', 'Edit Fields');
			const input = page.getByTestId('ndv-input-panel');
			await drag(page, pill(input, 'invoice_number'), page.getByTestId('drop-area'));
			await page.getByTestId('node-parameters').getByText(number).first().waitFor();
			await page.getByTestId('node-execute-button').click();
			await output.getByText(number).first().waitFor();
			await screenshot('newcomer-mapped');
		});

		if (!long) return;

		it('maps rows automatically into a data table made before, with two values, and the mark of review; then those of another document', async () => {
			const { page, screenshot } = editor();
			const { client } = world();
			const name = `Documents ${randomUUID()}`; // n8n keeps it
			const table = await client.createDataTable(name, COLUMNS);
			const given = await extractFromForm(editor(), client, 'any-document');
			await choose(page, 'output', 'One Item per Row');
			given.push('Output');
			await upload(page, INVOICE);
			await page.getByTestId('output-panel').getByText('1 item').first().waitFor();
			expect(given).toHaveLength(2);

			await addNode(page, 'data table', 'Data table', 'Insert row');
			await chooseFromList(page, 'dataTableId', name);
			await page.getByTestId('mapping-mode-select').click();
			await page.getByRole('option', { name: /^Map Automatically/ }).click();
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('output-panel').getByText('1 item').first().waitFor();
			await screenshot('newcomer-rows');

			await page.getByTestId('ndv-close-button').click();
			const whole = page.getByTestId('execute-workflow-button').first();
			const end = page.getByText('Workflow executed successfully');
			await upload(page, join(DOCUMENTS, 'claim-note.txt'), whole, end);
			const { steps } = expectedOf('invoice');
			const { claim_number, insured } = steps.invoice?.[0] ?? {};
			await until(async () => (await client.dataTableRows(table)).length > 1);
			const marks = { needsReview: true, toReview: expect.stringMatching(/^Check: /), row: 1 };
			expect(await client.dataTableRows(table)).toMatchObject([
				{ ...marks, claim_number, insured, fileName: 'invoice.pdf' },
				{ ...marks, fileName: 'claim-note.txt' },
			]);
		});
	});
}

/** Adds a form with a file and the node behind it; returns the names of the fields that were filled in at the node, beside its credential. */
async function extractFromForm(
	editor: Editor,
	client: N8nClient,
	workflow: string,
): Promise<string[]> {
	const { page } = editor;
	await openEmptyWorkflow(editor, client);
	await beginWithForm(page);

	await addNode(page, 'invoice', 'Document Workflow', 'Create and wait for extracted data');
	await page.getByTestId('node-credentials-select').click();
	await page.getByRole('option', { name: new RegExp(`^${CREDENTIAL}`) }).click();
	await enterId(page, 'workflowId', workflow);
	return ['Workflow'];
}
