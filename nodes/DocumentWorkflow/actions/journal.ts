import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import { plainText } from '../../../service/text';
import { executionInWords } from '../results/outputs';
import type { Sending } from './sending';
import { describeSending, markOf } from './sending';

/** What happened to a job. Each entry is about the last create that was sent and not rejected. */
type Entry =
	/** A create is being sent. Until another entry follows, it may have started an execution. */
	| ({ event: 'left'; n8nExecution: string } & Sending)
	/** It started nothing. */
	| { event: 'refused' }
	/** `json`: the output about the sent documents. */
	| { event: 'accepted'; execution: StartedExecution; json: IDataObject }
	/** It will not become known whether it started an execution. */
	| ({ event: 'unknown'; json: IDataObject } & Doubt)
	/** Its execution has failed in the service. */
	| { event: 'failed'; hasFailed: true };

/** Why an outcome is not known. */
export interface Doubt {
	/** The first reply that left it open. */
	cause: { message: string; note: string };
	/** The service has accepted it, so it must not be sent again. */
	isFinal: boolean;
}

/** What is known of a job. `json` is missing when the run ended before the answer arrived. */
export type Known =
	| { kind: 'accepted'; execution: StartedExecution; json?: IDataObject }
	/** Its execution failed in the service, and the user now retries that n8n execution: it must be sent again. */
	| { kind: 'failed'; json?: IDataObject }
	/** `possible`: how many executions may have been started. */
	| ({ kind: 'unknown'; json?: IDataObject; possible: number } & Partial<Doubt>);

/** Where a create of a job is recorded. */
export type JobPage = ReturnType<Journal['page']>;

/** One run of the node: its entries by job. */
interface Run {
	runIndex: string;
	input: string;
	isOver: boolean;
	jobs: Record<string, Entry[]>;
}

const MEMORY = 'documentWorkflowJournal';

/** Runs of a node per n8n execution: iterations of a loop, or calls of a tool. */
const MAX_RUNS = 20;

/**
 * Records what was sent and answered for each job of this run of the node, so that no try starts again what an earlier one has started.
 * n8n keeps it between the tries of Retry On Fail and over a pause, and copies it when a user later retries the n8n execution, which
 * n8n counts as another one. Entries are only added.
 */
export class Journal {
	private readonly n8nExecution: string;

	private readonly run: Run;

	private readonly log: (line: string) => void;

	constructor(context: IExecuteFunctions) {
		this.log = (line) => context.logger.info(line);
		this.n8nExecution = context.getExecutionId();
		this.run = openRun(context);
	}

	/** What is known of a job; with `sent`, only if it sent the same. */
	of(job: string, sent?: string): Known | undefined {
		const last = this.sendingsOf(job).at(-1);
		if (last === undefined || (sent !== undefined && last.sent !== sent)) return undefined;
		const { execution, json, hasFailed, n8nExecution, cause, isFinal, possible } = last;
		if (execution === undefined) return { kind: 'unknown', json, possible, cause, isFinal };
		if (hasFailed && n8nExecution !== this.n8nExecution) return { kind: 'failed', json };
		return { kind: 'accepted', execution, json };
	}

	page(job: string, sending: Sending) {
		const { n8nExecution } = this;
		const add = (entry: Entry, what: string) => {
			this.add(job, entry);
			// If n8n crashes now, only its log shows what was sent and started.
			this.log(`${what}: ${describeSending(sending)}, n8n execution ${n8nExecution}`);
		};
		const workflow = `workflow ${plainText(sending.workflowId)}`;
		return {
			left: () => add({ event: 'left', n8nExecution, ...sending }, `Sending to ${workflow}`),
			refused: () => add({ event: 'refused' }, `No execution of ${workflow} was started`),
			accepted: (execution: StartedExecution, json: IDataObject) =>
				add(
					{ event: 'accepted', execution, json },
					`Execution ${plainText(execution.executionId)} of ${workflow} was started`,
				),
			unknown: (json: IDataObject, doubt: Doubt) =>
				add(
					{ event: 'unknown', json, ...doubt },
					`Unknown whether an execution of ${workflow} was started (${doubt.cause.message})`,
				),
		};
	}

