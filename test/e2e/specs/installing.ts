import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openEditor, type Editor } from '../../../harness/browser';
import { installPackage, openPackages } from '../../../harness/gestures';
import type { Line } from '../../../harness/install';
import { startN8n } from '../../../harness/n8n';
import { connect, type N8nClient } from '../../../harness/n8n-rest';
import { packPackage } from '../../../harness/pack';
import { startRegistry } from '../../../harness/registry';
import type { Simulator } from '../../../simulator';
import { leaksAtEnd } from '../../leaks/remains';
import { chain, documentWorkflow, EARLY, readFiles } from '../flows';
import { DOCUMENTS, expectedOf, startService, storeCredential } from '../support';

const MINUTE = 60_000;
const NODE = 'Document Workflow';
const WORKFLOW = 'Read an invoice';
const FIRST = '1.0.0';
const SECOND = '1.1.0';

/** The package as users install, update and remove it, in the editor of an n8n that begins without it. */
export function installingSpec(line: Line): void {
	it(
		`is installed by its name, runs a workflow, is updated under this workflow, and is removed, in the browser of ${line}`,
		async () => {
			await withoutPackage(line, async ({ client, editor, publish, simulator }) => {
				const { page, screenshot } = editor;
				const atSignIn = editor.errors.length; // the page of n8n 1 has one
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
				await update(page, async () => picture('package-to-update'));
				await cardOf(page, SECOND).waitFor();
				await run(editor, workflow);
				await picture('package-run-after-update');

				await openPackages(editor);
				await remove(page, async () => picture('package-to-remove'));
				await page.getByRole('button', { name: 'Install a community node' }).waitFor();
				expect(await cardOf(page, SECOND).count()).toBe(0);
				await find(editor);
				await page.getByText(/^No results|^We didn't make that/).waitFor();
				expect(await listed(page).count()).toBe(0);
				await openNode(editor, workflow);
				await page.getByText('This node is not currently installed').waitFor();
				await picture('package-removed');
				expect(editor.errors.slice(atSignIn)).toEqual([]);
			});
		},
		5 * MINUTE,
	);
}

interface Without {
	client: N8nClient;
	editor: Editor;
	/** Publishes the package under a version. */
	publish: (version: string) => Promise<void>;
	simulator: Simulator;
}

/** Works in an n8n without the package, beside a registry that will have it. */
async function withoutPackage(line: Line, work: (given: Without) => Promise<void>): Promise<void> {
	const tarball = await packPackage();
	const ends: Array<() => unknown> = [];
	try {
		const userFolder = mkdtempSync(join(tmpdir(), 'document-workflow-n8n-'));
		ends.push(() => rmSync(userFolder, { recursive: true, force: true, maxRetries: 10 }));
		const registry = await startRegistry();
		ends.push(registry.stop);
		const simulator = await startService();
		ends.push(async () => simulator.stop());
		const env = { N8N_RESTRICT_FILE_ACCESS_TO: DOCUMENTS, ...registry.prepare(userFolder) };
		const n8n = await startN8n({ line, userFolder, env });
		ends.push(n8n.stop);
		const client = await connect(n8n);
		const editor = await openEditor(n8n.url, client.login);
		ends.push(editor.close);
		await work({
			client,
			editor,
			publish: async (version) => registry.publish(tarball, version),
			simulator,
		});
		expect(await leaksAtEnd(n8n)).toEqual([]);
	} finally {
		for (const end of ends.reverse()) await end();
	}
}

/** A stored workflow of the node with a credential. */
async function invoiceWorkflow(client: N8nClient, simulator: Simulator): Promise<string> {
	const credential = await storeCredential(client, simulator);
	const node = documentWorkflow({ credential }, 'createAndWait', 'invoice-intake', EARLY);
	return client.createWorkflow(chain(WORKFLOW, readFiles(join(DOCUMENTS, 'invoice.pdf')), node));
}

/** The entry of the package in the list, if it has this version. */
function cardOf(page: Page, version: string): Locator {
	return page.getByText(`v${version}`, { exact: true });
}

async function update(page: Page, beforeConfirming: () => Promise<void>): Promise<void> {
	await page.getByRole('button', { name: 'Update', exact: true }).click();
	const confirm = page.getByRole('button', { name: 'Confirm update' });
	await page.getByRole('dialog').getByText(WORKFLOW).waitFor();
	await beforeConfirming();
	await confirm.click();
	await page.getByText('Package updated').waitFor();
}

async function remove(page: Page, beforeConfirming: () => Promise<void>): Promise<void> {
	await page.getByTestId('action-toggle').click();
	await page.getByText('Uninstall package').click();
	const confirm = page.getByRole('button', { name: 'Confirm uninstall' });
	await page.getByRole('dialog').getByText(WORKFLOW).waitFor();
	await beforeConfirming();
	await confirm.click();
	await page.getByText('Package uninstalled').waitFor();
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
