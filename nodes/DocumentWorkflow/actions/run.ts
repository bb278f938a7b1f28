import type { EngineRequest, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Send } from '../../../service/http';
import { messageOf } from '../../../service/text';
import { refusedSetting } from '../../../service/tokenWords';
import type { Wait } from '../../../service/wait';
import { inputItems } from '../documents/open';
import { afterStart } from '../pausing/afterStart';
import { runOnce, type RunOutput } from '../pausing/once';
import { RunPause, type StoredJob, waitsOf } from '../pausing/pause';
import { shownOf } from '../panel/options';
import { SECOND, STOPPED, isStopped, time } from '../connection/time';
import { connect } from '../connection/connect';
import { checkWaits, openWaits } from '../pausing/awaited';
import type { Failure, Job, Operation, Result } from './operation';
import { asFailure, failed, inParallel, itemJob, placeOf } from './operation';
import { readLimits } from './fields/sending';
import { failShared, hintsOf, outputOf } from './output';
import { Journal } from './sending/journal';
import { keepStarted, reportWhenStopped } from './sending/brokenOff';

interface Run {
	context: IExecuteFunctions;
	journal: Journal;
	pause: RunPause;
	/** In milliseconds since 1970. */
	startedAt: number;
	/** The first failure. It ends the run unless the node continues on fail. */
	failure?: Failure | undefined;
}

/**
 * Runs an operation: prepares all items (prepare.ts), sends (send.ts), records what was started (journal.ts), waits
 * (waiting.ts), and outputs (output.ts). Without "continue on fail" nothing is sent when one item cannot be sent, and
 * nothing new is started after the first failure: open requests are finished, waits end, and the error lists every
 * started execution. Returns a request for a pause when executions take longer than the node checks while it runs.
 */
export async function runForAllItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<RunOutput> {
	const pause = new RunPause(context);
	return runOnce(context, pause, async () => {
		let opened: Journal | undefined;
		const journal = () => (opened ??= new Journal(context));
		reportWhenStopped(context, journal);
		const { earlier } = pause;
		const later = earlier && (await afterStart(earlier.process));
		if (earlier !== undefined && later !== undefined) return pause.repeat(earlier, later);
		// A crash rarely interrupts a short check, so nothing else comes before it.
		const again = await pauseAgain(context, pause);
		const run = () => ({ context, journal: journal(), pause, startedAt: time.now() });
		return again ?? complete(run(), operation);
	});
}

async function complete(run: Run, operation: Operation): Promise<RunOutput> {
	const { context, pause } = run;
	const jobs = withFailuresBeforePause(run, await prepare(run, operation));
	const results = failShared(context, jobs, await carryOut(run, jobs));
	run.failure ??= results.find((result): result is Failure => !result.ok);
	if (isStopped(context))
		throw withSummary(run, new NodeOperationError(context.getNode(), STOPPED));
	if (run.failure !== undefined && stopReasonOf(run) !== undefined)
		throw withSummary(run, run.failure.error);
	const request = requestPause(run, jobs, results);
	if (request !== undefined) return request;
	run.journal.close();
	const items = jobs.flatMap((job, number) => outputOf(context, job, results[number]));
	const hints = hintsOf(jobs, results, items, pause.keptRunning);
	if (hints.length > 0) context.addExecutionHints(...hints);
	await Promise.all(results.map(async (result) => result.ok && result.whenOutput?.()));
	return items;
}

/** Why the run is over, if it is: nothing more is sent or waited for. */
function stopReasonOf({ context, failure }: Run): string | undefined {
	if (isStopped(context)) return STOPPED;
	return failure === undefined || context.continueOnFail() ? undefined : 'Another item failed';
}

/** Returns the jobs of an operation. If the node threw instead of failing each, n8n would pass its input to the regular output. */
async function prepare(run: Run, operation: Operation): Promise<Job[]> {
	const { context, journal, pause } = run;
	try {
		const connection = await connect(context, readLimits(context), () => stopReasonOf(run));
		return await operation.prepare({ ...run, connection, inputs: inputItems(context) });
	} catch (error) {
		const startedExecutionIds = journal.executionIds();
		const jobs =
			pause.earlier?.jobs ?? context.getInputData().map((_item, index) => itemJob(index));
		return jobs.map(({ key, itemIndexes }): Job => {
			const started = { ...journal.startedBy(key)?.execution, startedExecutionIds };
			const known = startedExecutionIds.length === 0 ? {} : started;
			return { key, itemIndexes, work: asFailure(placeOf(context, { itemIndexes }), error, known) };
		});
	}
}

