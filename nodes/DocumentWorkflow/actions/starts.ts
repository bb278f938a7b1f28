import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';

/**
 * What a create of this run came to: an execution, or an outcome that is not known. While it is on its way its outcome is not
 * known either. `json` is what the output says of what was sent.
 */
export type Start = { kind: 'accepted'; execution: StartedExecution; json: IDataObject } | { kind: 'unknown'; workflowId: string };

/**
 * `itemIndex`: the first input item that it came from. `sent` marks what was sent, so that only the same is taken for an earlier try.
 * `externalId`: the user's own identifier, empty when there is none.
 */
type KeptStart = Start & { itemIndex: number; sent: string; externalId: string };

/**
 * What was started for each job of this run of the node. n8n keeps it between the tries of Retry On Fail, so that a try does not
 * start again what an earlier one has started.
 */
export interface Starts {
	/** The start of a job; with `sent`, only if the same was sent. */
	of: (job: string, sent?: string) => Start | undefined;
	keep: (job: string, start: KeptStart) => void;
	/** Forgets a start that came to nothing. */
	forget: (job: string) => void;
	/** What was started, as a sentence for a person; empty when nothing was. */
	summary: () => string;
	/** Identifiers of the executions that were started. */
	executionIds: () => string[];
	/** The run has come to its end: another one of the same node does not go on with it. */
	close: () => void;
}

/** A mark of some content, the same for the same content. */
export function markOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

const MEMORY = 'documentWorkflowStarts';

/** How many runs of a node in one n8n execution are remembered: passes of a loop, or calls of a tool. */
const MOST_RUNS = 20;

interface KeptRun {
	runIndex: string;
	input: string;
	isOver: boolean;
	starts: Record<string, KeptStart>;
	/** Starts in whose place there is another one now. */
	replaced: KeptStart[];
}

/**
 * The memory of this run of this node in this n8n execution. It goes on with an earlier run of the same input that did not come to its end,
 * or that n8n repeats: for AI tools n8n counts each try as a run of its own.
 */
export function openStarts(context: IExecuteFunctions): Starts {
	const memory = context.getContext('node');
	const execution = context.getExecutionId();
	const stored = memory[MEMORY] as { execution: string; runs: KeptRun[] } | undefined;
	const runs = stored?.execution === execution ? stored.runs : [];
	const runIndex = JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0)) ?? '';
	const input = markOf(context.getInputData().map(({ json }) => json));
	const run: KeptRun = runs.find((kept) => kept.input === input && (kept.runIndex === runIndex || !kept.isOver)) ?? {
		runIndex,
		input,
		isOver: false,
		starts: {},
		replaced: [],
	};
	run.isOver = false;
	run.runIndex = runIndex;
	memory[MEMORY] = { execution, runs: [...runs.filter((kept) => kept !== run), run].slice(-MOST_RUNS) };
	const { starts, replaced } = run;
	const all = () => [...replaced, ...Object.values(starts)];
	return {
		of: (job, sent) => (sent === undefined || starts[job]?.sent === sent ? starts[job] : undefined),
		keep: (job, start) => {
			const before = starts[job];
			if (before !== undefined && before.sent !== start.sent) replaced.push(before);
			starts[job] = start;
		},
		forget: (job) => void delete starts[job],
		summary: () => summaryOf(all()),
		executionIds: () => all().flatMap((start) => (start.kind === 'accepted' ? [start.execution.executionId] : [])),
		close: () => void (run.isOver = true),
	};
}

function summaryOf(starts: KeptStart[]): string {
	const accepted = starts.flatMap((start) =>
		start.kind === 'accepted' ? [`item ${start.itemIndex}: ${start.execution.executionId} (workflow ${start.execution.workflowId})`] : [],
	);
	const unknown = starts.flatMap((start) =>
		start.kind === 'unknown' ? [`item ${start.itemIndex} (workflow ${start.workflowId}${start.externalId === '' ? '' : `, External ID ${start.externalId}`})`] : [],
	);
	return [
		accepted.length === 0 ? '' : `Executions that were started: ${accepted.join(', ')}`,
		unknown.length === 0 ? '' : `Not known whether an execution was started: ${unknown.join(', ')}`,
	]
		.filter(Boolean)
		.join('. ');
}
