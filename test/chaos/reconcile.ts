/** The steps of docs/waiting.md, "After a crash of n8n", and what they find. */
import { output, type Item } from '../../harness/n8n-execution';
import type { Execution } from '../../simulator/state/executions';
import { chain, documentWorkflow, node, split, type NodeJson } from '../e2e/flows';
import type { World } from '../e2e/support';
import { caseIn } from './service';

/** What n8n shows about a document. */
export interface ShownDocument {
	/** It is also the case in its data. */
	name: string;
	workflowId: string;
	/** In the output of its n8n execution. */
	item: Record<string, unknown> | undefined;
	/** The lines of n8n's log about it. */
	lines: string[];
}

export interface Manner {
	/** The document of an execution in the books of the service. */
	nameOf: (execution: Execution) => string;
	/** Sends documents again; returns their output. */
	sendAgain: (names: string[]) => Promise<Item[]>;
}

export interface Reconciled {
	documents: number;
	/** Executions that the service has started for them before the steps. */
	started: number;
	/** Where these were found. */
	found: { output: number; log: number; search: number };
	/** Executions that were not found. */
	lost: string[];
	/** Documents with more than one execution. */
	doubled: string[];
	/** Documents that were certainly not sent, and that were sent after that. */
	sentAfterwards: number;
	/** Documents with the data of their own case at the end. */
	withOwnData: number;
}

const MINUTE = 60_000;

export async function reconcile(
	world: World,
	documents: ShownDocument[],
	{ nameOf, sendAgain }: Manner,
): Promise<Reconciled> {
	const { executions, faults } = world.simulator.state;
	const before = executions.all();
	const found = { output: 0, log: 0, search: 0 };
	const foundIds = new Set<string>();
	/** By document. */
	const data = new Map<string, string | undefined>();
	const toFetch: ToFetch[] = [];
	const toSend: string[] = [];
	for (const { name, workflowId, item, lines } of documents) {
		const fetchLater = (where: keyof typeof found, executionId: string) => {
			found[where]++;
			foundIds.add(executionId);
			toFetch.push({ name, workflowId, executionId });
		};
		// 0: it did not crash.
		if (typeof item?.executionId === 'string') {
			data.set(name, caseIn(item));
			if (data.get(name) === undefined) fetchLater('output', item.executionId);
			else {
				found.output++;
				foundIds.add(item.executionId);
			}
			continue;
		}
		// 3: what was started.
		const started = lines.flatMap(
			(line) => /Execution (\S+) \(.* was started/.exec(line)?.[1] ?? [],
		);
		for (const executionId of started) fetchLater('log', executionId);
		if (started.length > 0) continue;
		// 4: what was on its way.
		const isOpen = lines.at(-1)?.includes('Sending to workflow') ?? false;
		const inDashboard = isOpen ? before.filter((execution) => nameOf(execution) === name) : [];
		for (const { executionId } of inDashboard) fetchLater('search', executionId);
		// 5: the rest is sent again.
		if (inDashboard.length === 0) toSend.push(name);
	}
	faults.clear();
	for (const [name, own] of await fetchAll(world, toFetch)) data.set(name, own);
	const sent = toSend.length === 0 ? [] : await sendAgain(toSend);
	for (const [index, { json }] of sent.entries()) data.set(toSend[index] ?? '', caseIn(json));
	const counts = new Map<string, number>();
	for (const execution of executions.all())
		counts.set(nameOf(execution), (counts.get(nameOf(execution)) ?? 0) + 1);
	return {
		documents: documents.length,
		started: before.length,
		found,
		lost: before
			.filter(({ executionId }) => !foundIds.has(executionId))
			.map((execution) => `${nameOf(execution)}: ${execution.executionId}`),
		doubled: [...counts].flatMap(([name, count]) => (count > 1 ? [`${name}: ${count}`] : [])),
		sentAfterwards: toSend.length,
		withOwnData: documents.filter(({ name }) => data.get(name) === name).length,
	};
}

type ToFetch = Pick<ShownDocument, 'name' | 'workflowId'> & { executionId: string };

/** Gets the results of executions. */
async function fetchAll(
	world: World,
	toFetch: ToFetch[],
): Promise<Array<[string, string | undefined]>> {
	if (toFetch.length === 0) return [];
	const wait = documentWorkflow(world, 'wait', '={{ $json.workflowId }}', {
		executionId: '={{ $json.executionId }}',
		waiting: { firstCheckSeconds: 0.1 },
	});
	const flow = chain('Fetched', ...listOf(toFetch), wait);
	const fetched = output(await world.client.runToEnd(flow, 10 * MINUTE), 'Document Workflow');
	return toFetch.map(({ name }, index) => [name, caseIn(fetched[index]?.json ?? {})]);
}

/** Nodes that make one item for each entry. */
export const listOf = (entries: object[]): NodeJson[] => [
	node('List', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ numbers: entries }),
		options: {},
	}),
	split(),
];
