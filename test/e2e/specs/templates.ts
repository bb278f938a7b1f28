import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
	readExampleWorkflows,
	TEMPLATES,
	withCredential,
} from '../../../harness/example-workflows';
import { installN8n } from '../../../harness/install';
import { lastRun, output, type Execution, type Item } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, EARLY, node, readFiles, type NodeJson } from '../flows';
import { nextPage, submitForm } from '../forms';
import { DOCUMENTS, until, withOwnService, type World } from '../support';

const MINUTE = 60_000;
const OURS = 'n8n-nodes-document-workflow.documentWorkflow';
/** Nodes that need neither a credential nor another service. */
const OWN = ['form', 'if', 'removeDuplicates', 'set', 'splitOut', 'stickyNote'].map(
	(type) => `n8n-nodes-base.${type}`,
);

interface Template {
	name: string;
	nodes: NodeJson[];
	connections: Record<string, unknown>;
	pinData: Record<string, Array<{ json: Record<string, unknown> }>>;
	[setting: string]: unknown;
}

/** All values of a policy, so that none has a low confidence. */
const POLICY = [
	...['Policy Number: EMC-CP-1050117-26', 'Named Insured: =Sample Bakery LLC'],
	...['Mailing Address: 8 Example Lane', 'Effective Date: 04/01/2026'],
	...['Expiration Date: 04/01/2027', 'Issue Date: 03/12/2026', 'Renewal Of: EMC-CP-1050117-25'],
	...['Agency: Sample Agency', 'Agency Code: 34-00127', 'Total Premium: $7,415.00'],
	...['Deductible: $2,500', 'Wind and Hail Deductible: $5,000', 'Mortgagee: Fictional Bank'],
	...['Underwriter: T. Paradigma', ''],
].join('\n');
/** All values of a loss. */
const LOSS = [
	...['Policy Number: EMC-CP-1048823-26', 'Named Insured: Example Manufacturing Inc.'],
	...['Claim Number: CL-2026-004417', 'Date of Loss: 04/18/2026', 'Time of Loss: 6:40 AM'],
	...['Location of Loss: 240 Sample Street', 'Type of Loss: Vehicle impact'],
	...['Description of Loss: A truck struck the north wall.', 'Estimated Damage: $48,750.00'],
	...['Injuries: None', 'Contact: A. Eksempel', 'Contact Phone: (614) 555-0173', ''],
].join('\n');

