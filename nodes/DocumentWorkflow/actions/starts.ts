import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord, StartedExecution } from '../../../service/contract';
import type { FilePart } from '../../../service/http';

/** What a create of this run came to: an execution, or an outcome that is not known. */
export type Start = { kind: 'accepted'; execution: StartedExecution } | { kind: 'unknown'; workflowId: string };

/** `sent` marks what was sent, so that only the same is taken for an earlier try. */
type KeptStart = Start & { sent: string };

/**
 * What was started for each item of this run of the node. n8n keeps it between the tries of Retry On Fail, so that a try does not
 * start again what an earlier one has started.
 */
export interface Starts {
	/** The start of an item; with `sent`, only if the same was sent. */
	of: (itemIndex: number, sent?: string) => Start | undefined;
	keep: (itemIndex: number, start: KeptStart) => void;
	/** What was started, as a sentence for a person; empty when nothing was. */
	summary: () => string;
}

/** A mark of what a create sends: the workflow, the text inputs, and names, types and sizes of the documents. */
export function markOf(workflowId: string, textInputs: JsonRecord, documents: FilePart[]): string {
	const files = documents.map(({ name, type, size }) => [name, type, size]);
	return createHash('sha256').update(JSON.stringify([workflowId, textInputs, files])).digest('base64url');
}

const MEMORY = 'documentWorkflowStarts';

/** The memory of this node, this n8n execution and this pass of a loop. */
export function openStarts(context: IExecuteFunctions): Starts {
	const memory = context.getContext('node');
	const run = `${context.getExecutionId()}/${JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0))}`;
	const kept = memory[MEMORY] as { run: string; starts: Record<number, KeptStart> } | undefined;
	const starts: Record<number, KeptStart> = kept?.run === run ? kept.starts : {};
	memory[MEMORY] = { run, starts };
	return {
		of: (itemIndex, sent) => (sent === undefined || starts[itemIndex]?.sent === sent ? starts[itemIndex] : undefined),
		keep: (itemIndex, start) => void (starts[itemIndex] = start),
		summary: () => summaryOf(Object.entries(starts)),
	};
}

function summaryOf(starts: Array<[string, Start]>): string {
	const accepted = starts.flatMap(([item, start]) =>
		start.kind === 'accepted' ? [`item ${item}: ${start.execution.executionId} (workflow ${start.execution.workflowId})`] : [],
	);
	const unknown = starts.flatMap(([item, start]) => (start.kind === 'unknown' ? [`item ${item} (workflow ${start.workflowId})`] : []));
	return [
		accepted.length === 0 ? '' : `Executions that were started: ${accepted.join(', ')}`,
		unknown.length === 0 ? '' : `Not known whether an execution was started: ${unknown.join(', ')}`,
	]
		.filter(Boolean)
		.join('. ');
}
