import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, node, numbers, split, type NodeJson } from '../flows';
import type { Scope } from '../lines';
import type { World } from '../support';

const NODE = 'Document Workflow';
const NEXT = 'Next';
const MINUTE = 60_000;

/** Longer than the node checks while it runs. */
const LONG = 'thirty-seconds';
const WAIT = { firstCheckSeconds: 1, longestIntervalMinutes: 0.1, pauseAfterMinutes: 0.1 };

const CASE = {
	inputDataFieldName: '',
	textInputs: { pairs: [{ name: 'Case Number', value: '=CASE-{{ $json.numbers }}' }] },
};

interface Cell {
	title: string;
	flow: (world: World) => WorkflowJson;
	/** What the node behind must return. */
	expected: unknown[];
}

/** Reads the item that the output is paired with. */
const next = (name = NEXT): NodeJson =>
	node(name, 'n8n-nodes-base.set', 3.4, {
		assignments: {
			assignments: [
				{ id: 'a', name: 'from', value: "={{ $('Split').item.json.numbers }}", type: 'string' },
				{
					id: 'b',
					name: 'case',
					value: '={{ $json.data?.case?.[0]?.case_number ?? $json.error?.message }}',
					type: 'string',
				},
			],
		},
		options: {},
	});

function longWait(
	world: World,
	settings: Record<string, unknown> = {},
	more: object = {},
): NodeJson {
	return documentWorkflow(
		world,
		'createAndWait',
		LONG,
		{ ...CASE, options: WAIT, ...more },
		settings,
	);
}

const cases = (...indexes: number[]) =>
	indexes.map((index) => ({ from: String(index), case: `CASE-${index}` }));

/** Puts an If before the node, which is on its false branch. */
function onFalseBranch(flow: WorkflowJson): WorkflowJson {
	const condition = node('If', 'n8n-nodes-base.if', 2.2, {
		conditions: {
			options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: 'c',
					leftValue: '={{ $json.numbers }}',
					rightValue: 0,
					operator: { type: 'number', operation: 'equals' },
				},
			],
		},
		options: {},
	});
	const link = (name: string) => ({ node: name, type: 'main', index: 0 });
	return {
		...flow,
		nodes: [...flow.nodes, { ...condition, position: [440, 200] as [number, number] }],
		connections: {
			...flow.connections,
			Split: { main: [[link('If')]] },
			If: { main: [[], [link(NODE)]] },
		},
	};
}

function inLoop(flow: WorkflowJson): WorkflowJson {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} });
	const link = (name: string) => ({ node: name, type: 'main', index: 0 });
	return {
		...flow,
		nodes: [...flow.nodes, { ...loop, position: [440, 200] as [number, number] }],
		connections: {
			...flow.connections,
			Split: { main: [[link('Loop')]] },
			Loop: { main: [[link(NEXT)], [link(NODE)]] },
			[NODE]: { main: [[link('Loop')]] },
		},
	};
}

const CELLS: Cell[] = [
	{
		title: 'one item',
		flow: (world) => chain('One', numbers(1), split(), longWait(world), next()),
		expected: cases(0),
	},
	{
		title: 'fifty items',
		flow: (world) => chain('Fifty', numbers(50), split(), longWait(world), next()),
		expected: cases(...Array(50).keys()),
	},
	{
		title: 'Create and, behind it, Wait for Completion',
		flow: (world) =>
			chain(
				'Two nodes',
				numbers(3),
				split(),
				{ ...documentWorkflow(world, 'create', LONG, CASE), id: 'create', name: 'Create' },
				documentWorkflow(world, 'wait', LONG, {
					executionId: '={{ $json.executionId }}',
					options: WAIT,
				}),
				next(),
			),
		expected: cases(0, 1, 2),
	},
	{
		title: 'Retry On Fail',
		flow: (world) =>
			chain(
				'Retry',
				numbers(2),
				split(),
				longWait(world, { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 }),
				next(),
			),
		expected: cases(0, 1),
	},
	{
		title: 'Always Output Data',
		flow: (world) =>
			chain('Always', numbers(2), split(), longWait(world, { alwaysOutputData: true }), next()),
		expected: cases(0, 1),
	},
	{
		title: 'the false branch of an If',
		flow: (world) => onFalseBranch(chain('Branch', numbers(3), split(), longWait(world), next())),
		expected: cases(1, 2),
	},
	{
		title: 'Loop Over Items',
		flow: (world) => inLoop(chain('Loop', numbers(2), split(), longWait(world), next())),
		expected: cases(0, 1),
	},
	{
		title: 'two waits in a row',
		flow: (world) =>
			chain(
				'Row',
				numbers(2),
				split(),
				{ ...longWait(world), id: 'first', name: 'First' },
				documentWorkflow(world, 'wait', LONG, {
					executionId: '={{ $json.executionId }}',
					options: WAIT,
				}),
				next(),
			),
		expected: cases(0, 1),
	},
	{
		title: 'an item that fails, with Continue',
		flow: (world) =>
			chain(
				'Continue',
				numbers(2),
				split(),
				longWait(
					world,
					{ onError: 'continueRegularOutput' },
					{
						workflowId: {
							__rl: true,
							mode: 'id',
							value: `={{ $json.numbers === 0 ? 'failing' : '${LONG}' }}`,
						},
					},
				),
				next(),
			),
		expected: [{ from: '0', case: expect.stringContaining('failed') }, ...cases(1)],
	},
	{
		title: 'the legacy order of execution',
		flow: (world) => ({
			...chain('Legacy', numbers(2), split(), longWait(world), next()),
			settings: { executionOrder: 'v0' },
		}),
		expected: cases(0, 1),
	},
];

/** Waits that are longer than the node checks while it runs, with all of n8n's settings that could disturb them. All run at the same time. */
export function longWaitsSpec(world: () => World, { atStart }: Scope): void {
	const ended = new Map<string, Promise<Execution>>();
	atStart(() => {
		for (const { title, flow } of CELLS) {
			const execution = world().client.runToEnd(flow(world()), 8 * MINUTE);
			execution.catch(() => undefined); // the tests fail with it
			ended.set(title, execution);
		}
	});

	it.each(CELLS.map(({ title, expected }) => [title, expected] as const))(
		'returns the data once: %s',
		async (title, expected) => {
			const execution = await ended.get(title);
			expect(execution?.error?.message).toBeUndefined();
			expect(execution?.status).toBe('success');
			expect(execution && output(execution, NEXT).map(({ json }) => json)).toEqual(expected);
			expect(execution?.runs?.[NEXT]?.length).toBe(1);
		},
		9 * MINUTE,
	);
}