/** The templates of examples/workflows, with their sample data and with the simulated service. */
export function templatesSpec(world: () => World): void {
	it('have the versions of nodes that n8n gives to new nodes', async () => {
		const newest = await newestVersions();
		const others = TEMPLATES.flatMap((name) =>
			template(name)
				.nodes.filter(({ type }) => type !== OURS)
				.filter(({ type, typeVersion }) => newest.get(type) !== typeVersion)
				.map(({ type, typeVersion }) => `${name}: ${type} ${typeVersion}, not ${newest.get(type)}`),
		);
		expect(others).toEqual([]);
	});

	it.each([
		['outlook-to-excel', ['Add a Row', 'Move to Done', 'Move to Needs Review']],
		['report-a-claim', ['Show What Was Understood']],
		['gmail-to-google-sheet', ['Add the Rows', 'Add Label Done', 'Remove the Intake Label']],
		['drive-folder', ['Save the Data', 'Move to Done', 'Move to Needs Review']],
		['when-a-workflow-fails', ['Check the Executions', 'Write the Mail', 'Send the Mail']],
	])(
		'%s runs to its end as it is imported, with its sample data and no credential',
		async (name, branches) => {
			const imported = await runToEnd(world(), template(name));
			expectSuccess(imported, branches);
			expectNoGaps(imported, template(name));
			const read = await runToEnd(world(), withProbes(template(name)));
			expectSuccess(read, branches);
			expectNoGaps(read, template(name));
		},
		MINUTE,
	);

	it(
		'outlook-to-excel adds a row for each mail, and moves each mail by what was read from it',
		async () => {
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
					'To Check': 'policy_details[0].underwriter',
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
		},
		MINUTE,
	);

	it(
		'outlook-to-excel moves a mail to Needs Review if it has no documents or they could not be read',
		async () => {
			await withQuickService(world(), async (own) => {
				const note = join(DOCUMENTS, 'claim-note.txt');
				const without = await runLive(own, 'outlook-to-excel', note, 'not_an_attachment');
				expect(output(without, 'Move to Needs Review').map(({ json }) => json)).toMatchObject([
					{ 'messageId.value': 'AAMkAGExample1', problem: expect.stringContaining('no document') },
				]);
				own.simulator.state.workflows.change('policy-intake', {
					failWith: { error: 'The document has no pages.' },
				});
				const file = join(DOCUMENTS, 'declarations-page.pdf');
				const execution = await runLive(own, 'outlook-to-excel', file, 'attachment_0');
				expect(output(execution, 'Move to Needs Review').map(({ json }) => json)).toMatchObject([
					{
						'messageId.value': 'AAMkAGExample1',
						problem: 'The service could not process the documents: The document has no pages',
					},
				]);
				expect(execution.runs).not.toHaveProperty(['Add a Row']);
			});
		},
		MINUTE,
	);

	it(
		'report-a-claim shows what was understood, or says that a person checks after it told the team',
		async () => {
			await withQuickService(world(), async (own) => {
				const [certain, seen] = await reportClaim(own, { 'claim.txt': LOSS });
				const { reference } = output(seen, 'Settings')[0]?.json ?? {};
				expect(reference).toMatch(/^CLM-\d{8}-\d+$/);
				expect(certain).toContain(`Your claim reference is ${String(reference)}`);
				for (const line of [
					'Policy: EMC-CP-1048823-26',
					'Date of loss: 2026-04-18',
					'Location: 240 Sample Street',
					'Cause: Vehicle impact',
				])
					expect(certain).toContain(line);
				expect(certain).not.toMatch(/undefined|\[object/);
				const [started] = [...own.simulator.state.executions.all()];
				expect(started).toMatchObject({ metadata: { external_id: reference } });
				expectSampleShape(seen, 'report-a-claim', 'Read the Documents');

				const [doubtful, told] = await reportClaim(own, {
					'claim-note.txt': new Uint8Array(readFileSync(join(DOCUMENTS, 'claim-note.txt'))),
					'invoice.pdf': new Uint8Array(readFileSync(join(DOCUMENTS, 'invoice.pdf'))),
				});
				expect(doubtful).toContain('A person will look at your documents');
				expect(output(told, 'Tell the Claims Team').map(({ json }) => json)).toMatchObject([
					{
						toEmail: 'claims@example.com',
						text: expect.stringMatching(/Values to check: loss_details\[0\]/),
						'options.fileAttachments': 'documents_0,documents_1',
					},
				]);
			});
		},
		MINUTE,
	);

	it(
		'gmail-to-google-sheet adds each row of the table, and changes the label once for each mail',
		async () => {
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
				expect(without.runs).not.toHaveProperty(['Add the Rows']);
				expect(output(without, 'Add Label Needs Review').map(({ json }) => json)).toMatchObject([
					{ messageId: '19example0001', problem: 'No row was found in the attachments' },
				]);
				expectSampleShape(execution, 'gmail-to-google-sheet', 'Read the Tables');
			});
		},
		MINUTE,
	);

	it(
		'drive-folder saves the data of each file and moves it, and sends no file a second time',
		async () => {
			await withQuickService(world(), async (own) => {
				await writeFile(join(own.folder, 'policy.txt'), POLICY);
				const files = `{${join(DOCUMENTS, 'declarations-page.pdf')},${join(own.folder, 'policy.txt')}}`;
				const id = await own.client.createWorkflow(live(own, 'drive-folder', files, 'data'));
				const run = async () => {
					const ended = await own.client.waitForExecution(await own.client.run(id, 'Start'));
					expectSuccess(ended, []);
					return ended;
				};
				const first = await run();
				expectNoGaps(first, template('drive-folder'));
				expectSampleShape(first, 'drive-folder', 'Read the File');
				const saved = output(first, 'Save the Data');
				expect(saved.map(({ binary }) => Object.keys(binary ?? {}).includes('report_csv'))).toEqual(
					[true, true],
				);
				expect(output(first, 'Move to Done')).toHaveLength(1);
				expect(output(first, 'Move to Needs Review')).toHaveLength(1);
				const second = await run();
				expect(second.runs).not.toHaveProperty(['Save the Data']);
				expect(output(second, 'Move to Done')).toHaveLength(2);
				await own.client.deleteWorkflow(id);
				const failWith = { error: 'The document has no pages.' };
				own.simulator.state.workflows.change('policy-intake', { failWith });
				const failed = await runLive(own, 'drive-folder', join(own.folder, 'policy.txt'), 'data');
				expect(output(failed, 'Move to Needs Review').map(({ json }) => json)).toMatchObject([
					{ file: 'declarations-page.pdf', problem: expect.stringContaining('has no pages') },
				]);
			});
		},
		MINUTE,
	);

	it(
		'when-a-workflow-fails is started by n8n, and checks the executions that the error names',
		async () => {
			await withQuickService(world(), async (own) => {
				const { client, n8n } = own;
				const errors = await client.createWorkflow(
					withProbes(withService(own, template('when-a-workflow-fails'))),
				);
				await client.activate(errors);
				const path = randomUUID();
				const files = readFiles(join(DOCUMENTS, '{declarations-page,invoice,application}.pdf'));
				const service = documentWorkflow(own, 'createAndWait', 'failing', EARLY);
				const flow = chain('Failing', files, service);
				const start = { ...node('Start', 'n8n-nodes-base.webhook', 2, { path, options: {} }) };
				const failing = await client.createWorkflow({
					...flow,
					nodes: flow.nodes.map((each) =>
						each.name === 'Start' ? { ...start, webhookId: path } : each,
					),
					settings: { executionOrder: 'v1', errorWorkflow: errors },
				});
				await client.activate(failing);
				await until(async () => (await fetch(`${n8n.webhookUrl}/webhook/${path}`)).ok);
				const [id = ''] = await client.executionIds(errors, 1);
				const execution = await client.waitForExecution(id);
				expectSuccess(execution, ['Send the Mail']);
				const [mail, ...more] = output(execution, 'Send the Mail').map(({ json }) => json);
				expect(more).toEqual([]);
				expect(mail?.subject).toBe('Failed: Failing');
				const text = String(mail?.text);
				expect(text).toContain('Node: Document Workflow');
				expect(text).toContain(
					'The service could not process the documents: The document has no pages',
				);
				const started = [...own.simulator.state.executions.all()].map(
					({ executionId }) => executionId,
				);
				expect(started).toHaveLength(3);
				for (const each of started) expect(text).toContain(`- ${each}: failed`);
				expectNoGaps(execution, template('when-a-workflow-fails'));
				for (const each of [failing, errors]) await client.deactivate(each);
			});
		},
		MINUTE,
	);
}

