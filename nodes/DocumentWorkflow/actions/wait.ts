import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import type { PollingPlan } from '../../../service/polling';
import type { Watched } from '../../../service/watching';
import { watchExecution } from '../../../service/watching';
import { optionsField } from '../panel/options';
import type { Place } from '../panel/place';
import { outputFields, shapingOptions } from '../results/fields';
import { inputBeside, resultOf } from '../results/result';
import { idsOf } from '../results/shape';
import { HOUR, MINUTE, SECOND, time } from '../time';
import { failed, refused } from './failures';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import type { WaitSettings } from './fields/waiting';
import { readWaitSettings, waitingOptions } from './fields/waiting';
import type { Operation, Result, Session } from './operation';
import { jobPerItem } from './perItem';

export const wait: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'wait',
		description: 'Wait until an execution has ended, and output its data',
		action: 'Wait for completion of execution',
	},
	fields: [
		workflowField,
		executionIdField,
		...outputFields,
		optionsField([...waitingOptions, ...shapingOptions]),
	],
	prepare: async (session) =>
		jobPerItem(session, (itemIndex) => {
			const { context } = session;
			const place = { context, itemIndex };
			const wanted: WaitJob = {
				itemIndexes: [itemIndex],
				execution: {
					workflowId: readWorkflowId(place),
					executionId: readExecutionId(place),
					status: 'running',
				},
				...readWaitSettings(place),
				isFresh: false,
				beside: {},
			};
			return async () => waitFor(session, wanted);
		}),
};

/** A wait for an execution. */
interface WaitJob extends WaitSettings {
	itemIndexes: number[];
	execution: StartedExecution;
	/** Whether the execution was created just now. */
	isFresh: boolean;
	/** Other output fields, such as the sent documents. */
	beside: IDataObject;
}

/**
 * Waits for an execution: checks it while the node runs, and then requests a pause, after which the node runs again. Where n8n cannot
 * pause, the node keeps checking up to the time limit.
 */
export async function waitFor(session: Session, job: WaitJob): Promise<Result> {
	const { earlier, canPause } = session;
	const { execution, beside, wait } = job;
	const since = earlier?.since ?? time.now();
	const until = since + wait.limitMilliseconds;
	const mayPause = wait.pauses && canPause;
	const whileRunning = mayPause
		? Math.min(wait.whileRunningMilliseconds, wait.limitMilliseconds)
		: wait.limitMilliseconds;
	const watched =
		earlier === undefined
			? await check(session, job, { ...wait.plan, timeoutMilliseconds: whileRunning })
			: await check(session, job, CHECK_AFTER_PAUSE, true);
	if (watched.end !== 'timeout' || !mayPause || time.now() >= until)
		return resultOfWait(session, job, { ...watched, watchedMilliseconds: time.now() - since });
	const { longestMilliseconds } = wait.plan;
	return {
		ok: true,
		items: [{ json: { ...idsOf(execution), ...beside } }],
		awaits: { execution, since, until, longestMilliseconds },
	};
}

/** Retries for the check after a pause. If none succeeds, n8n pauses again. */
const CHECK_AFTER_PAUSE: PollingPlan = {
	firstMilliseconds: 2_000,
	longestMilliseconds: 5_000,
	timeoutMilliseconds: 60_000,
};

/** `untilFirstSuccess`: stop as soon as a check succeeds, even if the execution is running. */
async function check(
	{ connection: { send, pause }, inputs }: Session,
	{ execution, isFresh }: WaitJob,
	plan: PollingPlan,
	untilFirstSuccess = false,
): Promise<Watched> {
	const { now } = time;
	const isBatch = inputs.length > 1;
	return watchExecution({
		send,
		pause,
		now,
		plan,
		...execution,
		isFresh,
		isBatch,
		untilFirstSuccess,
	});
}

async function resultOfWait(session: Session, job: WaitJob, watched: Watched): Promise<Result> {
	const { itemIndexes, wait, result, beside } = job;
	if (watched.end !== 'finished') return resultOfUnfinished(session, job, watched);
	const { execution } = watched;
	if (execution.phase !== 'failed')
		return resultOf(session, itemIndexes, execution, result, beside);
	const { status, metadata, failureReason } = execution;
	const advice =
		failureReason === ''
			? 'The service gives no reason. Look at the execution in its dashboard'
			: `The service said: "${failureReason}"`;
	const checked = checkedFor(watched);
	if (wait.ifFailed === 'continue')
		return resultOf(session, itemIndexes, execution, result, { ...checked, advice, ...beside });
	const known = { ...idsOf(execution), metadata, failureReason, ...checked, ...beside };
	const message = `Execution ${job.execution.executionId} ended with status "${status}"`;
	return { ...failed(placeOf(session, job), message, advice, known), hasFailed: true };
}

function resultOfUnfinished(
	session: Session,
	job: WaitJob,
	watched: Exclude<Watched, { end: 'finished' }>,
): Result {
	const { itemIndexes, execution, wait, result, isFresh, beside } = job;
	// Without a check, the status of an execution that was not created just now is unknown.
	const status = watched.last?.status ?? (isFresh ? execution.status : undefined);
	const ids = idsOf({ ...execution, status: status ?? 'unknown' });
	const known = { ...ids, ...checkedFor(watched), ...beside };
	if (watched.end === 'lost') return refused(placeOf(session, job), watched.refusal, known);
	const seen =
		status === undefined
			? 'its status is not known, because no look at it succeeded'
			: `its status is "${status}"`;
	const message = `Execution ${execution.executionId} has not ended after ${inWords(wait.limitMilliseconds)}; ${seen}`;
	const advice = adviceAfterTimeout(watched);
	if (wait.ifTimedOut === 'stop') return failed(placeOf(session, job), message, advice, known);
	const input = inputBeside(session.inputs, itemIndexes, result);
	return { ok: true, items: [{ json: { ...known, timedOut: true, message, advice, ...input } }] };
}

function placeOf({ context }: Session, { itemIndexes: [itemIndex = 0] }: WaitJob): Place {
	return { context, itemIndex };
}

function checkedFor({ watchedMilliseconds, checks }: Watched): IDataObject {
	return { watchedSeconds: Number((watchedMilliseconds / 1000).toFixed(1)), checks };
}

function adviceAfterTimeout({ lastRefusal }: Watched & { end: 'timeout' }): string {
	const lastCheck =
		lastRefusal === undefined
			? ''
			: ` The last look that did not succeed: ${lastRefusal.words.message}.`;
	return `It goes on in the service. Use Wait for Completion or Get with this ID, or raise 'Longest Wait (Hours)' under Options.${lastCheck}`;
}

const UNITS: Array<[string, number]> = [
	['hour', HOUR],
	['minute', MINUTE],
	['second', SECOND],
];

function inWords(milliseconds: number): string {
	const [unit, size] =
		UNITS.find(([, least]) => milliseconds >= least) ?? (['second', SECOND] as const);
	const count = Number((milliseconds / size).toFixed(1));
	return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
