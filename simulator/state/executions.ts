/** Executions: their inputs, status and results. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import type { Environment, Workflow } from '../configuration';
import { durationMilliseconds } from '../processing/durations';
import type { ArrivedFile, Intake } from '../processing/intake';
import { fetchFiles } from '../processing/remote-files';
import { resultsOf, type StepResult } from '../processing/results';

export type ExecutionStatus = 'running' | 'completed' | 'failed';

export interface Execution {
	workflowId: string;
	executionId: string;
	environment: Environment;
	status: ExecutionStatus;
	/** Milliseconds since 1970. `completesAt` is the planned time while it runs, and the real time afterwards. */
	createdAt: number;
	completesAt: number;
	userInputs: Record<string, unknown> | null;
	metadata: Record<string, unknown> | null;
	/** Additional fields of the body; for OAuth2-protected files their values are hidden. */
	bodyFields: Record<string, unknown>;
	/** Names of the body's fields in the order of arrival, with one entry for each file. */
	fieldOrder: string[];
	fileUrls: string[];
	files: ArrivedFile[];
	steps?: StepResult[];
	/** Error details, as in the body of a failed execution. */
	failure?: Record<string, unknown>;
}

/** The content of a create request. */
export interface Submission {
	userInputs: Record<string, unknown> | null;
	metadata: Record<string, unknown> | null;
	bodyFields: Record<string, unknown>;
	fieldOrder: string[];
	fileUrls: string[];
	intakes: Intake[];
}

export interface Finish {
	status: 'completed' | 'failed';
	error?: unknown;
}

interface Outcome {
	steps?: StepResult[];
	failure?: Record<string, unknown>;
}

interface Running {
	execution: Execution;
	early: AbortController;
	finish?: Finish;
	ended: Promise<void>;
}

export class Executions {
	private running = new Map<string, Running>();
	private readonly stopped = new AbortController();

	/** @param onEnd called once for each execution that completed or failed */
	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
		private readonly onEnd: (execution: Execution) => void,
	) {}

	/** Starts an execution and begins to read its documents, without waiting for that. */
	start(workflow: Workflow, environment: Environment, submission: Submission): Execution {
		const { intakes, bodyFields, ...asked } = submission;
		const createdAt = this.clock.now();
		const hidden = Object.fromEntries(Object.keys(bodyFields).map((name) => [name, '[hidden]']));
		const execution: Execution = {
			...asked,
			workflowId: workflow.workflowId,
			executionId: randomUUID(),
			environment,
			status: 'running',
			createdAt,
			completesAt: createdAt + durationMilliseconds(workflow.duration, this.random),
			bodyFields: workflow.fileAccess === 'oauth2Urls' ? hidden : bodyFields,
			files: intakes.map(({ file }) => file),
		};
		const running: Running = { execution, early: new AbortController(), ended: Promise.resolve() };
		this.running.set(execution.executionId, running);
		running.ended = this.run(running, this.outcomeOf(execution, workflow, submission));
		return execution;
	}

	find(executionId: string): Execution | undefined {
		return this.running.get(executionId)?.execution;
	}

	all(): Execution[] {
		return [...this.running.values()].map(({ execution }) => ({ ...execution }));
	}

	/** Ends a running execution as soon as its documents are read. Undefined: no such execution is running. */
	async finish(executionId: string, finish: Finish): Promise<Execution | undefined> {
		const running = this.running.get(executionId);
		if (running?.execution.status !== 'running' || running.finish) return undefined;
		running.finish = finish;
		running.early.abort();
		await running.ended;
		return { ...running.execution };
	}

	/** Deletes all executions; running ones never end. */
	clear(): void {
		for (const { early } of this.running.values()) early.abort();
		this.running = new Map();
	}

	stop(): void {
		this.stopped.abort();
		this.clear();
	}

	/** Takes the future outcome, not the documents, so that these are released as soon as they are read. */
	private async run(running: Running, coming: Promise<Outcome>): Promise<void> {
		const { execution } = running;
		const [outcome] = await Promise.all([
			coming,
			this.clock.sleep(execution.completesAt - execution.createdAt, running.early.signal),
		]);
		if (this.running.get(execution.executionId) !== running) return;
		const forced = running.finish;
		if (forced?.status === 'failed')
			execution.failure = { error: forced.error ?? 'The execution failed.' };
		else if (outcome.failure && !forced) execution.failure = outcome.failure;
		else execution.steps = outcome.steps ?? [];
		execution.status = execution.failure ? 'failed' : 'completed';
		execution.completesAt = this.clock.now();
		this.onEnd(execution);
	}

	private async outcomeOf(
		execution: Execution,
		workflow: Workflow,
		{ fileUrls, bodyFields, intakes, userInputs }: Submission,
	): Promise<Outcome> {
		try {
			const fetched = await fetchFiles(
				fileUrls,
				workflow.fileAccess,
				bodyFields,
				this.stopped.signal,
			);
			execution.files.push(...fetched.map(({ file }) => file));
			const steps = await resultsOf(workflow.steps, [...intakes, ...fetched], userInputs);
			return workflow.failWith ? { steps, failure: workflow.failWith } : { steps };
		} catch (error) {
			return { failure: { error: (error as Error).message } };
		}
	}
}
