import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
	isTrigger,
	needsSampleData,
	readExampleWorkflows,
	withCredential,
} from '../../harness/example-workflows';
import { lastRun, output, type Execution, type Item } from '../../harness/n8n-execution';
import type { WorkflowJson } from '../../harness/n8n-rest';
import { chain, EARLY_CHECKS, node, readFiles, type NodeJson } from './flows';
import { openLastPage, postForm } from './forms';
import { until, withOwnService, type World } from './support';

export const OURS = 'n8n-nodes-document-workflow.documentWorkflow';

const templateJson = z
	.object({
		name: z.string(),
		nodes: z.array(
			z
				.object({
					id: z.string(),
					name: z.string(),
					type: z.string(),
					typeVersion: z.number(),
					parameters: z.record(z.unknown()),
					position: z.tuple([z.number(), z.number()]),
				})
				.passthrough(),
		),
		connections: z.record(z.unknown()),
		pinData: z.record(z.array(z.object({ json: z.record(z.unknown()) }).passthrough())).default({}),
	})
	.passthrough();

export type Template = z.infer<typeof templateJson>;

/** All values of a policy, so that none has a low confidence. */
export const POLICY = [
	...['Policy Number: EMC-CP-1050117-26', 'Named Insured: =Sample Bakery LLC'],
	...['Mailing Address: 8 Example Lane', 'Effective Date: 04/01/2026'],
	...['Expiration Date: 04/01/2027', 'Issue Date: 03/12/2026', 'Renewal Of: EMC-CP-1050117-25'],
	...['Agency: Sample Agency', 'Agency Code: 34-00127', 'Total Premium: $7,415.00'],
	...['Deductible: $2,500', 'Wind and Hail Deductible: $5,000', 'Mortgagee: Fictional Bank'],
	...['Underwriter: T. Paradigma', ''],
].join('\n');

export function asTemplate(workflow: WorkflowJson): Template {
	return templateJson.parse(workflow);
}

export function template(name: string): Template {
	const workflow = readExampleWorkflows().get(name);
	if (workflow === undefined) throw new Error(`There is no example "${name}".`);
	return asTemplate(workflow);
}

/** A node of n8n that a test replaces. */
export const isForeign = (each: NodeJson) =>
	needsSampleData(each) && each.type !== OURS && !isTrigger(each);

export function triggerOf({ name, nodes }: WorkflowJson): string {
	const trigger = nodes.find(isTrigger);
	if (trigger === undefined) throw new Error(`"${name}" has no trigger.`);
	return trigger.name;
}

/** Runs a workflow as *Execute workflow* does, and opens the page of a form as the editor does. */
export async function runToEnd(
	world: World,
	workflow: WorkflowJson,
	trigger = triggerOf(workflow),
): Promise<Execution> {
	const { executionId, page } = await runToPage(world, workflow, trigger);
	if (page !== undefined) await openLastPage(page);
	return world.client.waitForExecution(executionId);
}

/** Runs a workflow as *Execute workflow* does, to its end or to the page of a form that the editor would open. */
export async function runToPage(
	{ client }: World,
	workflow: WorkflowJson,
	trigger = triggerOf(workflow),
): Promise<{ executionId: string; page?: string | undefined }> {
	const id = await client.createWorkflow(workflow);
	const executionId = await client.run(id, trigger);
	let page: string | undefined;
	await until(async () => {
		const { status, runs } = await client.execution(executionId);
		page = Object.values(runs)
			.flat()
			.map(({ metadata }) => metadata?.resumeFormUrl)
			.find(Boolean);
		return !['new', 'running'].includes(status) && (status !== 'waiting' || page !== undefined);
	});
	return { executionId, page };
}

/**
 * The same workflow with fields in place of nodes that need a credential: a node of the same name returns its input, and what the expressions
 * in the parameters of the replaced node give. So each of them is seen, and the data goes on. Nodes of `kept` stay, with their sample data.
 */