function template(name: string): Template {
	const workflow = readExampleWorkflows().get(name);
	if (workflow === undefined) throw new Error(`There is no example "${name}".`);
	return workflow as unknown as Template;
}

/** The version of each type of n8n's own nodes that the editor gives to a new node. */
async function newestVersions(): Promise<Map<string, number>> {
	const folder = await installN8n('n8n-2', () => undefined);
	const file = join(folder, 'node_modules', 'n8n-nodes-base', 'dist', 'types', 'nodes.json');
	const types = JSON.parse(readFileSync(file, 'utf8')) as Array<{
		name: string;
		version: number | number[];
		defaultVersion?: number;
	}>;
	const newest = new Map<string, number>();
	for (const { name, version, defaultVersion } of types) {
		const type = `n8n-nodes-base.${name}`;
		const offered = defaultVersion ?? Math.max(...[version].flat());
		newest.set(type, Math.max(offered, newest.get(type) ?? 0));
	}
	return newest;
}

const isTrigger = ({ type }: { type: string }) => type.endsWith('Trigger');
/** Needs a credential of another service. */
const isForeign = (each: NodeJson) =>
	!OWN.includes(each.type) && each.type !== OURS && !isTrigger(each);

function triggerOf({ name, nodes }: WorkflowJson): string {
	const trigger = nodes.find(isTrigger);
	if (trigger === undefined) throw new Error(`"${name}" has no trigger.`);
	return trigger.name;
}

