import type { EngineRequest, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Pause, StoredPause } from '../pausing/pause';
import { stillRunning } from '../pausing/awaited';
import { openPause } from '../pausing/pause';
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
 * first failure: open requests are finished, waits end, and the error lists every started execution. Returns a request for a pause
 * when executions take longer than the node checks while it runs; n8n then runs the node again for the next check.
 */
export async function runForAllItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[] | EngineRequest> {
	const run = openRun(context);
	const stopReporting = reportWhenStopped(context, run.journal);
	const again = await pauseAgain(run);
	if (again !== undefined) return again;
	const jobs = await prepare(run, operation);
	const results = await carryOut(run, jobs);
	if (isStopped(context))
		throw withSummary(run, new NodeOperationError(context.getNode(), STOPPED));
	stopReporting();
	if (run.failure !== undefined && run.stopReason() !== undefined)
		throw withSummary(run, run.failure.error);
	const request = requestPause(run, jobs, results);
	if (request !== undefined) return request;
	run.journal.close();
	const hints = hintsFor(results);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return jobs.flatMap((job, number) => outputOf(context, job, results[number]));
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
			earlier: pause.earlier,
			canPause: pause.isPossible,
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
	return Promise.all(jobs.map(async (job) => carryOutJob(run, job)));
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

/** After a pause: the request for the next one, when an execution still runs and there is time left. */
async function pauseAgain(run: Run): Promise<EngineRequest | undefined> {
	const { context, pause } = run;
	if (pause.earlier === undefined || time.now() >= pause.earlier.until) return undefined;
	const { send } = await connect(context, 1, run.stopReason);
	const running = await stillRunning(send, pause.earlier.awaited);
	if (running.length === 0) return undefined;
	return pause.begin({ ...pause.earlier, awaited: running });
}

/** Returns the request for a pause, when a job needs one. */
function requestPause({ pause }: Run, jobs: Job[], results: Result[]): EngineRequest | undefined {
	const awaited = results.flatMap((result) => (result.ok && result.awaits ? [result.awaits] : []));
	if (awaited.length === 0) return undefined;
	const failures: StoredPause['failures'] = {};
	for (const [number, { key }] of jobs.entries()) {
		const result = results[number];
		if (result === undefined || result.ok) continue;
		const { error, json } = result;
		failures[key] = { message: error.message, description: error.description ?? '', json };
	}
	return pause.begin({
		awaited: awaited.map(({ execution: { workflowId, executionId } }) => ({
			workflowId,
			executionId,
		})),
		since: Math.min(...awaited.map(({ since }) => since)),
		until: Math.max(...awaited.map(({ until }) => until)),
		longestMilliseconds: Math.min(...awaited.map((each) => each.longestMilliseconds)),
		failures,
	});
}

function withSummary({ journal }: Run, error: Failure['error']): Failure['error'] {
	error.description = [error.description?.replace(/\.$/, ''), journal.summary()]
		.filter(Boolean)
		.join('. ');
	return error;
}