export function withProbes(workflow: Template, kept: string[] = []): Template {
	const isReplaced = (each: NodeJson) => isForeign(each) && !kept.includes(each.name);
	const nodes = workflow.nodes.map((each) => {
		if (!isReplaced(each)) return each;
		const assignments = [...expressionsIn(each.parameters)].map(([name, value]) => ({
			id: `${each.id} ${name}`,
			...{ name, value, type: 'string' },
		}));
		const options = { stripBinary: false, dotNotation: false };
		const parameters = { assignments: { assignments }, includeOtherFields: true, options };
		const { name, id, position, onError } = each;
		return {
			...node(name, 'n8n-nodes-base.set', 3.4, parameters),
			...{ id, position, ...(onError === undefined ? {} : { onError }) },
		};
	});
	const pinned = Object.entries(workflow.pinData).filter(
		([name]) => !workflow.nodes.some((each) => each.name === name && isReplaced(each)),
	);
	return { ...workflow, nodes, pinData: Object.fromEntries(pinned) };
}

function* expressionsIn(value: unknown, path: string[] = []): Iterable<[string, string]> {
	if (typeof value === 'string' && value.startsWith('=')) yield [path.join('.'), value];
	if (typeof value !== 'object' || value === null) return;
	for (const [name, each] of Object.entries(value)) yield* expressionsIn(each, [...path, name]);
}

/** With the credential of the tests, and early checks. */
export function withService({ credential: { id, name } }: World, workflow: Template): Template {
	const { nodes } = asTemplate(withCredential(workflow, { id, name }));
	return {
		...workflow,
		nodes: nodes.map((each) =>
			each.type === OURS
				? {
						...each,
						parameters: {
							...each.parameters,
							waiting: Object.assign({}, each.parameters.waiting, EARLY_CHECKS),
						},
					}
				: each,
		),
	};
}

/** An active workflow whose form answers at the URL of `path`. */
export async function publishForm(
	{ client }: World,
	workflow: Template,
): Promise<{ id: string; path: string }> {
	const path = randomUUID();
	const id = await client.createWorkflow({
		...workflow,
		nodes: workflow.nodes.map((each) => (isTrigger(each) ? { ...each, webhookId: path } : each)),
		pinData: {},
	});
	await client.activate(id);
	return { id, path };
}

/** Sends the form of an example, each answer in the place of its field: a text, or files by name. Returns the n8n execution. */
export async function submitExample(
	world: World,
	name: string,
	answers: Array<string | Record<string, string | Uint8Array<ArrayBuffer>>>,
	workflow = withProbes(withService(world, template(name))),
): Promise<Execution> {
	const { client, n8n } = world;
	const { id, path } = await publishForm(world, workflow);
	const body = new FormData();
	for (const [index, answer] of answers.entries()) {
		if (typeof answer === 'string') body.append(`field-${index}`, answer);
		else
			for (const [file, content] of Object.entries(answer))
				body.append(`field-${index}`, new Blob([content]), file);
	}
	expect(await postForm(`${n8n.url}/form/${path}`, body)).toMatchObject({ status: 200 });
	const [executionId = ''] = await client.executionIds(id, 1);
	const execution = await client.waitForExecution(executionId);
	expectSuccess(execution, []);
	expectNoGaps(execution, template(name));
	await client.deactivate(id);
	return execution;
}

/** The same workflow with another node in place of one of its nodes, under the same name. */
export function withNode(workflow: Template, name: string, instead: NodeJson): Template {
	const nodes = workflow.nodes.map((each) =>
		each.name === name ? { ...instead, name, id: each.id, position: each.position } : each,
	);
	const pinned = Object.entries(workflow.pinData).filter(([each]) => each !== name);
	return { ...workflow, nodes, pinData: Object.fromEntries(pinned) };
}

/**
 * A template in which the trigger gives its sample data with real files, each item with one file, and only the document service is asked. Nodes
 * in `between` can change the items with the files.
 */
