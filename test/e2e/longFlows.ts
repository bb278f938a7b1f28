import type { WorkflowJson } from '../../harness/n8n-rest';
import { documentWorkflow, node, type NodeJson } from './flows';
import { until, type World } from './support';

/** A long wait is not asked about more often, because many wait at once. */
export const SECOND = 1_000;
export const NODE = 'Document Workflow';
export const NEXT = 'Next';
/** The workflow of the service that takes longer than the node checks while it runs. */
export const LONG = 'thirty-seconds';

/** The node checks for six seconds, and then n8n pauses for a minute, which is the shortest pause. */
export const WAIT = { firstCheckSeconds: 1, longestIntervalMinutes: 0.1, pauseAfterSeconds: 6 };

/** A text input that the service returns as extracted data. */
export const CASE = {
	documents: 'none',
	inputs: { textInputs: [{ name: 'Case Number', value: '=CASE-{{ $json.numbers }}' }] },
};

/** Creates an execution for each number, and waits for it longer than the node checks while it runs. */
export function longWait(
	world: Pick<World, 'credential'>,
	settings: Record<string, unknown> = {},
	{ waiting = {}, ...more }: { waiting?: object; [parameter: string]: unknown } = {},
	workflowId = LONG,
): NodeJson {
	const parameters = { ...CASE, ...more, waiting: { ...WAIT, ...waiting } };
	return documentWorkflow(world, 'createAndWait', workflowId, parameters, settings);
}

/** Waits for the executions of the items. */
export function waitBehind(world: World, name = NODE): NodeJson {
	const parameters = { executionId: '={{ $json.executionId }}', waiting: WAIT };
	return named(name, documentWorkflow(world, 'wait', '={{ $json.workflowId }}', parameters));
}

export function named(name: string, given: NodeJson): NodeJson {
	return { ...given, id: name.toLowerCase(), name };
}

/** The node behind: by which number the item came, found through its pairing, and the case or the error. */
export function next(from = "$('Split').item.json.numbers", name = NEXT): NodeJson {
	const value = '={{ $json.data?.case?.[0]?.case_number ?? $json.error?.message }}';
	return node(name, 'n8n-nodes-base.set', 3.4, {
		assignments: {
			assignments: [
				{ id: 'a', name: 'from', value: `={{ ${from} }}`, type: 'string' },
				{ id: 'b', name: 'case', value, type: 'string' },
			],
		},
		options: {},
	});
}

/** What the node behind returns for the items with these numbers. */
export function casesOf(...numbers: number[]): unknown[] {
	return numbers.map((number) => ({ from: String(number), case: `CASE-${number}` }));
}

/** Adds nodes, and replaces the connections of some. */
export function rewired(
	flow: WorkflowJson,
	nodes: NodeJson[],
	links: Record<string, string[][]>,
): WorkflowJson {
	const connections = Object.entries(links).map(([source, outputs]) => {
		const main = outputs.map((targets) =>
			targets.map((target) => {
				const [name, index = '0'] = target.split('#');
				return { node: name, type: 'main', index: Number(index) };
			}),
		);
		return [source, { main }];
	});
	return {
		...flow,
		nodes: [...flow.nodes, ...nodes.map((each) => ({ ...each, position: [440, 200] as const }))],
		connections: { ...flow.connections, ...(Object.fromEntries(connections) as object) },
	};
}

/** Starts a workflow by hand and waits until it pauses. */
export async function startAndPause(
	{ client }: Pick<World, 'client'>,
	flow: WorkflowJson,
): Promise<string> {
	const id = await client.run(await client.createWorkflow(flow));
	await until(async () => (await client.execution(id)).status === 'waiting', 180_000, SECOND);
	return id;
}
