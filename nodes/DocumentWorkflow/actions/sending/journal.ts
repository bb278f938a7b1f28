import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { StartedExecution } from '../../../../service/contract';
import { describeExecution } from '../../../../service/executions';
import type { Fault } from '../../../../service/http';
import { plainText } from '../../../../service/text';
import { type About, executionKey } from '../../about';
import { shownAddress } from '../../documents/addresses';
import type { InputDocument } from '../../documents/open';
import { inShort } from '../../documents/sent';
import { isTool, runIndexOf } from '../../pausing/pause';

/** How a create is recognized: by a later try, and by a person in the log or in an error. */
export interface CreateLabel {
	workflowId: string;
	/** The first input item that it came from. */
	itemIndex: number;
	/** A hash of what is sent. An earlier try counts only if it sent the same. */
	hash: string;
	/** The user's own identifier; empty when there is none. */
	externalId: string;
	/** The names of its documents before any is skipped as already sent, in short. */
	files: string;
}

export interface LabelSource {
	workflowId: string;
	itemIndexes: number[];
	/** The IDs in every output item, error items included. */
	about: About;
	documents: InputDocument[];
	fileUrls: string[];
}

export interface StartedCreate {
	execution: StartedExecution;
	/** Lists what was sent and what was not. */
	about: About;
	/** A hash of what its data depends on. */
	sentHash: string;
	/** The names of the documents for Skip Already Sent. */
	remembered?: string[] | undefined;
}

/** A create that was sent and not refused. Nothing is known of its answer when the run ended before. */
export interface Create extends CreateLabel {
	started?: StartedCreate;
	/** What came instead of an answer that names the execution, and what to know about it. */
	cause?: Fault;
}

/** One run of the node: its creates by job. */
interface RecordedRun {
	runIndex: string;
	input: string;
	isOver: boolean;
	jobs: Record<string, Create[]>;
}

const MEMORY = 'documentWorkflowJournal';

/** So many creates say what came instead of an answer. */
const MAX_CAUSES = 10;

/** Runs of a node per n8n execution: iterations of a loop, or calls of a tool. Older ones stay while a create is open. */
const MAX_RUNS = 20;

/** What each job of this run of the node has sent, so that no try, pause or retry starts again what was started. */
export class Journal {
	private opened: RecordedRun | undefined;

	constructor(private readonly context: IExecuteFunctions) {}

	/** Opened when it is needed: a check after a pause needs none. */
	private get run(): RecordedRun {
		return (this.opened ??= openRun(this.context));
	}

	/** Whether this run, or an earlier one of the same node and input, has sent something. */
	isBegun(): boolean {
		return Object.keys(this.run.jobs).length > 0;
	}

	/** The last create of a job, if it sent the same. */
	of(job: string, hash: string): Create | undefined {
		const last = this.run.jobs[job]?.at(-1);
		return last?.hash === hash ? last : undefined;
	}

	/** What the last create of a job has started. */
	startedBy(job: string): StartedCreate | undefined {
		return this.run.jobs[job]?.at(-1)?.started;
	}

	/** Where the next create of a job is recorded. If n8n crashes, only its log shows what was sent and started. */
	recordOf(job: string, label: CreateLabel) {
		const creates = (this.run.jobs[job] ??= []);
		const create: Create = { ...label };
		const tail = `${inOneLine(label)}, n8n execution ${this.context.getExecutionId()}`;
		const log = (what: string) => this.context.logger.info(`${what}: ${tail}`);
		const workflow = `workflow ${plainText(label.workflowId)}`;
		return {
			sent: () => {
				creates.push(create);
				log(`Sending to ${workflow}`);
			},
			refused: () => {
				creates.pop();
				log(`No execution of ${workflow} was started`);
			},
			accepted: (started: StartedCreate) => {
				create.started = started;
				log(`${describeExecution(started.execution)} was started`);
			},
			unknown: (cause: Fault) => {
				create.cause = cause;
				log(`Unknown whether an execution of ${workflow} was started (${cause.message})`);
			},
		};
	}

