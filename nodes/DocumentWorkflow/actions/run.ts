import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Pause, StoredPause } from '../pausing/pause';
import { itemsWhenPaused, openPause } from '../pausing/pause';
import { isStopped, STOPPED } from '../stop';
import { time } from '../time';
import { connect } from '../transport';
import { asFailure, failed } from './failures';
import { readMaxInParallel } from './fields/sending';
import { hintsFor } from './hints';
import { Journal } from './journal';
import type { Failure, Job, Operation, Result } from './operation';
import { outputOf } from './output';
import { reportWhenStopped } from './stopped';

/** One run of the node for all its input items. */
interface Run {
	context: IExecuteFunctions;
	journal: Journal;
	pause: Pause;
	/** The first failure. It ends the run unless the node continues on fail. */
	failure: Failure | undefined;
	/** Why the run is over, if it is: nothing more is sent or waited for. */
	stopReason: () => string | undefined;
}

/**
 * Runs an operation: prepares all items (prepare.ts), sends (send.ts), records what was started (journal.ts), waits (wait.ts), and
 * outputs (output.ts). Without "continue on fail" nothing is sent when one item cannot be sent, and nothing new is started after the
 * first failure: open requests are finished, waits end, and the error lists every started execution. When jobs wait for a
 * notification, the n8n execution pauses; later n8n runs the node again.
 */
export async function runForAllItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const alreadyOutput = itemsWhenPaused(context);
	if (alreadyOutput !== undefined) return alreadyOutput;
	const run = openRun(context);
	const stopReporting = reportWhenStopped(context, run.journal);
	const jobs = await prepare(run, operation);
	const results = await carryOut(run, jobs);
	if (isStopped(context))
		throw withSummary(run, new NodeOperationError(context.getNode(), STOPPED));
	stopReporting();
	if (run.failure !== undefined && run.stopReason() !== undefined)
		throw withSummary(run, run.failure.error);
	const items = jobs.flatMap((job, number) => outputOf(context, job, results[number]));
	if (await pauseFor(run, jobs, results, items)) return items;
	run.journal.close();
	const hints = hintsFor(jobs, results);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return items;
}

function openRun(context: IExecuteFunctions): Run {
	const continues = context.continueOnFail();
	const run: Run = {
		context,
		journal: new Journal(context),
		pause: openPause(context),
		failure: undefined,
		stopReason: () => {
			if (isStopped(context)) return STOPPED;
			return run.failure === undefined || continues ? undefined : 'Another item did not succeed';
		},
	};
	return run;
}

/**
 * Returns the jobs of an operation. An unusable credential fails each item. If the node threw instead, n8n would pass its input items
 * on to the regular output.
 */
async function prepare(run: Run, operation: Operation): Promise<Job[]> {
	const { context, journal, pause } = run;
	try {
		const jobs = await operation.prepare({
			context,
			connection: await connect(context, readMaxInParallel(context), run.stopReason),
			journal,
			resumedUntil: pause.earlier?.until,
			inputs: context.getInputData(),
		});
		return jobs.map((job) => ({ ...job, work: failureBeforePause(run, job) ?? job.work }));
	} catch (error) {
		const startedExecutionIds = journal.executionIds();
		return context.getInputData().map((_item, itemIndex) => {
			const key = String(itemIndex);
			const known =
				startedExecutionIds.length === 0
					? {}
					: { ...journal.executionOf(key), startedExecutionIds };
			const work = asFailure({ context, itemIndex }, error, known);
			return { key, itemIndexes: [itemIndex], work };
		});
	}
}

/** The failure of a job before the pause. It is not tried again afterwards. */
function failureBeforePause(
	{ context, pause }: Run,
	{ key, itemIndexes: [itemIndex = 0] }: Job,
): Failure | undefined {
	const kept = pause.earlier?.failures[key];
	return kept && failed({ context, itemIndex }, kept.message, kept.description, kept.json);
}

/** Runs all jobs in parallel. Runs none when one is known to fail and the node does not continue on fail. */
async function carryOut(run: Run, jobs: Job[]): Promise<Result[]> {
	run.failure = jobs.map(({ work }) => work).find((work) => typeof work !== 'function');
	if (run.stopReason() !== undefined) return [];
	const results = await Promise.all(jobs.map(async (job) => carryOutJob(run, job)));
	return Promise.all(results.map(async (result, number) => checkAgain(run, jobs[number], result)));
}

async function carryOutJob(run: Run, job: Job): Promise<Result> {
	const { key, work } = job;
	const [itemIndex = 0] = job.itemIndexes;
	const { context, journal } = run;
	const result =
		typeof work === 'function'
			? await work().catch((error: unknown) =>
					asFailure({ context, itemIndex }, error, journal.executionOf(key)),
				)
			: work;
	if (!result.ok) run.failure ??= result;
	return result;
}

/**
 * For two minutes the trigger retries a notification that arrives before the pause is stored. So an execution that was running less
 * than a minute ago need not be checked again before the pause.
 */
const NOTIFIED_AGAIN_MILLISECONDS = 60_000;

/** While one job waited for others, its execution may have ended. */
async function checkAgain(run: Run, job: Job | undefined, result: Result): Promise<Result> {
	const awaits = result.ok ? result.awaits : undefined;
	if (job === undefined || awaits === undefined) return result;
	if (time.now() - awaits.since < NOTIFIED_AGAIN_MILLISECONDS) return result;
	return carryOutJob(run, { ...job, work: awaits.check });
}

/** Pauses the n8n execution when a job needs it, and returns whether it does. */
async function pauseFor(
	{ pause }: Run,
	jobs: Job[],
	results: Result[],
	items: INodeExecutionData[],
): Promise<boolean> {
	const awaited = results.flatMap((result) => (result.ok && result.awaits ? [result.awaits] : []));
	if (awaited.length === 0) return false;
	const failures: StoredPause['failures'] = {};
	for (const [number, { key }] of jobs.entries()) {
		const result = results[number];
		if (result === undefined || result.ok) continue;
		const { error, json } = result;
		failures[key] = { message: error.message, description: error.description ?? '', json };
	}
	const until = Math.max(...awaited.map((each) => each.until));
	await pause.begin({ awaited: awaited.map(({ execution }) => execution), until, failures }, items);
	return true;
}

function withSummary({ journal }: Run, error: Failure['error']): Failure['error'] {
	error.description = [error.description?.replace(/\.$/, ''), journal.summary()]
		.filter(Boolean)
		.join('. ');
	return error;
}
