/** What a person does in n8n's editor with mouse and keyboard. */
import type { Locator, Page } from 'playwright-core';
import type { Editor } from './browser';
import type { N8nClient } from './n8n-rest';

/** Opens the page from which users install and update the package. */
export async function openPackages({ follow, page }: Editor): Promise<void> {
	await follow('/settings/community-nodes');
	await page.getByText('Community nodes').first().waitFor();
}

/** Opens an empty workflow. At `/workflow/new`, n8n 2 closes what is open when the workflow gets its id. */
export async function openEmptyWorkflow({ open }: Editor, client: N8nClient): Promise<void> {
	const id = await client.createWorkflow({ name: 'My workflow', nodes: [], connections: {} });
	await open(`/workflow/${id}`);
}

/** Opens the panel of a node. n8n may close a panel that a link opened: then it is loaded. */
export async function openPanel({ follow, open, page }: Editor, path: string): Promise<void> {
	const parameters = page.getByTestId('node-parameters');
	await follow(path);
	const isOpen = await parameters.waitFor({ timeout: 20_000 }).then(
		() => true,
		() => false,
	);
	if (!isOpen) await open(path);
	await parameters.waitFor();
}

/** Installs the package by its name. */
export async function installPackage(
	page: Page,
	beforeConfirming?: () => Promise<void>,
): Promise<void> {
	await page.getByRole('button', { name: 'Install a community node' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByPlaceholder('e.g. n8n-nodes-chatwork').fill('n8n-nodes-document-workflow');
	await dialog.getByText('I understand the risks').click();
	await beforeConfirming?.();
	await dialog.getByRole('button', { name: 'Install', exact: true }).click();
	await page.getByText('Package installed').waitFor();
}

/** Executes the step or the workflow: n8n opens the form, which is filled in with a file and submitted. */
export async function upload(
	page: Page,
	file: string,
	start = page.getByTestId('node-execute-button'),
	end = page.getByTestId('node-run-status-success'),
): Promise<void> {
	const opened = page.context().waitForEvent('page');
	await start.click();
	const form = await opened;
	await form.locator('input[type=file]').setInputFiles(file);
	await form.getByRole('button', { name: 'Submit' }).click();
	await end.waitFor();
	await form.close();
}

/** Begins an empty workflow with a form that asks for a file. */
export async function beginWithForm(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	// n8n's search does not find it by this name.
	await clickItem(page, 'On form submission');
	await page.getByTestId('parameter-input-formTitle').locator('input').fill('Send a document');
	await page.getByTestId('fixed-collection-add').first().click();
	await page.getByTestId('parameter-input-fieldLabel').locator('input').fill('Document');
	await choose(page, 'fieldType', 'File');
}

/** Adds a node behind the last one, and chooses one of its actions. */
export async function addNode(
	page: Page,
	words: string,
	name: string,
	action?: string,
): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
	await page.getByTestId('canvas-handle-plus').last().click();
	await find(page, words, name);
	if (action !== undefined)
		await page.getByTestId('node-creator').getByText(action, { exact: true }).click();
	await page.getByTestId('node-parameters').waitFor();
}

export async function find(page: Page, words: string, name: string): Promise<void> {
	await page.getByTestId('node-creator-search-bar').fill(words);
	await clickItem(page, name);
}

async function clickItem(page: Page, name: string): Promise<void> {
	await page.getByTestId('item-iterator-item').filter({ hasText: name }).first().click();
}

export async function choose(page: Page, parameter: string, option: string): Promise<void> {
	await page.getByTestId(`parameter-input-${parameter}`).click();
	await page.getByRole('option', { name: new RegExp(`^${option}`) }).click();
}

export async function chooseFromList(page: Page, parameter: string, entry: string): Promise<void> {
	await page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').filter({ hasText: entry }).first().click();
}

export async function enterId(page: Page, parameter: string, id: string): Promise<void> {
	await page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').fill(id);
}

export function pill(panel: Locator, field: string): Locator {
	return panel.locator('[data-target="mappable"]').filter({ hasText: field }).first();
}

export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
	await from.hover();
	await page.mouse.down();
	const { x, y, width, height } = (await to.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
	// n8n sees a drag only where the mouse moves in steps.
	await page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
	await page.mouse.move(x + width / 2 + 2, y + height / 2, { steps: 2 });
	await page.mouse.up();
}