	startedExecutions(): StartedExecution[] {
		return createsOf(this.run).flatMap(({ started }) => started?.execution ?? []);
	}

	/** What was started, as a sentence for users, without the known execution and cause; empty where nothing was. */
	summary(known: Partial<StartedExecution> = {}, knownCause?: string): string {
		const started = createsOf(this.run).flatMap(({ itemIndex, started: { execution } = {} }) =>
			execution === undefined || executionKey(execution) === executionKey(known)
				? []
				: `for item ${itemIndex}: ${execution.executionId} (workflow ${execution.workflowId})`,
		);
		const open = this.openCreates().map((create, index) => {
			const cause = index < MAX_CAUSES ? create.cause?.message : undefined;
			const why = [undefined, knownCause].includes(cause) ? '' : ` (${cause})`;
			return `${inOneLine(create)}, workflow ${create.workflowId}${why}`;
		});
		const parts = Object.entries({ 'Started ': started, 'Possibly started: ': open });
		const some = parts.filter(([, all]) => all.length > 0);
		return some.map(([words, all]) => words + all.join(', ')).join('. ');
	}

	/** The creates of which it is not known whether they started an execution. */
	openCreates(): Create[] {
		return openOf(this.run);
	}

	/** Marks the run as finished, so that no later run of the node continues it. A repeated call of a tool continues what is open. */
	close(): void {
		// A node that has sent nothing has no record.
		if (!(MEMORY in this.context.getContext('node'))) return;
		this.run.isOver = !isTool(this.context) || this.openCreates().length === 0;
	}
}

function createsOf({ jobs }: RecordedRun): Create[] {
	return Object.values(jobs).flat();
}

function openOf(run: RecordedRun): Create[] {
	return createsOf(run).filter(({ started }) => started === undefined);
}

/** Continues an earlier run with the same input that was not finished, or that n8n repeats: of an AI tool each try has its own index. */
function openRun(context: IExecuteFunctions): RecordedRun {
	const memory = context.getContext('node');
	const runs = (memory[MEMORY] as RecordedRun[] | undefined) ?? [];
	const runIndex = runIndexOf(context);
	// Each call of a tool has another ID, also when an AI agent repeats it.
	const input = hashOf(
		context.getInputData().map(({ json }) => ({ ...json, toolCallId: undefined })),
	);
	const isEarlier = (run: RecordedRun) =>
		run.input === input && (run.runIndex === runIndex || !run.isOver);
	const run = runs.find(isEarlier) ?? { runIndex, input, isOver: false, jobs: {} };
	Object.assign(run, { isOver: false, runIndex });
	const others = runs.filter((other) => other !== run);
	const isKept = (other: RecordedRun, index: number) =>
		index > others.length - MAX_RUNS || openOf(other).length > 0;
	memory[MEMORY] = [...others.filter(isKept), run];
	return run;
}

/** The label of a create, the same for each try. Addresses count without signatures, which may differ in each try. */
export function labelCreate(submission: LabelSource): CreateLabel {
	const { workflowId, itemIndexes, documents } = submission;
	const { externalId } = submission.about;
	const fileUrls = submission.fileUrls.map(shownAddress);
	return {
		workflowId,
		itemIndex: itemIndexes[0] ?? 0,
		hash: hashOf([
			workflowId,
			itemIndexes,
			fileUrls,
			documents.map(({ fileName, mediaType, reference }) => [fileName, mediaType, reference]),
		]),
		externalId: externalId === undefined ? '' : plainText(JSON.stringify(externalId)),
		files: inShort([...documents.map(({ fileName }) => fileName), ...fileUrls]),
	};
}

/** A label in one line: item, documents and the user's own identifier. */
export function inOneLine({ itemIndex, files, externalId }: CreateLabel): string {
	const item = `item ${itemIndex}${files && ` (${files})`}`;
	return externalId === '' ? item : `${item}, External ID ${externalId}`;
}

export function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
