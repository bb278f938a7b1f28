import type { EngineRequest, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { inputItem } from '../documents/open';
import { pauseAgain, runOnce, type RunOutput } from '../pausing/continuation';
import { isTool, RunPause, type StoredJob, waitsOf } from '../pausing/pause';
import { type NodeError, shownOf } from '../panel/options';
import { hintsOf } from '../results/words/hints';
import { isStopped, RunEnd, SECOND, STOPPED, time } from '../connection/time';
import { connect } from '../connection/connect';
import { executionKey, idsOf, toJson } from '../about';
import type { Failure, Job, JobResult, Operation } from './operation';
import { readLimits } from './fields/sending';
import { asFailure, failed, inParallel, itemJob, placeOf } from './operation';
import { failShared, outputOf } from './output';
import { Journal } from './sending/journal';
import { keepStarted, noteRun, reportWhenStopped } from './sending/brokenOff';

/** A run of the node, and whether it goes on. */
interface Run {
	context: IExecuteFunctions;
	pause: RunPause;
	journal: Journal;
	end: RunEnd;
	/** The first failure. It ends the run unless the node continues on fail. */
	failure?: Failure;
}

/**
 * Runs an operation: prepares all items (prepare.ts), sends (send.ts), records what was started (journal.ts), waits
 * (waiting.ts), and outputs (output.ts). Without "continue on fail" nothing is sent when one item cannot be sent, and
 * nothing new is started after the first failure: open requests are finished, waits end, and the error lists every
 * started execution. Returns a request for a pause when executions take longer than the node checks while it runs.
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<RunOutput> {
	const pause = new RunPause(context);
	const journal = new Journal(context);
	const run = { context, pause, journal, end: new RunEnd(context) };
	reportWhenStopped(context, journal);
	noteRun(context);
	const { earlier } = pause;
	if (earlier === undefined) return complete(run, operation);
	const goOn = async () => (await pauseAgain(context, pause, earlier)) ?? complete(run, operation);
	return runOnce(context, pause, earlier, goOn);
}

async function complete(run: Run, operation: Operation): Promise<RunOutput> {
	const { context, journal } = run;
	const jobs = withFailuresBeforePause(run, await prepare(run, operation));
	const all = failShared(context, journal, await carryOut(run, jobs));
	const results = all.map(({ result }) => result);
	const failure = run.failure ?? results.find((result) => !result.ok);
	const waits = results.flatMap((result) => (result.ok ? (result.wait ?? []) : []));
	if (isStopped(context))
		throw withSummary(run, new NodeOperationError(context.getNode(), STOPPED));
	if (failure !== undefined && !context.continueOnFail())
		throw withSummary(run, failure.error, failure);
	if (waits.some(({ endedAt }) => endedAt === undefined)) return requestPause(run, all);
	journal.close();
	return output(run, all);
}

/** Returns the jobs of an operation. If the node threw instead of failing each job, n8n would pass its input to the regular output. */
async function prepare(run: Run, operation: Operation): Promise<Job[]> {
	const { context, pause, journal, end } = run;
	const startedAt = time.now();
	try {
		const connection = await connect(context, readLimits(context), end);
		const inputs = context.getInputData().map((_item, index) => inputItem(context, index));
		return await operation.prepare({ context, pause, journal, startedAt, connection, inputs });
	} catch (error) {
		const startedExecutionIds = journal.startedExecutions().map(({ executionId }) => executionId);
		const jobs: StoredJob[] =
			pause.earlier?.jobs ?? context.getInputData().map((_item, index) => itemJob(index));
		return jobs.map(({ key, itemIndexes, fieldNames }): Job => {
			const started = { ...journal.startedBy(key)?.execution, startedExecutionIds };
			const about = startedExecutionIds.length === 0 ? {} : started;
			const work = asFailure(placeOf(context, { itemIndexes }), error, about);
			return { key, itemIndexes, fieldNames, work };
		});
	}
}

/** What failed before the pause is not tried again after it. */
function withFailuresBeforePause({ context, pause }: Run, jobs: Job[]): Job[] {
	const before = new Map(pause.earlier?.jobs.map((job) => [job.key, job]));
	return jobs.map((job) => {
		const { fault, about = {} } = before.get(job.key) ?? {};
		if (fault === undefined) return job;
		return { ...job, work: failed(placeOf(context, job), fault.message, fault.advice, about) };
	});
}

/** Runs all jobs in parallel. Runs none when one is known to fail and the node does not continue on fail. */
async function carryOut(run: Run, jobs: Job[]): Promise<JobResult[]> {
	const { context, end, journal, pause } = run;
	const noteFailure = (failure: Failure) => {
		run.failure ??= failure;
		if (!context.continueOnFail()) end.end('Another item failed');
	};
	for (const { work } of jobs) if (typeof work !== 'function') noteFailure(work);
	if (end.reason() !== undefined) return [];
	const carryOutJob = async (job: Job): Promise<JobResult> => {
		if (typeof job.work !== 'function') return { job, result: job.work };
		const result = await job.work().catch((error: unknown) => {
			return asFailure(placeOf(context, job), error, journal.startedBy(job.key)?.execution);
		});
		if (!result.ok) noteFailure(result);
		return { job, result };
	};
	// After a pause only results are read. Some at a time, so that the time of each does not include that of the others.
	return pause.earlier === undefined
		? Promise.all(jobs.map(carryOutJob))
		: inParallel(jobs, carryOutJob);
}

function withSummary({ context, journal }: Run, error: NodeError, failure?: Failure) {
	const { about = {}, namesExecution = false } = failure ?? {};
	const text = error.description?.replace(/\.$/, '');
	const summary = journal.summary(namesExecution ? about : {}, error.message);
	error.description = [text, summary].filter(Boolean).join('. ');
	// An AI agent gets no more than the message. It would send again what may have been sent.
	if (isTool(context))
		error.message = [error.message, error.description].filter(Boolean).join('. ');
	// For an error workflow. The failed one comes first, with its latest status.
	const all = [about, ...journal.startedExecutions(), about].filter(
		({ executionId }) => executionId,
	);
	const byId = new Map(all.map((each) => [executionKey(each), toJson(idsOf(each))]));
	error.context.executions = [...byId.values()];
	return Object.assign(error, shownOf(error));
}

function requestPause({ context, pause }: Run, all: JobResult[]): EngineRequest {
	const stored = all.map(({ job: { key, itemIndexes, fieldNames }, result }): StoredJob => {
		const job = { key, itemIndexes, fieldNames };
		const { about } = result;
		if (result.ok) return result.wait ? { ...job, wait: result.wait } : { ...job, about };
		const { message, description } = result.error;
		return { ...job, about, fault: { message, advice: description ?? '' } };
	});
	const request = pause.begin(stored);
	if (pause.earlier !== undefined) return request;
	const waits = waitsOf(stored);
	const { executionTimeout: seconds = 0 } = context.getWorkflowSettings();
	const isLonger = waits.some(({ since, until }) => until - since > seconds * SECOND);
	// n8n counts the pause, and says nothing when it cancels.
	if (seconds > 0 && isLonger)
		context.logger.warn(
			`n8n will cancel this n8n execution ${seconds} s after its start, also while it is paused. 'Maximum Wait (Hours)' is longer. Change 'Timeout Workflow' in the settings of the n8n workflow`,
		);
	const ids = waits.map(({ executionId }) => executionId);
	keepStarted(context, ids);
	return request;
}

/** The items of all jobs. Adds the hints above them, and records for Skip Already Sent what comes out. */
async function output({ context, pause }: Run, all: JobResult[]) {
	const ended = all.map(({ job, result }) => {
		const items = outputOf(context, job, result);
		const facts = result.ok ? result.facts : undefined;
		return { itemIndexes: job.itemIndexes, about: result.about, facts, items };
	});
	context.addExecutionHints(...hintsOf(ended, pause.keptRunning));
	await Promise.all(all.map(async ({ result }) => (result.ok ? result.whenOutput?.() : undefined)));
	return ended.flatMap(({ items }) => items);
}
