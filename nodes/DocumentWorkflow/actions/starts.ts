import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';

/**
 * What a create of this run came to: an execution, or an outcome that is not known. While it is on its way its outcome is not
 * known either. `json` is what the output says of what was sent.
 */
export type Start =
	| { kind: 'accepted'; execution: StartedExecution; json: IDataObject }
	| { kind: 'unknown'; workflowId: string; json?: IDataObject };

/**
 * `itemIndex`: the first input item that it came from. `sent` marks what was sent, so that only the same is taken for an earlier try.
 * `externalId`: the user's own identifier, empty when there is none.
 */
type GivenStart = Start & { itemIndex: number; sent: string; externalId: string };

/** `startedIn`: the n8n execution. `hasFailed`: the execution of the service has, so that only another one could succeed. */
type KeptStart = GivenStart & { job: string; startedIn: string; hasFailed?: boolean };

/**
 * What was started for each job of this run of the node. n8n keeps it between the tries of Retry On Fail, and hands it on when a user
 * retries the n8n execution later, which n8n counts as another one: so a try does not start again what an earlier one has started.
 */
export interface Starts {
	/** The start of a job; with `sent`, only if the same was sent. What failed in the service is started anew when a user retries. */
	of: (job: string, sent?: string) => (Start & Pick<KeptStart, 'startedIn'>) | undefined;
	/** What was said of what was sent for a job, if that was the same, and its execution has failed in an n8n execution that a user retries. */
	failedBefore: (job: string, sent: string) => IDataObject | undefined;
	keep: (job: string, start: GivenStart) => void;
	/** The execution of a job has failed in the service. */
	failed: (job: string) => void;
	/** Forgets a start that came to nothing; one that had failed before stands again in its place. */
	forget: (job: string) => void;
	/** The execution of a job, for an item that tells why something else did not succeed; empty where there is none. */
	known: (job: string) => IDataObject;
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
	const runs = (memory[MEMORY] as KeptRun[] | undefined) ?? [];
	const runIndex = JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0)) ?? '';
	const input = markOf(context.getInputData().map(({ json }) => json));
	const run: KeptRun = runs.find(
		(kept) => kept.input === input && (kept.runIndex === runIndex || !kept.isOver),
	) ?? {
		runIndex,
		input,
		isOver: false,
		starts: {},
		replaced: [],
	};
	run.isOver = false;
	run.runIndex = runIndex;
	memory[MEMORY] = [...runs.filter((kept) => kept !== run), run].slice(-MOST_RUNS);
	const { starts, replaced } = run;
	const all = () => [...replaced, ...Object.values(starts)];
	const isToBeReplaced = (start: KeptStart) =>
		start.hasFailed === true && start.startedIn !== execution;
	return {
		of: (job, sent) => {
			const start = starts[job];
			if (start === undefined || (sent !== undefined && start.sent !== sent)) return undefined;
			return isToBeReplaced(start) ? undefined : start;
		},
		failedBefore: (job, sent) => {
			const start = starts[job];
			return start?.sent === sent && isToBeReplaced(start) ? start.json : undefined;
		},
		keep: (job, start) => {
			const before = starts[job];
			if (before !== undefined && (before.sent !== start.sent || before.hasFailed === true))
				replaced.push(before);
			starts[job] = { ...start, job, startedIn: execution };
		},
		failed: (job) => {
			const start = starts[job];
			if (start !== undefined) start.hasFailed = true;
		},
		forget: (job) => {
			delete starts[job];
			const place = replaced.findLastIndex((start) => start.job === job && isToBeReplaced(start));
			for (const before of place < 0 ? [] : replaced.splice(place, 1)) starts[job] = before;
		},
		known: (job) => (starts[job]?.kind === 'accepted' ? { ...starts[job].execution } : {}),
		summary: () => summaryOf(all()),
		executionIds: () =>
			all().flatMap((start) => (start.kind === 'accepted' ? [start.execution.executionId] : [])),
		close: () => void (run.isOver = true),
	};
}

function summaryOf(starts: KeptStart[]): string {
	const accepted = starts.flatMap((start) =>
		start.kind === 'accepted'
			? [
					`item ${start.itemIndex}: ${start.execution.executionId} (workflow ${start.execution.workflowId})`,
				]
			: [],
	);
	const unknown = starts.flatMap((start) =>
		start.kind === 'unknown'
			? [
					`item ${start.itemIndex} (workflow ${start.workflowId}${start.externalId === '' ? '' : `, External ID ${start.externalId}`})`,
				]
			: [],
	);
	return [
		accepted.length === 0 ? '' : `Executions that were started: ${accepted.join(', ')}`,
		unknown.length === 0 ? '' : `Not known whether an execution was started: ${unknown.join(', ')}`,
	]
		.filter(Boolean)
		.join('. ');
}
