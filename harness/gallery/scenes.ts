import type { Page } from 'playwright-core';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { join } from 'node:path';
import { operationField } from '../../nodes/DocumentWorkflow/actions/index.js';
import { DocumentWorkflow } from '../../nodes/DocumentWorkflow/DocumentWorkflow.node.js';
import { DocumentWorkflowTrigger } from '../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node.js';
import type { Editor } from '../browser';
import { CREDENTIAL_TYPE, readExampleWorkflows } from '../example-workflows';
import { openEmptyWorkflow } from '../gestures';
import type { N8nClient } from '../n8n-rest';

/** What a scene works with. */
export interface Stage {
	editor: Editor;
	client: N8nClient;
	/** Stored credentials by type. */
	credentials: Record<string, { id: string; name: string }>;
	/** The folder of the sample documents, which n8n shows in the output. */
	documents: string;
}

export interface Scene {
	name: string;
	/** The name of the scene with a node of n8n that stands beside this one. */
	beside?: string;
	show: (stage: Stage) => Promise<void>;
	/** Forms of the output, each a picture of its own. */
	views?: string[];
	/** Whether the pictures are as high as the fields of the panel or form. */
	tall?: boolean;
	/** Whether n8n fits the canvas into the window, as when it opens a workflow. */
	fits?: boolean;
}

/** A picture in the docs: a part of a scene, in light colours. */
export interface DocsPicture {
	scene: string;
	view?: string;
	/** The part of the page that gives the left and right edge, by n8n's test ID. */
	columns: string;
	/** The part that gives the right edge, if it is another one. */
	until?: string;
	/** The part that gives the upper and lower edge, if it is another one. */
	lines?: string;
	/** Of the page. */
	width: number;
	height: number;
}

type Parameters = Record<string, unknown>;

const OURS = 'n8n-nodes-document-workflow.documentWorkflow';
/** The end of the form, with the fields for calls of the trigger. */
const CREDENTIAL_CALLS = `${CREDENTIAL_TYPE}-calls`;
const EMPTY = { __rl: true, mode: 'id', value: '' };
const INVOICE = { __rl: true, mode: 'list', value: 'invoice-intake', cachedResultName: 'Invoices' };
const OPERATIONS = (operationField.options as INodePropertyOptions[]).map(({ value }) =>
	String(value),
);
const SEARCHES = ['invoice', 'ocr', 'attachments', 'loss run'];
/** Of Create and Wait, from top to bottom. */
const COLLECTIONS = ['documentOptions', 'waiting', 'outputOptions'];
/** The example whose first run makes a Data table. */
const TABLE_EXAMPLE = 'documents-on-hold';
const EARLY = { firstCheckSeconds: 1, longestIntervalMinutes: 0.02 };

const BESIDE: Record<string, [name: string, type: string, version: number, Parameters]> = {
	gmail: ['Gmail', 'n8n-nodes-base.gmail', 2.1, {}],
	sheets: ['Google Sheets', 'n8n-nodes-base.googleSheets', 4.7, { operation: 'append' }],
	extract: ['Extract from File', 'n8n-nodes-base.extractFromFile', 1.1, { operation: 'pdf' }],
	mistral: ['Mistral AI', 'n8n-nodes-base.mistralAi', 1, {}],
	webhook: ['Webhook', 'n8n-nodes-base.webhook', 2.1, { path: 'example' }],
};