export function live(
	world: World,
	name: string,
	files: string,
	fieldName: string,
	...between: NodeJson[]
): WorkflowJson {
	const workflow = template(name);
	const trigger = triggerOf(workflow);
	const { nodes, connections } = withProbes(withService(world, workflow));
	const samples = workflow.pinData[trigger]?.map(({ json }) => json);
	const read = readFiles(files);
	const given = node(trigger, 'n8n-nodes-base.set', 3.4, {
		...{ mode: 'raw', jsonOutput: `={{ ${JSON.stringify(samples)}[$itemIndex] }}` },
		...{ includeOtherFields: true, options: { stripBinary: false } },
	});
	const start = chain(
		`${name}, live`,
		{ ...read, parameters: { ...read.parameters, options: { dataPropertyName: fieldName } } },
		...between,
		given,
	);
	return {
		...start,
		nodes: [...start.nodes, ...nodes.filter((each) => each.name !== trigger)],
		connections: { ...start.connections, ...connections },
	};
}

export async function runLive(
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

export async function withQuickService(
	world: World,
	work: (own: World) => Promise<void>,
): Promise<void> {
	await withOwnService(world, async (own) => {
		for (const { workflowId } of own.simulator.state.workflows.all())
			own.simulator.state.workflows.change(workflowId, { duration: { fixedSeconds: 0.2 } });
		await work(own);
	});
}

const itemsOf = (execution: Execution, name: string): Item[] =>
	(lastRun(execution, name).data?.main ?? []).flatMap((items) => items ?? []);

/** What a node returned, also where it ran several times. */
export function itemsOfAllRuns(execution: Execution, name: string): Array<Item['json']> {
	return (execution.runs[name] ?? [])
		.flatMap(({ data }) => data?.main?.flatMap((items) => items ?? []) ?? [])
		.map(({ json }) => json);
}

export function expectSuccess(execution: Execution, nodes: string[]): void {
	expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
	expect(nodes.filter((name) => itemsOf(execution, name).length === 0)).toEqual([]);
}

/** A value that was missing, in a text: named, or nothing behind a colon. */
const GAP = /\b(undefined|null|NaN)\b|\[object Object\]|: +$/m;

/** The names of the files of a mail, which may have none, what to check of a file, which may be nothing, and values that it lacks. */
const MAY_BE_EMPTY = [
	'options.attachments',
	'options.fileAttachments',
	...['IntakeProblem', 'ToCheck', 'PolicyNumber', 'NamedInsured', 'TotalPremium'].map(
		(name) => `columns.value.${name}`,
	),
];

/** No text that a node has made shows a value that was missing, and no expression of a replaced node gave nothing. */
export function expectNoGaps(execution: Execution, { nodes }: Template): void {
	const written = nodes.filter(
		(each) => each.type !== OURS && !isTrigger(each) && each.name in execution.runs,
	);
	const gaps = written.flatMap((each) => {
		const probed = isForeign(each)
			? [...expressionsIn(each.parameters)]
					.map(([name]) => name)
					.filter((name) => !MAY_BE_EMPTY.includes(name))
			: [];
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

/** Each item of the sample data of a node has the fields of one that the node returns, in their order. */
export function expectSampleShape(execution: Execution, name: string, nodeName: string): void {
	const shape = ({ json }: { json: Record<string, unknown> }) => Object.keys(json);
	const returned = output(execution, nodeName).map(shape);
	for (const sample of template(name).pinData[nodeName] ?? [])
		expect(returned).toContainEqual(shape(sample));
}

/**
 * The example "overnight-batch" with files that n8n reads from disk in place of OneDrive, and without sample data: the nodes that list and
 * download give what those of OneDrive give.
 */
export function withFilesOnDisk(example: Template, files: string): Template {
	const workflow = withProbes(example);
	const list = 'List the Folder';
	const asInOneDrive = node('As in OneDrive', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput:
			'={{ { id: $json.fileName, name: $json.fileName, file: { mimeType: $json.mimeType } } }}',
		includeOtherFields: true,
		options: { stripBinary: false },
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		...withNode({ ...workflow, nodes: [...workflow.nodes, asInOneDrive] }, list, readFiles(files)),
		connections: {
			...workflow.connections,
			[list]: to(asInOneDrive.name),
			[asInOneDrive.name]: to('Is It a File?'),
		},
		pinData: {},
	};
}
