import type { Locator, Page } from 'playwright-core';
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

			const workflow = await invoiceWorkflow(client, simulator);
			await editor.follow(`/workflow/${workflow}`);
			await search(page);
			await listed(page).first().waitFor();
			await page.keyboard.press('Escape');
			await run(page);
			await picture('package-run');

			await publish(SECOND);
			await openPackages(editor);
			await update(page, INVOICE, async () => picture('package-to-update'));
			await cardOf(page, SECOND).waitFor();
			await editor.follow(`/workflow/${workflow}`);
			await run(page);
			await picture('package-run-after-update');

			await openPackages(editor);
			await remove(page, INVOICE, async () => picture('package-to-remove'));
			await page.getByRole('button', { name: 'Install a community node' }).waitFor();
			expect(await cardOf(page, SECOND).count()).toBe(0);
			await editor.follow(`/workflow/${workflow}`);
			await search(page);
			await page.getByText(/^No results|^We didn't make that/).waitFor();
			expect(await listed(page).count()).toBe(0);
			await page.keyboard.press('Escape');
			await nodeIn(page).dblclick();
			await page.getByText('This node is not currently installed').waitFor();
			await picture('package-removed');
			expect(editor.errors).toEqual([]);
		});
	});
}

/** Searches the node in n8n's list of nodes. */
async function search(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
	await page.keyboard.type('document workflow');
}

function listed(page: Page): Locator {
	return page.getByTestId('item-iterator-item').filter({ hasText: NODE });
}

function nodeIn(page: Page): Locator {
	return page.getByTestId('canvas-node').filter({ hasText: NODE });
}

/** Runs the workflow that is open, and looks at the extracted data in its node. */
async function run(page: Page): Promise<void> {
	await page.getByTestId('execute-workflow-button').first().click();
	await page.getByText('Workflow executed successfully').waitFor({ timeout: MINUTE });
	await nodeIn(page).dblclick();
	const { invoice } = expectedOf('invoice').steps;
	const output = page.getByTestId('output-panel');
	await output.getByTestId('radio-button-table').click();
	await output.getByText(String(invoice?.[0]?.invoice_number)).first().waitFor();
}