export const SCENES: Scene[] = [
	...Object.entries(BESIDE).map(([name, node]) => panel(name, ...node)),
	...SEARCHES.map((words) => search(words)),
	...OPERATIONS.flatMap((operation) => [
		panel(operation, 'Document Workflow', OURS, 1, { operation, workflowId: EMPTY }, 'gmail'),
		panel(
			`${operation}-options`,
			...(['Document Workflow', OURS, 1] as const),
			{ operation, workflowId: INVOICE, ...everyOption(operation) },
			'sheets',
		),
	]),
	panel('trigger', 'Document Workflow Trigger', `${OURS}Trigger`, 2, {}, 'webhook'),
	panel(
		'trigger-options',
		...(['Document Workflow Trigger', `${OURS}Trigger`, 2] as const),
		everyOption(),
		'webhook',
	),
	credential(CREDENTIAL_TYPE, CREDENTIAL_TYPE),
	credential(CREDENTIAL_CALLS, CREDENTIAL_TYPE),
	credential(`${CREDENTIAL_TYPE}-options`, `${CREDENTIAL_TYPE}-options`),
	panel('tool', 'Document Workflow', `${OURS}Tool`, 1, { workflowId: EMPTY }, 'mistral'),
	...['operation', 'documents', 'groupBy', 'output'].map((parameter) =>
		menu(parameter, async (page) => page.getByTestId(`parameter-input-${parameter}`).click()),
	),
	...COLLECTIONS.map((name, index) =>
		menu(name, async (page) => {
			const add = page.getByTestId('collection-parameter-add').nth(index);
			await add.scrollIntoViewIfNeeded();
			await add.click();
		}),
	),
	settings('createAndWait'),
	list('list', CREDENTIAL_TYPE),
	list('list-without-names', `${CREDENTIAL_TYPE}-options`),
	run('simplified', 'invoice-intake', { output: 'simplified' }),
	run('rows', 'invoice-intake', { output: 'rows' }),
	run('rows-line-items', 'invoice-intake', { output: 'rows', step: 'line_items' }),
	run('rows-details', 'invoice-intake', {
		output: 'rows',
		step: 'line_items',
		outputOptions: { includeDetails: true },
	}),
	run('error', 'no-such-workflow', {}),
	makeTable(),
	dataTable(),
	...[...readExampleWorkflows().keys()].map((name) => canvas(name)),
];

const PANEL = { columns: 'node-parameters', lines: 'ndv', width: 1280 };
const OUTPUT = { columns: 'output-panel', width: 1600 };
const FORM = { columns: 'credential-edit-dialog', width: 1280, height: 800 };

/** The pictures in docs/images by file name, as `npm run gallery -- docs` makes them. */
export const DOCS_PICTURES: Record<string, DocsPicture> = {
	output: { scene: 'output-simplified', ...PANEL, until: 'output-panel', height: 800 },
	search: { scene: 'search-loss-run', columns: 'node-creator', width: 1280, height: 420 },
	panel: { scene: 'createAndWait', ...PANEL, height: 800 },
	'trigger-panel': { scene: 'trigger', ...PANEL, height: 800 },
	workflows: { scene: 'list', ...PANEL, height: 560 },
	documents: { scene: 'menu-documents', ...PANEL, height: 620 },
	waiting: { scene: 'menu-waiting', ...PANEL, height: 840 },
	rows: { scene: 'output-rows-line-items', view: 'table', ...OUTPUT, width: 1920, height: 480 },
	values: { scene: 'output-simplified', view: 'schema', ...OUTPUT, height: 760 },
	failed: { scene: 'error', ...OUTPUT, height: 420 },
	'table-columns': { scene: 'make-table', ...PANEL, height: 640 },
	'table-rows': { scene: 'data-table', columns: 'data-table-grid', width: 1600, height: 300 },
	credential: { scene: CREDENTIAL_TYPE, ...FORM },
	'credential-calls': { scene: CREDENTIAL_CALLS, ...FORM },
};

/** Every entry of every collection, with the value that n8n sets when it is added. */
function everyOption(operation?: string): Parameters {
	const { properties } = (
		operation === undefined ? new DocumentWorkflowTrigger() : new DocumentWorkflow()
	).description;
	const collections = properties.filter(
		({ type, displayOptions }) =>
			['collection', 'fixedCollection'].includes(type) &&
			(operation === undefined || displayOptions?.show?.operation?.includes(operation)),
	);
	return Object.fromEntries(
		collections.map((collection) => [collection.name, valueWhenAdded(collection)]),
	);
}

