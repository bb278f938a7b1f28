import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, node, numbers, readFiles, split, type NodeJson } from '../flows';
import {
	CASE,
	casesOf,
	LONG,
	longWait,
	named,
	next,
	NEXT,
	NODE,
	rewired,
	waitBehind,
} from '../longFlows';
import { publish } from '../published';
import type { Scope } from '../lines';
import { withOwnService, type World } from '../support';

const MINUTE = 60_000;

interface Cell {
	title: string;
	flow: (world: World) => WorkflowJson | Promise<WorkflowJson>;
	/** By default a run from the editor. */
	run?: (world: World, flow: WorkflowJson) => Promise<Execution>;
	/** What the node behind returns, in its only run. */
	expected: unknown[];
	/** How many executions are started in the service, if not one for each item. */
	started?: number;
	also?: (ended: Ended) => void;
	/** Takes several rounds of pauses, of a minute each. */
	long?: true;
}

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

/** A text file for each number, which n8n reads from a folder of its own. */
async function readCases({ folder }: World, name: string, ...given: number[]): Promise<NodeJson> {
	for (const each of given)
		await writeFile(join(folder, `${name}-${each}.txt`), `Case Number: CASE-${each}`);
	return readFiles(join(folder, `${name}-*.txt`));
}

const FILES = {
	...{ documents: 'files', inputDataFieldName: 'data', inputs: {} },
	outputOptions: { includeFiles: true },
};
const byFileName = "$('Read').item.binary.data.fileName.match(/\\d/)[0]";

const ifNotZero = node('If', 'n8n-nodes-base.if', 2.2, {
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

const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} });

/** A workflow that waits, called by another. */
async function calling(world: World): Promise<WorkflowJson> {
	const { nodes, ...called } = chain('Called', longWait(world));
	const start = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1, {});
	const id = await world.client.createWorkflow({ ...called, nodes: [start, ...nodes.slice(1)] });
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: id },
		options: {},
	});
	return chain(
		'Calls',
		numbers(2),
		split(),
		call,
		next('$json.data.case[0].case_number.slice(-1)'),
	);
}

/** Started by n8n's Webhook node. `answer` is when n8n answers. */
async function runByWebhook(
	world: World,
	flow: WorkflowJson,
	answer: 'lastNode' | 'onReceived' | 'responseNode',
): Promise<{ execution: Execution; answered: unknown }> {
	const published = await publish(world, flow, answer);
	const answered = await published.call();
	const [id = ''] = await published.executionIds(1);
	return { execution: await world.client.waitForExecution(id, 8 * MINUTE), answered };
}

/** Fails at its first check, and is retried from the list of executions. */
async function runByRetry({ client, simulator }: World, flow: WorkflowJson): Promise<Execution> {
	const { faults } = simulator.state;
	faults.add({ route: 'get', times: 1, action: { type: 'status', status: 403 } });
	const workflow = await client.createWorkflow(flow);
	const rejected = await client.waitForExecution(await client.run(workflow));
	expect(rejected.status).toBe('error');
	await client.retryExecution(rejected.id);
	const [, retried = ''] = await client.executionIds(workflow, 2);
	return client.waitForExecution(retried, 8 * MINUTE);
}

