import type { Locator, Page } from 'playwright-core';
import type { Editor } from '../../../harness/browser';
import { installPackage, openPackages } from '../../../harness/gestures';
import type { Line } from '../../../harness/install';
import { cardOf, INVOICE, invoiceWorkflow, remove, update, withoutPackage } from '../packages';
import { expectedOf } from '../support';

const MINUTE = 60_000;
const NODE = 'Document Workflow';
const FIRST = '1.0.0';
const SECOND = '1.1.0';

/** The package as users install, update and remove it, in the editor of an n8n that begins without it. */
export function installingSpec(line: Line): void {
	it(`is installed by its name, runs a workflow, is updated under this workflow, and is removed, in the browser of ${line}`, async () => {
		await withoutPackage(line, async ({ client, editor, publish, simulator }) => {
			const { page, screenshot } = editor;
			const picture = async (name: string) => screenshot(`${name}-${line}`);
			await publish(FIRST);
			await openPackages(editor);
			await installPackage(page, async () => picture('package-to-install'));
			await cardOf(page, FIRST).waitFor();
			await picture('package-installed');
			await find(editor);
			await listed(page).first().waitFor();

			const workflow = await invoiceWorkflow(client, simulator);
			await run(editor, workflow);
			await picture('package-run');

			await publish(SECOND);
			await openPackages(editor);
			await update(page, INVOICE, async () => picture('package-to-update'));
			await cardOf(page, SECOND).waitFor();
			await run(editor, workflow);
			await picture('package-run-after-update');

			await openPackages(editor);
			await remove(page, INVOICE, async () => picture('package-to-remove'));
			await page.getByRole('button', { name: 'Install a community node' }).waitFor();
			expect(await cardOf(page, SECOND).count()).toBe(0);
			await find(editor);
			await page.getByText(/^No results|^We didn't make that/).waitFor();
			expect(await listed(page).count()).toBe(0);
			await openNode(editor, workflow);
			await page.getByText('This node is not currently installed').waitFor();
			await picture('package-removed');
			expect(editor.errors).toEqual([]);
		});
	});
}

/** Searches the node in n8n's list of nodes. */
async function find({ open, page }: Editor): Promise<void> {
	await open('/workflow/new');
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
	await page.keyboard.type('document workflow');
}

function listed(page: Page): Locator {
	return page.getByTestId('item-iterator-item').filter({ hasText: NODE });
}

async function openNode({ open, page }: Editor, workflow: string): Promise<void> {
	await open(`/workflow/${workflow}`);
	await page.getByTestId('canvas-node').filter({ hasText: NODE }).dblclick();
}

/** Runs a workflow, and looks at the extracted data in its node. */
async function run(editor: Editor, workflow: string): Promise<void> {
	const { page } = editor;
	await editor.open(`/workflow/${workflow}`);
	await page.getByTestId('execute-workflow-button').first().click();
	await page.getByText('Workflow executed successfully').waitFor({ timeout: MINUTE });
	await page.getByTestId('canvas-node').filter({ hasText: NODE }).dblclick();
	const { invoice } = expectedOf('invoice').steps;
	const output = page.getByTestId('output-panel');
	await output.getByTestId('radio-button-table').click();
	await output.getByText(String(invoice?.[0]?.invoice_number)).first().waitFor();
}