/** Runs a workflow as *Execute workflow* does, and opens the page of a form as the editor does. */
async function runToEnd({ client }: World, workflow: WorkflowJson): Promise<Execution> {
	const id = await client.createWorkflow(workflow);
	const executionId = await client.run(id, triggerOf(workflow));
	let page: string | undefined;
	await until(async () => {
		const { status, runs } = await client.execution(executionId);
		page = Object.values(runs)
			.flat()
			.map(({ metadata }) => metadata?.resumeFormUrl)
			.find(Boolean);
		return !['new', 'running'].includes(status) && (status !== 'waiting' || page !== undefined);
	});
	if (page !== undefined) await openLastPage(page);
	return client.waitForExecution(executionId);
}

/** Reads the last page of a form and, as its script does, tells n8n that it was shown. */
async function openLastPage(url: string): Promise<string> {
	const html = await nextPage(url);
	await fetch(url, { method: 'POST' });
	return html;
}

/**
 * The same workflow with fields in place of nodes that need a credential: a node of the same name returns its input, and what the expressions
 * in the parameters of the replaced node give. So each of them is seen, and the data goes on.
 */
function withProbes(workflow: Template): Template {
	const nodes = workflow.nodes.map((each) => {
		if (!isForeign(each)) return each;
		const assignments = [...expressionsIn(each.parameters)].map(([name, value]) => ({
			id: `${each.id} ${name}`,
			...{ name, value, type: 'string' },
		}));
		const options = { stripBinary: false, dotNotation: false };
		const parameters = { assignments: { assignments }, includeOtherFields: true, options };
		const { name, id, position, onError } = each;
		return {
			...node(name, 'n8n-nodes-base.set', 3.5, parameters),
			...{ id, position, ...(onError === undefined ? {} : { onError }) },
		};
	});
	const pinned = Object.entries(workflow.pinData).filter(
		([name]) => !workflow.nodes.some((each) => each.name === name && isForeign(each)),
	);
	return { ...workflow, nodes, pinData: Object.fromEntries(pinned) };
}

function* expressionsIn(value: unknown, path: string[] = []): Iterable<[string, string]> {
	if (typeof value === 'string' && value.startsWith('=')) yield [path.join('.'), value];
	if (typeof value !== 'object' || value === null) return;
	for (const [name, each] of Object.entries(value)) yield* expressionsIn(each, [...path, name]);
}

/** With the credential of the tests, and early checks. */
function withService({ credential: { id, name } }: World, workflow: Template): Template {
	const { nodes } = withCredential(workflow, { id, name }) as unknown as Template;
	return {
		...workflow,
		nodes: nodes.map((each) =>
			each.type === OURS ? { ...each, parameters: { ...each.parameters, ...EARLY } } : each,
		),
	};
}

/** A template in which the trigger gives its sample data with real files, and only the document service is asked. */
function live(world: World, name: string, files: string, fieldName: string): WorkflowJson {
	const workflow = template(name);
	const trigger = triggerOf(workflow);
	const { nodes, connections } = withProbes(withService(world, workflow));
	const samples = workflow.pinData[trigger]?.map(({ json }) => json);
	const read = readFiles(files);
	const given = node(trigger, 'n8n-nodes-base.set', 3.5, {
		...{ mode: 'raw', jsonOutput: `={{ ${JSON.stringify(samples)}[$itemIndex] }}` },
		...{ includeOtherFields: true, options: { stripBinary: false } },
	});
	const start = chain(
		`${name}, live`,
		{ ...read, parameters: { ...read.parameters, options: { dataPropertyName: fieldName } } },
		given,
	);
	return {
		...start,
		nodes: [...start.nodes, ...nodes.filter((each) => each.name !== trigger)],
		connections: { ...start.connections, ...connections },
	};
}

