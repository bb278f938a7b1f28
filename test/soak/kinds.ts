/** The kinds of work of which a soak consists: what n8n does with how many documents, and how they must end. */
import type { WorkflowJson } from '../../harness/n8n-rest';
import type { SimulatorConfiguration } from '../../simulator';
import type { Verdict } from '../chaos/books';
import { EXTERNAL_ID, NEXT, read } from '../chaos/ways';
import { chain, documentWorkflow, node, split, type NodeJson } from '../e2e/flows';
import { named } from '../e2e/longFlows';
import type { World } from '../e2e/support';

const CASE = { stepName: 'case', fields: [{ name: 'case_number', labels: ['Case Number'] }] };

/** The workflows of the service. */
export const SERVICE_WORKFLOWS = {
	quick: 'soak-quick',
	failing: 'soak-failing',
	reported: 'soak-reported',
	endless: 'soak-endless',
} as const;

export const CONFIGURATION: SimulatorConfiguration = {
	clients: [{ clientId: 'soak', clientSecret: 'made-up-secret-of-the-soak' }],
	workflows: [
		{ workflowId: SERVICE_WORKFLOWS.quick, duration: { medianSeconds: 2 }, steps: [CASE] },
		{
			workflowId: SERVICE_WORKFLOWS.failing,
			duration: { fixedSeconds: 0.5 },
			failWith: { error: 'The document has no pages.' },
		},
		{ workflowId: SERVICE_WORKFLOWS.reported, duration: { medianSeconds: 2 }, steps: [CASE] },
		{ workflowId: SERVICE_WORKFLOWS.endless, duration: { fixedSeconds: 86_400 }, steps: [CASE] },
	],
};

export interface Kind {
	title: string;
	documents: number;
	/** The size of each file is drawn from these. */
	bytes: readonly number[];
	/** How a document may end. */
	expected: readonly Verdict[];
	/** The nodes that send the files of the items; the last has the name NODE. */
	nodes: (world: World) => NodeJson[];
	/** Its executions end only when the soak ends them, after the n8n execution has paused, or n8n's Stop button ends the wait. */
	endedBy?: 'service' | 'stop';
	/** Each of its documents starts an n8n workflow through the trigger. */
	isReported?: true;
}

const SMALL = [200, 2_000, 20_000, 200_000] as const;
const { quick, failing, reported, endless } = SERVICE_WORKFLOWS;
const OF_ITEM = '={{ $json.workflowId }}';
const BY_ID = { executionId: '={{ $json.executionId }}' };
const SOON = { waiting: { firstCheckSeconds: 1 } };

const create = (world: World, workflowId: string) =>
	documentWorkflow(world, 'create', workflowId, EXTERNAL_ID);
const createAndWait = (world: World, workflowId: string, more: object = SOON) =>
	documentWorkflow(world, 'createAndWait', workflowId, { ...EXTERNAL_ID, ...more });

export const KINDS = {
	waiting: {
		title: 'Create and Wait',
		documents: 4,
		bytes: SMALL,
		expected: ['result'],
		nodes: (world) => [createAndWait(world, quick)],
	},
	large: {
		title: 'Create and Wait, large files',
		documents: 1,
		bytes: [4_000_000, 8_000_000],
		expected: ['result'],
		nodes: (world) => [createAndWait(world, quick)],
	},
	getting: {
		title: 'Create, then Get',
		documents: 3,
		bytes: SMALL,
		expected: ['started', 'result'],
		nodes: (world) => [
			named('Create', create(world, quick)),
			documentWorkflow(world, 'get', OF_ITEM, BY_ID),
		],
	},
	later: {
		title: 'Create, then Wait for Completion',
		documents: 3,
		bytes: SMALL,
		expected: ['result'],
		nodes: (world) => [
			named('Create', create(world, quick)),
			documentWorkflow(world, 'wait', OF_ITEM, { ...BY_ID, ...SOON }),
		],
	},
	failing: {
		title: 'Create and Wait, failing in the service',
		documents: 3,
		bytes: SMALL,
		expected: ['failure'],
		nodes: (world) => [createAndWait(world, failing)],
	},
	reported: {
		title: 'Create, then an event starts an n8n workflow',
		documents: 2,
		bytes: SMALL,
		expected: ['started'],
		nodes: (world) => [create(world, reported)],
		isReported: true,
	},
	pausing: {
		title: 'Create and Wait, paused',
		documents: 2,
		bytes: SMALL,
		expected: ['result'],
		nodes: (world) => [
			createAndWait(world, endless, { waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 6 } }),
		],
		endedBy: 'service',
	},
	stopping: {
		title: "Create and Wait, ended by n8n's Stop",
		documents: 2,
		bytes: SMALL,
		expected: ['started'],
		nodes: (world) => [createAndWait(world, endless)],
		endedBy: 'stop',
	},
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

/** Which kind is started next, again and again. */
export const CYCLE: readonly KindName[] = [
	...(['waiting', 'getting', 'later', 'reported', 'waiting', 'failing', 'pausing'] as const),
	...(['waiting', 'getting', 'stopping', 'waiting', 'later', 'reported', 'large'] as const),
	...(['waiting', 'getting', 'pausing', 'later', 'waiting', 'failing'] as const),
];

/** An n8n workflow that a call starts with the paths of documents, and that answers at once with the ID of its n8n execution. */
export function startedByCall(name: string, path: string, nodes: NodeJson[]): WorkflowJson {
	const webhook = node('Start', 'n8n-nodes-base.webhook', 2, {
		httpMethod: 'POST',
		path,
		responseMode: 'responseNode',
		options: {},
	});
	const respond = node('Respond', 'n8n-nodes-base.respondToWebhook', 1.1, {
		respondWith: 'json',
		responseBody: '={{ JSON.stringify({ id: $execution.id }) }}',
		options: {},
	});
	const list = node('Documents', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: '={{ JSON.stringify({ numbers: $json.body.documents }) }}',
		options: {},
	});
	const next = node(NEXT, 'n8n-nodes-base.noOp', 1, {});
	const flow = chain(name, respond, list, split(), read('first'), ...nodes, next);
	return { ...flow, nodes: [{ ...webhook, webhookId: path }, ...flow.nodes.slice(1)] };
}
