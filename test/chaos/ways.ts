import type { WorkflowJson } from '../../harness/n8n-rest';
import { chain, documentWorkflow, node, split, type NodeJson, type Operation } from '../e2e/flows';
import { rewired } from '../e2e/longFlows';
import type { World } from '../e2e/support';
import type { Document } from './documents';

export const NODE = 'Document Workflow';
export const NEXT = 'Next';

/** The workflows of the service. */
export const SERVICE_WORKFLOWS = {
	quick: 'chaos',
	failing: 'chaos-failing',
	slow: 'chaos-slow',
} as const;

/** Of the service, and two that n8n must not send anything to. */
export type Address = 'service' | 'unknownHost' | 'selfSigned';

/** How documents are sent: the settings of the node. */
export interface Way {
	name: string;
	operation: Operation;
	workflowId: string;
	fileCount: 1 | 2;
	parameters?: Record<string, unknown>;
	/** n8n's settings of the node. */
	settings?: Record<string, unknown>;
	/** Of this many documents the way gets this many. */
	weight: number;
	/** The n8n executions pause. */
	pauses?: true;
	/** Which address the credential has. */
	address?: Address;
}

const CONTINUE = { onError: 'continueRegularOutput' };
const ERROR_OUTPUT = { onError: 'continueErrorOutput' };
const SOON = { firstCheckSeconds: 1, longestIntervalMinutes: 0.02 };
/** The first check comes when the clock has been moved on, so that n8n pauses then. */
const PAUSED = { firstCheckSeconds: 12, pauseAfterSeconds: 1800 };

export const WAYS: readonly Way[] = [
	{
		name: 'Create',
		operation: 'create',
		workflowId: SERVICE_WORKFLOWS.quick,
		fileCount: 1,
		settings: CONTINUE,
		weight: 3,
	},
	{
		name: 'Create with the error output, two files',
		operation: 'create',
		workflowId: SERVICE_WORKFLOWS.quick,
		fileCount: 2,
		settings: ERROR_OUTPUT,
		weight: 3,
	},
	{
		name: 'Create with Retry On Fail, then Retry in the list',
		operation: 'create',
		workflowId: SERVICE_WORKFLOWS.quick,
		fileCount: 1,
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
		weight: 2,
	},
	{
		name: 'Create and Wait, two files',
		operation: 'createAndWait',
		workflowId: SERVICE_WORKFLOWS.quick,
		fileCount: 2,
		parameters: { waiting: SOON },
		settings: ERROR_OUTPUT,
		weight: 4,
	},
	{
		name: 'Create and Wait',
		operation: 'createAndWait',
		workflowId: SERVICE_WORKFLOWS.quick,
		fileCount: 1,
		parameters: { waiting: SOON },
		settings: CONTINUE,
		weight: 3,
	},
	{
		name: 'Create and Wait, failing in the service',
		operation: 'createAndWait',
		workflowId: SERVICE_WORKFLOWS.failing,
		fileCount: 1,
		parameters: { waiting: SOON },
		settings: CONTINUE,
		weight: 1,
	},
	{
		name: 'Create and Wait, paused',
		operation: 'createAndWait',
		workflowId: SERVICE_WORKFLOWS.slow,
		fileCount: 1,
		parameters: { waiting: PAUSED },
		settings: CONTINUE,
		weight: 2,
		pauses: true,
	},
	{
		name: 'Create, host not found',
		operation: 'create',
		workflowId: SERVICE_WORKFLOWS.quick,
		fileCount: 1,
		settings: CONTINUE,
		weight: 0.5,
		address: 'unknownHost',
	},
	{
		name: 'Create, self-signed certificate',
		operation: 'create',
		workflowId: SERVICE_WORKFLOWS.quick,
		fileCount: 1,
		settings: CONTINUE,
		weight: 0.5,
		address: 'selfSigned',
	},
];

/** The name of the file without its ending names the document. */
export const EXTERNAL_ID = {
	inputs: {
		metadata: [{ name: 'external_id', value: "={{ $json.fileName.replace(/-[ab]\\.txt$/, '') }}" }],
	},
};

/** An n8n workflow that reads documents from disk, one item for each, and sends them. */
export function flowFor(world: World, way: Way, documents: Document[]): WorkflowJson {
	const list = documents.map(({ paths: [first, second] }) => ({ first, second }));
	const jsonOutput = JSON.stringify({ numbers: list });
	const texts = node('Documents', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput,
		options: {},
	});
	const sending = documentWorkflow(
		world,
		way.operation,
		way.workflowId,
		{
			...EXTERNAL_ID,
			...way.parameters,
		},
		way.settings,
	);
	const next = node(NEXT, 'n8n-nodes-base.noOp', 1, {});
	const name = `Chaos: ${way.name}`;
	if (way.fileCount === 1) return chain(name, texts, split(), read('first'), sending, next);
	const merge = node('Merge', 'n8n-nodes-base.merge', 3.2, {
		mode: 'combine',
		combineBy: 'combineByPosition',
		options: {},
	});
	return rewired(
		chain(name, texts, split(), read('first'), merge, sending, next),
		[read('second')],
		{ Split: [['first', 'second']], second: [['Merge#1']] },
	);
}

/** Reads one file for each item. */
export const read = (field: 'first' | 'second'): NodeJson =>
	node(field, 'n8n-nodes-base.readWriteFile', 1, {
		operation: 'read',
		fileSelector: `={{ $json.${field} }}`,
		options: { dataPropertyName: field },
	});