const CELLS: Cell[] = [
	{
		title: 'Retry On Fail',
		flow: (world) => chain('Retry', numbers(2), split(), longWait(world, RETRY), next()),
		expected: casesOf(0, 1),
	},
	{
		title: 'the false branch of an If',
		flow: (world) =>
			rewired(chain('Branch', numbers(3), split(), longWait(world), next()), [ifNotZero], {
				Split: [['If']],
				If: [[], [NODE]],
			}),
		expected: casesOf(1, 2),
	},
	{
		title: 'Loop Over Items',
		flow: (world) =>
			rewired(chain('Loop', numbers(2), split(), longWait(world), next()), [loop], {
				Split: [['Loop']],
				Loop: [[NEXT], [NODE]],
				[NODE]: [['Loop']],
			}),
		expected: casesOf(0, 1),
		long: true,
	},
	{
		title: 'two waits in a row',
		flow: (world) =>
			chain('Row', numbers(2), split(), named('First', longWait(world)), waitBehind(world), next()),
		expected: casesOf(0, 1),
	},
	{
		title: 'two branches that both wait',
		flow: (world) =>
			rewired(
				chain('Branches', numbers(2), split(), longWait(world), next()),
				[named('Other', longWait(world)), next(undefined, 'Behind the other')],
				{ Split: [[NODE, 'Other']], Other: [['Behind the other']] },
			),
		expected: casesOf(0, 1),
		started: 4,
		also: ({ execution }) => {
			expect(output(execution, 'Behind the other').map(({ json }) => json)).toEqual(casesOf(0, 1));
			expect(execution.runs['Behind the other']).toHaveLength(1);
		},
		long: true,
	},
	{
		title: 'a Merge behind it, whose other input does not wait',
		flow: (world) => {
			const merge = node('Merge', 'n8n-nodes-base.merge', 3.2, {
				mode: 'combine',
				combineBy: 'combineByPosition',
				options: {},
			});
			return rewired(
				chain('Merge', numbers(2), split(), longWait(world), merge, next('$json.numbers')),
				[],
				{ Split: [[NODE, 'Merge#1']] },
			);
		},
		expected: casesOf(0, 1),
	},
	{
		title:
			'the Error output, for an item that fails before the pause, one that fails in it, and one that is rejected',
		flow: (world) => {
			const byNumber = `={{ ['never-ending', '${LONG}', 'never-ending', 'no-such-workflow', '${LONG}'][$json.numbers] }}`;
			const settings = { onError: 'continueErrorOutput', ...RETRY };
			const more = {
				waiting: { longestWaitHours: '={{ [0.001, 1, 0.02, 1, 1][$json.numbers] }}' },
			};
			return rewired(
				chain(
					'Error output',
					numbers(5),
					split(),
					longWait(world, settings, more, byNumber),
					next(),
				),
				[next(undefined, 'Failed')],
				{ [NODE]: [[NEXT], ['Failed']] },
			);
		},
		expected: casesOf(1, 4),
		started: 4,
		also: ({ execution, creates }) => {
			expect(output(execution, 'Failed').map(({ json }) => json)).toEqual([
				{ from: '0', case: expect.stringContaining('No result after 0.001 hours') },
				{ from: '2', case: expect.stringContaining('No result after 0.02 hours') },
				{ from: '3', case: expect.stringContaining('was not found') },
			]);
			expect(execution.runs.Failed).toHaveLength(1);
			expect(creates).toBe(5);
		},
	},
	{
		title: 'files, which are sent once, and those of failed items on the Error output',
		flow: async (world) => {
			const byName = (isFirst: unknown, other: unknown) =>
				`={{ $binary.data.fileName.includes('1') ? ${JSON.stringify(isFirst)} : ${JSON.stringify(other)} }}`;
			const settings = { onError: 'continueErrorOutput' };
			const waiting = { longestWaitHours: byName(0.02, 1) };
			return chain(
				'Files',
				await readCases(world, 'case', 0, 1, 2),
				longWait(world, settings, { ...FILES, waiting }, byName('never-ending', LONG)),
				next(byFileName),
			);
		},
		expected: casesOf(0, 2),
		started: 3,
		also: ({ execution }) =>
			expect(output(execution, NODE, 1).map(({ binary }) => binary?.data?.fileName)).toEqual([
				'case-1.txt',
			]),
	},
	{
		title: 'a workflow that another calls: the other gets the data, and nothing pauses',
		flow: calling,
		expected: casesOf(0, 1),
		also: ({ log }) => expect(log).toContain('Reason: its n8n workflow was called by another'),
	},
	{
		title: 'Execute Step, up to the node that waits',
		flow: (world) => chain('Step', numbers(2), split(), longWait(world, {}), next()),
		run: async ({ client }, flow) =>
			client.waitForExecution(
				await client.run(await client.createWorkflow(flow), undefined, NODE),
				8 * MINUTE,
			),
		expected: [],
		started: 2,
		also: ({ execution }) =>
			expect(output(execution, NODE).map(({ json }) => json.data)).toEqual(
				[0, 1].map((number) => ({ case: [{ case_number: `CASE-${number}` }] })),
			),
	},
	{
		title:
			'a start by webhook that answers with the data when the last node has run, so that nothing pauses',
		flow: (world) => chain('Last node', numbers(1), split(), longWait(world), next()),
		run: async (world, flow) => {
			const { execution, answered } = await runByWebhook(world, flow, 'lastNode');
			expect(answered).toEqual(casesOf(0)[0]);
			return execution;
		},
		expected: casesOf(0),
		also: ({ log }) => expect(log).toContain('Reason: its n8n workflow answers a webhook'),
	},
	{
		title: 'a start by webhook that a later node answers',
		flow: (world) => {
			const answer = node('Answer', 'n8n-nodes-base.respondToWebhook', 1.1, { options: {} });
			return chain('Answered', numbers(1), split(), longWait(world), next(), answer);
		},
		run: async (world, flow) => {
			const { execution, answered } = await runByWebhook(world, flow, 'responseNode');
			// In queue mode n8n answers at the pause, with nothing.
			expect(answered).toEqual('webhook' in world.n8n ? undefined : casesOf(0)[0]);
			return execution;
		},
		expected: casesOf(0),
	},
	{
		title: 'a retry from the list of executions',
		flow: (world) =>
			chain(
				'Retried',
				numbers(1),
				split(),
				named('Create', documentWorkflow(world, 'create', LONG, CASE)),
				waitBehind(world),
				next(),
			),
		run: runByRetry,
		expected: casesOf(0),
	},
];