async function runLive(
	world: World,
	name: string,
	files: string,
	fieldName: string,
): Promise<Execution> {
	const execution = await world.client.runToEnd(live(world, name, files, fieldName));
	expectSuccess(execution, []);
	expectNoGaps(execution, template(name));
	return execution;
}

/** Reports a claim in the form of the template; returns the last page and the n8n execution. */
async function reportClaim(
	world: World,
	documents: Record<string, string | Uint8Array<ArrayBuffer>>,
): Promise<[string, Execution]> {
	const { client, n8n } = world;
	const path = randomUUID();
	const workflow = withProbes(withService(world, template('report-a-claim')));
	const id = await client.createWorkflow({
		...workflow,
		nodes: workflow.nodes.map((each) => (isTrigger(each) ? { ...each, webhookId: path } : each)),
		pinData: {},
	});
	await client.activate(id);
	const body = new FormData();
	const answers = ['A. Eksempel', 'EMC-CP-1048823-26', 'A truck struck the north wall.'];
	for (const [index, answer] of answers.entries()) body.append(`field-${index}`, answer);
	for (const [name, content] of Object.entries(documents))
		body.append('field-3', new Blob([content]), name);
	const page = await openLastPage(await submitForm(`${n8n.url}/form/${path}`, body));
	const [executionId = ''] = await client.executionIds(id, 1);
	const execution = await client.waitForExecution(executionId);
	expectSuccess(execution, []);
	expectNoGaps(execution, template('report-a-claim'));
	await client.deactivate(id);
	return [page, execution];
}

async function withQuickService(world: World, work: (own: World) => Promise<void>): Promise<void> {
	await withOwnService(world, async (own) => {
		for (const { workflowId } of own.simulator.state.workflows.all())
			own.simulator.state.workflows.change(workflowId, { duration: { fixedSeconds: 0.2 } });
		await work(own);
	});
}

const itemsOf = (execution: Execution, name: string): Item[] =>
	(lastRun(execution, name).data?.main ?? []).flatMap((items) => items ?? []);

function expectSuccess(execution: Execution, nodes: string[]): void {
	expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
	expect(nodes.filter((name) => itemsOf(execution, name).length === 0)).toEqual([]);
}

/** A value that was missing, in a text: named, or nothing behind a colon. */
const GAP = /\b(undefined|null|NaN)\b|\[object Object\]|: +$/m;

/** No text that a node has made shows a value that was missing, and no expression of a replaced node gave nothing. */
function expectNoGaps(execution: Execution, { nodes }: Template): void {
	const written = nodes.filter(
		(each) => each.type !== OURS && !isTrigger(each) && each.name in execution.runs,
	);
	const gaps = written.flatMap((each) => {
		const probed = isForeign(each) ? [...expressionsIn(each.parameters)].map(([name]) => name) : [];
		return itemsOf(execution, each.name)
			.flatMap(({ json }) => [
				...textsIn(json).filter((text) => GAP.test(text)),
				...probed.filter((name) => json[name] === '' || json[name] === null),
			])
			.map((text) => `${each.name}: ${text}`);
	});
	expect(gaps).toEqual([]);
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The sample data of a node has the fields that the node returns, in their order. */
function expectSampleShape(execution: Execution, name: string, nodeName: string): void {
	const shape = ({ json }: { json: Record<string, unknown> }) => Object.keys(json);
	const [returned] = output(execution, nodeName).map(shape);
	for (const sample of template(name).pinData[nodeName] ?? [])
		expect(shape(sample)).toEqual(returned);
}
