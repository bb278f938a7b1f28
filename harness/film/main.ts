/**
 * `npm run film`: a film of the package in a real n8n, from its installation to the data in the next node, in artefacts/film.mp4, with its
 * text in artefacts/film.txt. Needs Chromium and ffmpeg.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startSimulator, type Simulator } from '../../simulator';
import { openEditor, type Editor } from '../browser';
import { CREDENTIAL_TYPE, EXAMPLES } from '../example-workflows';
import {
	addNode,
	beginWithForm,
	drag,
	enterId,
	find,
	installPackage,
	openEmptyWorkflow,
	openPackages,
	pill,
	upload,
} from '../gestures';
import { startN8n, type N8n } from '../n8n';
import { connect, type N8nClient } from '../n8n-rest';
import { ARTEFACTS, packPackage } from '../pack';
import { startRegistry } from '../registry';
import { elapsed } from '../report';
import { Recording } from './recording';

const INVOICE = join(EXAMPLES, 'documents', 'invoice.pdf');
const SIZE = { width: 1280, height: 800 };
const KEY = 'a-key-for-the-film-only';

interface Stage {
	client: N8nClient;
	editor: Editor;
	n8n: N8n;
	recording: Recording;
	simulator: Simulator;
}

async function main(): Promise<void> {
	const ends: Array<() => unknown> = [];
	try {
		const userFolder = mkdtempSync(join(tmpdir(), 'document-workflow-n8n-'));
		ends.push(() => rmSync(userFolder, { recursive: true, force: true, maxRetries: 10 }));
		const registry = await startRegistry();
		ends.push(registry.stop);
		await registry.publish(await packPackage({ report: console.log }), '1.0.0');
		const simulator = await startSimulator({ configuration: join(EXAMPLES, 'simulator.json') });
		ends.push(async () => simulator.stop());
		const env = registry.prepare(userFolder);
		const n8n = await startN8n({ line: 'n8n-2', userFolder, env });
		ends.push(n8n.stop);
		const client = await connect(n8n);
		const editor = await openEditor(n8n.url, client.login);
		ends.push(editor.close);
		await editor.page.setViewportSize(SIZE);
		const recording = new Recording();
		const stage = { client, editor, n8n, recording, simulator };
		await editor.open('/settings/community-nodes');
		await recording.begin(editor.page);
		try {
			for (const scene of [installation, credential, workflow, trigger]) await scene(stage);
		} catch (error) {
			await editor.screenshot('film-failed');
			throw error;
		}
		const file = join(ARTEFACTS, 'film.mp4');
		const seconds = await recording.end(file);
		writeFileSync(join(ARTEFACTS, 'film.txt'), recording.text());
		console.log(`${file}: ${elapsed(seconds * 1000)}`);
	} finally {
		for (const end of ends.reverse()) await end();
	}
}

async function installation({ editor, recording }: Stage): Promise<void> {
	const { page } = editor;
	await openPackages(editor);
	await recording.say(page, 'Install it under Settings → Community nodes');
	await installPackage(page, async () => page.waitForTimeout(1_000));
	await page.getByText('v1.0.0', { exact: true }).waitFor();
}

async function credential({ editor, recording, simulator }: Stage): Promise<void> {
	const { page, open } = editor;
	await open('/home/credentials/create');
	await page.getByRole('dialog').waitFor();
	await recording.say(page, 'Enter what the service operator gave you, once');
	await page.getByTestId('new-credential-type-select').click();
	await page.keyboard.type('Document Workflow API');
	await page.getByTestId('new-credential-type-select-option').first().click();
	await page.getByTestId('new-credential-type-button').click();
	for (const [name, value] of Object.entries(loginOf(simulator)))
		await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	await page
		.getByTestId('parameter-input-workflowNames')
		.locator('textarea')
		.fill('Invoices = invoice-intake\nPolicies = policy-intake');
	await page.getByTestId('credential-save-button').click();
	await page.getByTestId('credentials-config-container-test-success').waitFor();
	await recording.say(page, 'Save tests them with the service');
}

function loginOf({ productionUrl, state }: Stage['simulator']): Record<string, string> {
	const { clientId = '', clientSecret = '' } = state.clients[0] ?? {};
	return { productionUrl, clientId, clientSecret };
}

async function workflow({ client, editor, recording }: Stage): Promise<void> {
	const { page } = editor;
	await openEmptyWorkflow(editor, client);
	await recording.say(page, 'Start with a form, a mailbox or a folder. Here: a form with a file');
	await beginWithForm(page);

	await addNode(page, 'invoice', 'Document Workflow', 'Create and wait for extracted data');
	await recording.say(page, 'Add the node, and choose a workflow of your service. That is all');
	await enterId(page, 'workflowId', 'invoice-intake');
	await upload(page, INVOICE);
	await page.getByTestId('output-panel').getByTestId('radio-button-schema').click();
	await recording.say(page, 'The extracted data comes back, with a confidence for each value');

	await addNode(page, 'edit fields', 'Edit Fields');
	await recording.say(page, 'Drag a value into the next node');
	const input = page.getByTestId('ndv-input-panel');
	await input.getByTestId('radio-button-schema').click();
	await drag(page, pill(input, 'invoice_number'), page.getByTestId('drop-area'));
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText('1 item').first().waitFor();
	await page.waitForTimeout(1_500);
}

async function trigger({ client, editor, recording, n8n, simulator }: Stage): Promise<void> {
	const { page } = editor;
	const calls = { triggerAuthentication: 'apiKey', headerName: 'x-api-key', apiKey: KEY };
	const data = { environment: 'production', ...loginOf(simulator), ...calls };
	const name = 'Document Workflow with calls';
	await client.createCredential({ name, type: CREDENTIAL_TYPE, data });
	await openEmptyWorkflow(editor, client);
	await recording.say(page, 'Or let the service start a workflow when a document is ready');
	await page.getByTestId('node-creator-plus-button').click();
	await find(page, 'document workflow', 'Document Workflow');
	await page.getByTestId('node-creator').getByText('On execution completed').click();
	await page.getByTestId('node-parameters').waitFor();
	await page.getByTestId('node-credentials-select').last().click();
	await page.getByRole('option', { name: /^Document Workflow with calls/ }).click();
	await page.getByTestId('node-execute-button').click();
	await page.getByText('Listening').first().waitFor();
	await sendElsewhere(simulator, `${n8n.url}/webhook-test/document-workflow`);
	const output = page.getByTestId('output-panel');
	await output.getByText('1 item').first().waitFor();
	await output.getByTestId('radio-button-schema').click();
	await recording.say(page, 'Also for documents that somebody else sent, and hours later');
	await recording.say(
		page,
		'n8n-nodes-document-workflow: with templates for mail, forms and folders',
	);
}

/** Sends a document to the service without n8n; the service then calls n8n at this URL. */
async function sendElsewhere({ productionUrl, state }: Simulator, url: string): Promise<void> {
	const authentication = { type: 'api_key' as const, header: 'x-api-key', key: KEY };
	state.workflows.change('invoice-intake', { webhooks: [{ url, authentication }] });
	const [client] = state.clients;
	const token = await fetch(`${productionUrl}/api/v1/oauth2/access_token`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ client_id: client?.clientId, client_secret: client?.clientSecret }),
	});
	const { access_token: accessToken } = z
		.object({ access_token: z.string() })
		.parse(await token.json());
	const form = new FormData();
	form.append('files', new Blob([readFileSync(INVOICE)]), 'invoice.pdf');
	const path = '/api/v1/workflow-builder/workflows/invoice-intake/executions';
	await fetch(productionUrl + path, {
		method: 'POST',
		headers: { authorization: `Bearer ${accessToken}` },
		body: form,
	});
}

void main().then(() => process.exit());