/**
 * Waits that are longer than the node checks while it runs, with all of n8n's settings and nodes that could disturb them. All run at the same
 * time, beside other tests, each with its own service.
 */
export function longWaitsSpec(world: () => World, { atStart, long }: Scope): void {
	const cells = CELLS.filter((cell) => long || !cell.long);
	const ended = new Map<string, Promise<Ended>>();
	atStart(() => {
		for (const cell of cells) {
			const running = withOwnService(world(), async (own) => runCell(cell, own));
			running.catch(() => undefined); // the tests fail with it
			ended.set(cell.title, running);
		}
	});

	it.each(cells.map((cell) => [cell.title, cell] as const))(
		'returns the data once: %s',
		async (title, { expected, started = expected.length, also }) => {
			const result = await ended.get(title);
			if (result === undefined) throw new Error('Not started');
			const { execution } = result;
			expect(execution.error?.message).toBeUndefined();
			expect(execution.status).toBe('success');
			expect(execution.runs[NEXT] === undefined ? [] : dataOf(execution)).toEqual(expected);
			expect(execution.runs[NEXT]?.length ?? 0).toBe(expected.length > 0 ? 1 : 0);
			expect(result.started).toBe(started);
			also?.(result);
		},
	);
}

interface Ended {
	execution: Execution;
	/** Executions of the service. */
	started: number;
	/** Requests for one, with those that were rejected. */
	creates: number;
	/** Of n8n, with the reason why the node did not let n8n pause. */
	log: string;
}

async function runCell({ flow, run }: Cell, own: World): Promise<Ended> {
	const json = await flow(own);
	const execution = run ? await run(own, json) : await own.client.runToEnd(json, 8 * MINUTE);
	const { executions, requests } = own.simulator.state;
	return {
		execution,
		started: executions.all().length,
		creates: requests.all().filter(({ route }) => route === 'create').length,
		log: own.n8n.log(),
	};
}

function dataOf(execution: Execution): unknown[] {
	return output(execution, NEXT).map(({ json }) => json);
}