/** Runs all jobs in parallel. Runs none when one is known to fail and the node does not continue on fail. */
async function carryOut(run: Run, jobs: Job[]): Promise<Result[]> {
	run.failure = jobs.map(({ work }) => work).find((work) => typeof work !== 'function');
	if (stopReasonOf(run) !== undefined) return [];
	const work = async (job: Job) => carryOutJob(run, job);
	// After a pause only results are read. Some at a time, so that the time of each does not include that of the others.
	return run.pause.earlier === undefined ? Promise.all(jobs.map(work)) : inParallel(jobs, work);
}

async function carryOutJob(run: Run, job: Job): Promise<Result> {
	const { key, work } = job;
	const { context, journal } = run;
	const result =
		typeof work === 'function'
			? await work().catch((error: unknown) =>
					asFailure(placeOf(context, job), error, { ...journal.startedBy(key)?.execution }),
				)
			: work;
	if (!result.ok) run.failure ??= result;
	return result;
}

function withSummary({ journal }: Run, error: Failure['error']): Failure['error'] {
	const text = error.description?.replace(/\.$/, '');
	const summary = journal.summary(`${error.message} ${text ?? ''}`);
	error.description = [text, summary].filter(Boolean).join('. ');
	return Object.assign(error, shownOf(error));
}

/** The request for the next pause, when an execution still runs and there is time left. */
async function pauseAgain(
	context: IExecuteFunctions,
	pause: RunPause,
): Promise<EngineRequest | undefined> {
	if (pause.earlier === undefined) return undefined;
	const { jobs } = pause.earlier;
	const waits = openWaits(waitsOf(jobs));
	const stopReason = () => (isStopped(context) ? STOPPED : undefined);
	// A credential that cannot be read now is a doubtful reply.
	const unsent = (error: unknown) => refusedSetting(messageOf(error), '');
	const send = await connect(context, { maxInParallel: 1 }, stopReason).then(
		(connection): Send => connection.send,
		(error: unknown): Send =>
			async () =>
				Promise.resolve(unsent(error)),
	);
	try {
		await checkWaits(send, context.logger, waits, pause.findings);
	} catch {
		// It was stopped.
		return undefined;
	}
	return openWaits(waits).length === 0 ? undefined : pause.begin(jobs);
}

/** Returns the request for a pause, when a wait is open. */
function requestPause(
	{ context, pause }: Run,
	jobs: Job[],
	results: Result[],
): EngineRequest | undefined {
	const stored = jobs.map(({ key, itemIndexes, fieldNames }, number): StoredJob => {
		const result = results[number];
		const job = { key, itemIndexes, fieldNames };
		if (result === undefined) return job;
		if (result.ok) {
			const { wait, about } = result;
			// The journal has what was sent with an execution.
			return wait === undefined ? { ...job, beside: about } : { ...job, wait };
		}
		const { error, json } = result;
		const { message, description } = error;
		return { ...job, failure: { message, description: description ?? '', json } };
	});
	const request = pause.begin(stored);
	if (request === undefined || pause.earlier !== undefined) return request;
	const waits = waitsOf(stored);
	warnOfTimeout(context, waits);
	const ids = waits.map(({ executionId }) => executionId);
	keepStarted(context, ids);
	return request;
}

/** n8n counts the pause, and says nothing when it cancels. */
function warnOfTimeout(context: IExecuteFunctions, waits: Wait[]): void {
	const seconds = context.getWorkflowSettings().executionTimeout ?? 0;
	const isLonger = waits.some(({ since, until }) => until - since > seconds * SECOND);
	if (seconds > 0 && isLonger)
		context.logger.warn(
			`n8n will cancel this n8n execution ${seconds} s after its start, also while it is paused. 'Maximum Wait (Hours)' is longer. Change 'Timeout Workflow' in the settings of the n8n workflow`,
		);
}

/** What failed before the pause is not tried again after it. */
function withFailuresBeforePause({ context, pause }: Run, jobs: Job[]): Job[] {
	const before = new Map(pause.earlier?.jobs.map(({ key, failure }) => [key, failure]));
	return jobs.map((job) => {
		const failure = before.get(job.key);
		if (failure === undefined) return job;
		const { message, description, json } = failure;
		return { ...job, work: failed(placeOf(context, job), message, description, json) };
	});
}
