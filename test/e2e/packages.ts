/** The package in n8n's page of community nodes, in an n8n that begins without it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openEditor, type Editor } from '../../harness/browser';
import type { Line } from '../../harness/install';
import { startN8n } from '../../harness/n8n';
import { connect, type N8nClient } from '../../harness/n8n-rest';
import { packPackage, ROOT } from '../../harness/pack';
import { startRegistry, type Registry } from '../../harness/registry';
import type { Simulator } from '../../simulator';
import { leaksAtEnd } from '../leaks/remains';
import { chain, documentWorkflow, EARLY, readFiles } from './flows';
import { clockOf, DOCUMENTS, startService, storeCredential, type World } from './support';

export const INVOICE = 'Read an invoice';

export interface Without {
	client: N8nClient;
	clock: World['clock'];
	editor: Editor;
	/** n8n's output so far. */
	log: () => string;
	/** Publishes the package under a version. */
	publish: (version: string) => Promise<void>;
	/** Ends n8n as a deployment does, or as a crash does, and starts it again. */
	restart: (signal?: 'SIGKILL') => Promise<void>;
	simulator: Simulator;
}

/** A folder for an n8n, a registry and the service. Their ends are added to `ends`. */
export async function surroundings(ends: Array<() => unknown>): Promise<{
	userFolder: string;
	registry: Registry;
	simulator: Simulator;
}> {
	const userFolder = mkdtempSync(join(tmpdir(), 'document-workflow-n8n-'));
	ends.push(() => rmSync(userFolder, { recursive: true, force: true, maxRetries: 10 }));
	const registry = await startRegistry();
	ends.push(registry.stop);
	const simulator = await startService();
	ends.push(async () => simulator.stop());
	return { userFolder, registry, simulator };
}

/** Works in an n8n without the package, beside a registry that will have it. */
export async function withoutPackage(
	line: Line,
	work: (given: Without) => Promise<void>,
): Promise<void> {
	const tarball = await packPackage();
	const ends: Array<() => unknown> = [];
	try {
		const { userFolder, registry, simulator } = await surroundings(ends);
		const clockFile = join(userFolder, 'clock');
		const env = {
			N8N_RESTRICT_FILE_ACCESS_TO: DOCUMENTS,
			N8N_LOG_LEVEL: 'debug',
			NODE_OPTIONS: `--require=${join(ROOT, 'harness', 'clock.cjs')}`,
			CLOCK_FILE: clockFile,
			...registry.prepare(userFolder),
		};
		const n8n = await startN8n({ line, userFolder, env });
		ends.push(n8n.stop);
		const client = await connect(n8n);
		const editor = await openEditor(n8n.url, client.login);
		ends.push(editor.close);
		await work({
			client,
			clock: clockOf(n8n, clockFile),
			editor,
			log: n8n.log,
			publish: async (version) => registry.publish(tarball, version),
			restart: async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM') => {
				await n8n.main.end(signal);
				await n8n.main.start();
			},
			simulator,
		});
		expect(await leaksAtEnd(n8n)).toEqual([]);
	} finally {
		for (const end of ends.reverse()) await end();
	}
}

/** A stored workflow of the node with a credential. */
export async function invoiceWorkflow(client: N8nClient, simulator: Simulator): Promise<string> {
	const credential = await storeCredential(client, simulator);
	const node = documentWorkflow({ credential }, 'createAndWait', 'invoice-intake', EARLY);
	return client.createWorkflow(chain(INVOICE, readFiles(join(DOCUMENTS, 'invoice.pdf')), node));
}

/** The entry of the package in the list, if it has this version. */
export function cardOf(page: Page, version: string): Locator {
	return page.getByText(`v${version}`, { exact: true });
}

/** Updates the package; n8n lists the workflows that use it, such as this one. */
export async function update(
	page: Page,
	workflow: string,
	beforeConfirming?: () => Promise<void>,
): Promise<void> {
	await page.getByRole('button', { name: 'Update', exact: true }).click();
	const confirm = page.getByRole('button', { name: 'Confirm update' });
	await page.getByRole('dialog').getByText(workflow).first().waitFor();
	await beforeConfirming?.();
	await confirm.click();
	await page.getByText('Package updated').waitFor();
}

/** Removes the package; n8n lists the workflows that use it, such as this one. */
export async function remove(
	page: Page,
	workflow: string,
	beforeConfirming?: () => Promise<void>,
): Promise<void> {
	await page.getByTestId('action-toggle').click();
	await page.getByText('Uninstall package').click();
	const confirm = page.getByRole('button', { name: 'Confirm uninstall' });
	await page.getByRole('dialog').getByText(workflow).first().waitFor();
	await beforeConfirming?.();
	await confirm.click();
	await page.getByText('Package uninstalled').waitFor();
}