/** Everything that can be added, with its default. */
function valueWhenAdded({ type, default: value, options = [] }: INodeProperties): unknown {
	if (type !== 'collection' && type !== 'fixedCollection') return value;
	return Object.fromEntries(
		options.map((entry) => {
			if (!('values' in entry)) return [entry.name, valueWhenAdded(entry as INodeProperties)];
			const row = entry.values.map(({ name, default: each }) => [name, each] as const);
			return [entry.name, [Object.fromEntries(row)]];
		}),
	);
}

/** The panel of a node, ours with the stored credentials. */
function panel(
	name: string,
	title: string,
	type: string,
	typeVersion: number,
	parameters: Parameters,
	beside?: string,
): Scene {
	return {
		name,
		...(beside === undefined ? {} : { beside }),
		tall: name !== CREDENTIAL_TYPE,
		show: async (stage) => {
			const credentials = type.startsWith(OURS) ? chosen(stage) : {};
			const nodes = [{ ...nodeOf(title, type, typeVersion, parameters), credentials }];
			const id = await stage.client.createWorkflow({ name, nodes, connections: {} });
			await stage.editor.open(`/workflow/${id}/node`);
			await stage.editor.page.getByTestId('node-parameters').waitFor();
		},
	};
}

/** An open menu in the panel of Create and Wait. */
function menu(name: string, openMenu: (page: Page) => Promise<unknown>): Scene {
	const operation = 'createAndWait';
	const behind = panel(name, 'Document Workflow', OURS, 1, { operation, workflowId: INVOICE });
	return {
		name: `menu-${name}`,
		show: async (stage) => {
			const { page } = stage.editor;
			await behind.show(stage);
			await openMenu(page);
			await page.getByRole('option').first().waitFor();
		},
	};
}

/** The Settings tab of an operation: n8n's settings, and ours about how to send. */
function settings(operation: string): Scene {
	const behind = panel('settings', 'Document Workflow', OURS, 1, { operation });
	return {
		name: `settings-${operation}`,
		tall: true,
		show: async (stage) => {
			await behind.show(stage);
			await stage.editor.page.getByTestId('tab-settings').click();
			await stage.editor.page.getByText('Maximum in Parallel').waitFor();
		},
	};
}

function chosen({ credentials }: Stage): Stage['credentials'] {
	return Object.fromEntries(Object.entries(credentials).filter(([key]) => key === CREDENTIAL_TYPE));
}

function search(words: string): Scene {
	return {
		name: `search-${words.replace(' ', '-')}`,
		show: async ({ client, editor }) => {
			const { page } = editor;
			await openEmptyWorkflow(editor, client);
			await page.getByTestId('node-creator-plus-button').click();
			await page.getByTestId('node-creator-search-bar').waitFor();
			await page.keyboard.type(words);
			await page.getByTestId('item-iterator-item').first().waitFor();
		},
	};
}

/** The list of workflows, opened in a node with one of the stored credentials. */
function list(name: string, stored: string): Scene {
	return {
		name,
		show: async ({ editor: { page, open }, client, credentials }) => {
			const node = nodeOf('Document Workflow', OURS, 1, { workflowId: { ...EMPTY, mode: 'list' } });
			const { [stored]: chosenOne } = credentials;
			const nodes = [{ ...node, credentials: chosenOne && { [CREDENTIAL_TYPE]: chosenOne } }];
			const id = await client.createWorkflow({ name, nodes, connections: {} });
			await open(`/workflow/${id}/node`);
			await page.getByTestId('rlc-input').click();
			await page
				.getByText(/Invoices|Could not load list/)
				.first()
				.waitFor();
		},
	};
}

