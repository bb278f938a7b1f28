import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Pause, StoredPause } from '../pausing/pause';
import { itemsWhenPaused, openPause } from '../pausing/pause';
import { isStopped, STOPPED } from '../stop';
import { time } from '../time';
import { connect } from '../transport';
import { asFailure, failed } from './failures';
import { readMostInParallel } from './fields/sending';
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
	/** The first failure; it ends the run unless the node continues on fail. */
	failure: Failure | undefined;
	/** Why nothing more is to be sent or waited for. */
	whyNotToGoOn: () => string | undefined;
}

/**
 * Runs an operation: prepares all items (prepare.ts), sends (send.ts), records what was started (journal.ts), waits (wait.ts), and outputs
 * (output.ts). Without "continue on fail" nothing is sent when one item cannot be, and nothing is begun after the first failure: requests
 * under way are finished, waits are given up, and the error lists every execution that was started. Where jobs wait for a notification the
 * n8n execution pauses; n8n then runs the node again.
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
	if (run.failure !== undefined && run.whyNotToGoOn() !== undefined)
		throw withSummary(run, run.failure.error);
	const items = jobs.flatMap((job, number) => outputOf(context, job, results[number]));
	if (await pauseFor(run, jobs, results, items)) return items;
	run.journal.close();
	const hints = hintsFor(results);
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
		whyNotToGoOn: () => {
			if (isStopped(context)) return STOPPED;
			return run.failure === undefined || continues ? undefined : 'Another item did not succeed';
		},
	};
	return run;
}

/**
 * The jobs of an operation. A credential that cannot be used fails each item: n8n would let the input items of a node that throws
 * leave through the regular output.
 */
async function prepare(run: Run, operation: Operation): Promise<Job[]> {
	const { context, journal, pause } = run;
	try {
		const jobs = await operation.prepare({
			context,
			connection: await connect(context, readMostInParallel(context), run.whyNotToGoOn),
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

/** Why a job did not succeed before the pause, after which it is not tried again. */
function failureBeforePause(
	{ context, pause }: Run,
	{ key, itemIndexes: [itemIndex = 0] }: Job,
): Failure | undefined {
	const kept = pause.earlier?.failures[key];
	return kept && failed({ context, itemIndex }, kept.message, kept.description, kept.json);
}

/** Does the work of all jobs at the same time; none where one is known to fail and the node does not go on. */
async function carryOut(run: Run, jobs: Job[]): Promise<Result[]> {
	run.failure = jobs.map(({ work }) => work).find((work) => typeof work !== 'function');
	if (run.whyNotToGoOn() !== undefined) return [];
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
 * A trigger repeats a notification that comes before the pause is stored for two minutes. What was seen running less than this long ago
 * need not be checked again before the pause.
 */
const NOTIFIED_AGAIN_MILLISECONDS = 60_000;

/** Some jobs may have waited for others, while what they are to pause for has ended. */
async function checkAgain(run: Run, job: Job | undefined, result: Result): Promise<Result> {
	const awaits = result.ok ? result.awaits : undefined;
	if (job === undefined || awaits === undefined) return result;
	if (time.now() - awaits.since < NOTIFIED_AGAIN_MILLISECONDS) return result;
	return carryOutJob(run, { ...job, work: awaits.check });
}

/** Pauses the n8n execution where a job asks for it; whether it does. */
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