	/** Records that the execution of a job has failed in the service. */
	failed(job: string): void {
		this.add(job, { event: 'failed', hasFailed: true });
	}

	/** The IDs of a job's execution, for an error item; empty when there is none. */
	executionOf(job: string): IDataObject {
		return { ...this.sendingsOf(job).at(-1)?.execution };
	}

	/** IDs of the executions that were started. */
	executionIds(): string[] {
		return this.sendings().flatMap(({ execution }) => execution?.executionId ?? []);
	}

	/** A sentence for users about what was started; empty when nothing was. Leaves out executions that `text` already names. */
	summary(text = ''): string {
		const accepted: string[] = [];
		const unknown: string[] = [];
		for (const sending of this.sendings()) {
			const { itemIndex, execution, workflowId } = sending;
			if (execution === undefined)
				unknown.push(`${describeSending(sending)}, workflow ${workflowId}`);
			else if (!text.includes(executionInWords(execution)))
				accepted.push(`for item ${itemIndex}: ${execution.executionId} (workflow ${workflowId})`);
		}
		const parts = [
			accepted.length > 0 && `Started ${accepted.join(', ')}`,
			unknown.length > 0 && `Possibly started: ${unknown.join(', ')}`,
		];
		return parts.filter(Boolean).join('. ');
	}

	/** The creates of which it is not known whether they started an execution. */
	open(): Sending[] {
		return this.sendings().filter(({ execution }) => execution === undefined);
	}

	/** Marks the run as finished, so that a later run of the same node does not continue it. */
	close(): void {
		this.run.isOver = true;
	}

	private add(job: string, entry: Entry): void {
		(this.run.jobs[job] ??= []).push(entry);
	}

	private sendings(): KnownSending[] {
		return Object.keys(this.run.jobs).flatMap((job) => this.sendingsOf(job));
	}

	/** The creates of a job that may have started an execution. After a retry, the earlier try counts only if it did start one. */
	private sendingsOf(job: string): KnownSending[] {
		const sendings: KnownSending[] = [];
		for (const entry of this.run.jobs[job] ?? []) {
			if (entry.event === 'left') sendings.push({ ...entry, possible: 1 });
			else if (entry.event === 'refused') sendings.pop();
			else Object.assign(sendings.at(-1) ?? {}, entry);
		}
		return sendings.filter((sending, index) => {
			if (sending.execution !== undefined) return true;
			const later = sendings.slice(index + 1).find(({ sent }) => sent === sending.sent);
			if (later !== undefined) later.possible += sending.possible;
			return later === undefined;
		});
	}
}

/** A create that was sent and not rejected, with the content of later entries about it. */
interface KnownSending extends Sending, Partial<Doubt> {
	/** How many creates of the same may have started an execution. */
	possible: number;
	n8nExecution: string;
	execution?: StartedExecution;
	json?: IDataObject;
	hasFailed?: boolean;
}

/**
 * Continues an earlier run with the same input that was not finished, or that n8n repeats. The run index alone does not identify it,
 * because n8n counts each try of an AI tool as a separate run.
 */
function openRun(context: IExecuteFunctions): Run {
	const memory = context.getContext('node');
	const runs = (memory[MEMORY] as Run[] | undefined) ?? [];
	const runIndex = JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0)) ?? '';
	const input = markOf(context.getInputData().map(({ json }) => json));
	const isEarlier = (run: Run) => run.input === input && (run.runIndex === runIndex || !run.isOver);
	const run = runs.find(isEarlier) ?? { runIndex, input, isOver: false, jobs: {} };
	Object.assign(run, { isOver: false, runIndex });
	memory[MEMORY] = [...runs.filter((other) => other !== run), run].slice(-MAX_RUNS);
	return run;
}