function credential(name: string, stored: string): Scene {
	return {
		name,
		tall: name !== CREDENTIAL_TYPE,
		show: async ({ editor: { page, open }, credentials }) => {
			await open(`/home/credentials/${credentials[stored]?.id}`);
			const form = page.getByTestId('credential-edit-dialog');
			await form.getByText('Connection').first().waitFor();
			if (name === CREDENTIAL_TYPE) return;
			// Then n8n scrolls to the top.
			await form.getByText('Connection tested successfully').waitFor();
			// n8n gives the form a fixed height at most; the fields for calls are at its end.
			const calls = form.getByText('Trigger Authentication', { exact: true }).first();
			await calls.evaluate((label) => label.scrollIntoView());
		},
	};
}

/** The canvas of an example workflow, as it is after its import. */
function canvas(name: string): Scene {
	return {
		name: `canvas-${name}`,
		fits: true,
		show: async ({ editor: { page, open }, client }) => {
			const example = readExampleWorkflows().get(name);
			if (example === undefined) throw new Error(`There is no example ${name}.`);
			await open(`/workflow/${await client.createWorkflow(example)}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},
	};
}

/** The output of Create and Wait after a run on the sample invoice. */
function run(name: string, workflowId: string, parameters: Parameters): Scene {
	return {
		name: name === 'error' ? name : `output-${name}`,
		...(name === 'error' ? {} : { views: ['table', 'json', 'schema'] }),
		show: async (stage) => {
			const { client, editor } = stage;
			const { page, open } = editor;
			const fileSelector = join(stage.documents, 'invoice.pdf');
			const nodes = [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}, 'start'),
				nodeOf('Read', 'n8n-nodes-base.readWriteFile', 1, { fileSelector }, 'read'),
				{
					...nodeOf('Document Workflow', OURS, 1, {
						operation: 'createAndWait',
						workflowId: { ...INVOICE, value: workflowId },
						waiting: EARLY,
						...parameters,
					}),
					credentials: chosen(stage),
				},
			].map((node, index) => ({ ...node, position: [index * 220, 0] }));
			const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
			const connections = { Start: to('Read'), Read: to('Document Workflow') };
			await open(`/workflow/${await client.createWorkflow({ name, nodes, connections })}`);
			await page.getByTestId('execute-workflow-button').first().click();
			const onCanvas = page.getByTestId('canvas-node').filter({ hasText: 'Document Workflow' });
			await ended(onCanvas.getByTestId(/^(canvas-node-status-success|node-issues)$/));
			await onCanvas.dblclick();
			await page.getByTestId('output-panel').waitFor();
		},
	};
}

function makeTable(): Scene {
	const nodes = readExampleWorkflows().get(TABLE_EXAMPLE)?.nodes ?? [];
	const node = nodes.find(({ name }) => name === 'Make the Table');
	if (node === undefined) throw new Error(`${TABLE_EXAMPLE} makes no table.`);
	return panel('make-table', node.name, node.type, 1.1, node.parameters as Parameters);
}

/** The Data table after a run of the example with its sample data. */
function dataTable(): Scene {
	return {
		name: 'data-table',
		show: async ({ client, editor: { page, open } }) => {
			const example = readExampleWorkflows().get(TABLE_EXAMPLE);
			if (example === undefined) throw new Error(`There is no example ${TABLE_EXAMPLE}.`);
			const id = await client.createWorkflow(example);
			await client.waitForExecution(await client.run(id, 'Document Form'));
			await open('/home/datatables');
			await open(
				(await page.getByTestId('data-table-card-link').first().getAttribute('href')) ?? '',
			);
			await page.getByTestId('data-table-grid').getByText('EMC-CP-').first().waitFor();
		},
	};
}

async function ended(status: ReturnType<Page['getByTestId']>): Promise<void> {
	await status.first().waitFor({ timeout: 60_000 });
}

function nodeOf(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters,
	id = 'node',
) {
	return { id, name, type, typeVersion, parameters, position: [0, 0] };
}
