import { join } from 'node:path';
import { openEditor, type Editor } from '../../../harness/browser';
import { openEmptyWorkflow, openPanel } from '../../../harness/gestures';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import {
	chain,
	documentWorkflow,
	documentWorkflowTrigger,
	EARLY,
	node,
	readFiles,
	type NodeJson,
	type Operation,
} from '../flows';
import { DOCUMENTS, expectedOf, type World } from '../support';
import { browserPausingSpec } from './browserPausing';
import { notesSpec } from './notes';

const NODE = 'Document Workflow';

/** The nodes in the editor. Screenshots are kept in artefacts/screenshots. */
export function browserSpec(world: () => World): void {
	describe('the editor', () => {
		let current: Editor | undefined;
		const editor = (): Editor => {
			if (!current) throw new Error('The editor has not been opened');
			return current;
		};
		beforeAll(async () => {
			current = await openEditor(world().n8n.url, world().client.login);
		});
		afterEach(() => expect(editor().errors).toEqual([]));
		afterAll(async () => current?.close());

		it('finds the node by search and lists its five actions', async () => {
			const { page, screenshot } = editor();
			await openEmptyWorkflow(editor(), world().client);
			await page.getByTestId('node-creator-plus-button').click();
			await page.getByTestId('node-creator-search-bar').waitFor();
			await page.keyboard.type('document work');
			const found = page.getByTestId('item-iterator-item').filter({ hasText: NODE }).first();
			await found.waitFor();
			await screenshot('node-search');
			await found.click();
			const actions = page.getByTestId('node-creator');
			await actions.getByText('Triggers', { exact: false }).first().waitFor();
			await screenshot('node-triggers');
			await actions
				.getByText(/^Actions/)
				.first()
				.click();
			for (const action of [
				'Create and wait for extracted data',
				'Create execution without waiting',
				'Get execution status and data',
				'Wait for completion of execution',
			]) {
				await actions.getByText(action, { exact: true }).waitFor();
			}
			await screenshot('node-actions');
		});

		notesSpec(world, editor); // loads the editor, because the last test leaves a workflow to save

		it.each<[Operation, string[]]>([
			['get', ['Output Options']],
			['wait', ['Waiting', 'Output Options']],
		])(
			'shows at most five fields of the operation %s before the options are opened',
			async (operation, collections) => {
				const flow = chain(operation, documentWorkflow(world(), operation, 'invoice-intake'));
				const id = await world().client.createWorkflow(flow);
				await openPanel(editor(), `/workflow/${id}/document-workflow`);
				const panel = editor().page.getByTestId('node-parameters');
				await editor().screenshot(`panel-${operation}-as-added`);
				const labels = (
					await panel.getByTestId('input-label').filter({ visible: true }).allInnerTexts()
				).map((text) => text.split('\n')[0]?.trim());
				const fields = ['Operation', 'Workflow', 'Execution ID', 'Output', 'Minimum Confidence'];
				expect(labels).toEqual([...fields, ...collections]);
				expect(fields.length).toBeLessThanOrEqual(5);
			},
		);

		it('shows in the panel of the trigger what the service operator needs, and its addresses', async () => {
			const { page, screenshot } = editor();
			const trigger = documentWorkflowTrigger(world(), { path: 'for-the-picture' });
			const id = await world().client.createWorkflow({
				name: 'Trigger',
				nodes: [trigger],
				connections: {},
			});
			await openPanel(editor(), `/workflow/${id}/document-workflow-trigger`);
			await screenshot('panel-trigger');
			const panel = (await page.getByTestId('node-parameters').innerText())
				.split('\n')
				.map((line) => line.trim());
			for (const label of ['Path', 'Events', 'Output']) expect(panel).toContain(label);
			expect(panel.join(' ')).toContain('Give the service operator the Production URL');
			await page.getByText('Listen for a notification').first().waitFor();
			await page.getByText('Webhook URLs').first().click();
			await screenshot('panel-trigger-urls');
			await page.getByText('/webhook-test/for-the-picture').first().waitFor();
		});

		const { invoice: [heading] = [], line_items: lines = [] } = expectedOf('invoice').steps;
		// Before the tests that choose another view, which n8n remembers.
		it('opens on the data after a run of each operation and with each output', async () => {
			const { page, follow } = editor();
			const flow = eachOutput(world());
			await follow(`/workflow/${await world().client.createWorkflow(flow)}`);
			await page.getByTestId('execute-workflow-button').first().click();
			await page.getByText('Workflow executed successfully').first().waitFor();
			const nodes = flow.nodes.filter(({ type }) => type.endsWith('.documentWorkflow'));
			expect(nodes).toHaveLength(7);
			for (const { name, parameters } of nodes as NodeJson[]) {
				await page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`).dblclick();
				const shown = page.getByTestId('output-panel');
				const first = FIRST_FIELDS[String(parameters.output)] ?? 'needsReview';
				await shown.getByText(first).first().waitFor();
				expect([name, await shown.getByTestId('radio-button-binary').count()]).toEqual([name, 0]);
				await page.keyboard.press('Escape');
			}
		});

		it.each<[string, string, Record<string, unknown>, unknown, unknown]>([
			['simplified', 'output', {}, heading?.invoice_number, heading?.invoice_number],
			[
				'rows',
				'output-rows',
				{ step: 'line_items' },
				lines[0]?.description,
				lines.at(-1)?.description,
			],
		])(
			'runs a workflow and shows its data (%s) as table, JSON and schema',
			async (output, picture, more, first, last) => {
				const { page, follow, screenshot } = editor();
				const extracting = documentWorkflow(world(), 'createAndWait', 'invoice-intake', {
					...EARLY,
					output,
					...more,
				});
				const id = await world().client.createWorkflow(
					chain('Invoice', readFiles(join(DOCUMENTS, 'invoice.pdf')), extracting),
				);
				await follow(`/workflow/${id}`);
				await page.getByTestId('execute-workflow-button').first().click();
				const onCanvas = page.getByTestId('canvas-node').filter({ hasText: NODE });
				await onCanvas.getByTestId('canvas-node-status-success').waitFor();
				await page.getByText('Workflow executed successfully').first().waitFor();
				if (output === 'simplified') await screenshot('run');
				await onCanvas.dblclick();

				const shown = page.getByTestId('output-panel');
				for (const form of ['table', 'json', 'schema']) {
					await shown.getByTestId(`radio-button-${form}`).click();
					await shown.getByText(String(first)).first().waitFor();
					// Only the table shows all items at once.
					if (form === 'table') await shown.getByText(String(last)).first().waitFor();
					await screenshot(`${picture}-${form}`);
				}
			},
		);

		it('shows no link in an error, whatever a file is called and the service says', async () => {
			const { page, follow, screenshot } = editor();
			const link = '<a href="https://login.example/">Session expired</a>';
			world().simulator.state.faults.add({
				route: 'create',
				action: { type: 'status', status: 422, body: { detail: `Please log in: ${link}` } },
			});
			const file = node('Names', 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ name: `${link.replaceAll('/', '')}.txt`, text: 'x' }),
				options: {},
			});
			const toFile = node('Files', 'n8n-nodes-base.convertToFile', 1.1, {
				operation: 'toText',
				sourceProperty: 'text',
				options: { fileName: '={{ $json.name }}' },
			});
			const sending = documentWorkflow(world(), 'create', 'any-document', {});
			const id = await world().client.createWorkflow(chain('Links', file, toFile, sending));
			await follow(`/workflow/${id}`);
			await page.getByTestId('execute-workflow-button').first().click();
			const onCanvas = page.getByTestId('canvas-node').filter({ hasText: NODE });
			await onCanvas.getByTestId('node-issues').waitFor();
			await page.getByText('Problem in node').first().waitFor();
			expect(await page.locator('a[href*="login.example"]').count()).toBe(0);
			await onCanvas.dblclick();
			await page.getByTestId('output-panel').getByText('Session expired').first().waitFor();
			await screenshot('error-without-link');
			expect(await page.locator('a[href*="login.example"]').count()).toBe(0);
		});

		it('shows the fields of the credential without the token, and that the connection works', async () => {
			const { page, follow, screenshot } = editor();
			await follow(`/home/credentials/${world().credential.id}`);
			await page.getByTestId('credentials-config-container-test-success').waitFor();
			await screenshot('credential');
			const form = await page.getByTestId('credential-edit-dialog').innerText();
			for (const label of [
				'Environment',
				'Base URL (Production)',
				'Client ID',
				'File Access Fields',
			])
				expect(form).toContain(label);
			for (const label of ['Base URL (Staging)', 'Access Token']) expect(form).not.toContain(label);
			for (const secret of ['clientSecret', 'apiKey'])
				expect(await page.content()).not.toContain(String(world().credential.data[secret]));
		});

		browserPausingSpec(world, editor);
	});
}

/** What an output begins with; that of Create has no choice. */
const FIRST_FIELDS: Record<string, string> = {
	...{ simplified: 'data', rows: 'invoice_number', raw: 'response', selected: 'data' },
};

/** A node for each output, and for each operation, in one n8n workflow. */
function eachOutput(world: World): WorkflowJson {
	const read = readFiles(join(DOCUMENTS, 'invoice.pdf'));
	const made = (operation: Operation, output: string, x: number, y: number): NodeJson => {
		const name = `${operation} ${output}`.trim();
		const result = { output, fields: 'invoice_number, executionId' };
		const asked = {
			...(operation === 'get' || operation === 'wait'
				? { executionId: '={{ $json.executionId }}' }
				: {}),
			...(operation === 'create' ? {} : result),
			...(operation === 'get' ? {} : EARLY),
		};
		const each = documentWorkflow(world, operation, 'invoice-intake', asked);
		return { ...each, name, id: name.replaceAll(' ', '-'), position: [x, y] };
	};
	const first = made('createAndWait', 'simplified', 500, 0);
	const others = ['rows', 'raw', 'selected'].map((output, index) =>
		made('createAndWait', output, 500, 200 + index * 200),
	);
	const behindRead = [first, ...others, made('create', '', 500, 800)];
	const behindFirst = [made('get', 'simplified', 800, 0), made('wait', 'simplified', 1100, 0)];
	const flow = chain('Each output', read);
	const to = (nodes: NodeJson[]) => ({
		main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))],
	});
	return {
		...flow,
		nodes: [...flow.nodes, ...behindRead, ...behindFirst],
		connections: {
			...flow.connections,
			[read.name]: to(behindRead),
			[first.name]: to(behindFirst),
		},
	};
}
