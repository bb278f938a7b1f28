/** The nodes of which tests and benchmarks make workflows. */
import { CREDENTIAL_TYPE } from './example-workflows';
import type { WorkflowJson } from './n8n-rest';

export interface NodeJson {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	position: [number, number];
	[setting: string]: unknown;
}

/** A workflow of nodes in a row behind a manual trigger. */
export function chain(name: string, ...nodes: NodeJson[]): WorkflowJson {
	const all = [node('Start', 'n8n-nodes-base.manualTrigger', 1, {}), ...nodes].map(
		(each, index) => ({
			...each,
			position: [index * 220, 0] as [number, number],
		}),
	);
	const links = all.slice(1).map((target, index): [string, unknown] => {
		const source = all[index]?.name ?? '';
		return [source, { main: [[{ node: target.name, type: 'main', index: 0 }]] }];
	});
	return {
		name,
		nodes: all,
		connections: Object.fromEntries(links),
		settings: { executionOrder: 'v1' },
	};
}

/** Reads files from disk, one item for each. */
export function readFiles(pattern: string): NodeJson {
	return node('Read', 'n8n-nodes-base.readWriteFile', 1, {
		operation: 'read',
		fileSelector: pattern,
		options: {},
	});
}

/** One item with the numbers from 0 in `numbers`. */
export function numbers(count: number): NodeJson {
	const jsonOutput = JSON.stringify({
		numbers: Array.from({ length: count }, (_, index) => index),
	});
	return node('Numbers', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} });
}

/** One item for each entry of `numbers`. */
export function split(): NodeJson {
	return node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'numbers', options: {} });
}

/** A node; `chain` sets its position. */
export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): NodeJson {
	return {
		id: name.toLowerCase().replace(/\W+/g, '-'),
		name,
		type,
		typeVersion,
		parameters,
		position: [0, 0],
	};
}

/** What holds a stored credential of the package. */
export interface WithCredential {
	credential: { id: string; name: string };
}

export type Operation = 'create' | 'get' | 'wait' | 'createAndWait';

/** The package's node; `settings` are n8n's own settings of a node, such as onError. */
export function documentWorkflow(
	{ credential: { id, name } }: WithCredential,
	operation: Operation,
	workflowId: string,
	parameters: Record<string, unknown> = {},
	settings: Record<string, unknown> = {},
): NodeJson {
	return {
		...node('Document Workflow', 'n8n-nodes-document-workflow.documentWorkflow', 1, {
			operation,
			workflowId: { __rl: true, mode: 'id', value: workflowId },
			...parameters,
		}),
		credentials: { [CREDENTIAL_TYPE]: { id, name } },
		...settings,
	};
}
