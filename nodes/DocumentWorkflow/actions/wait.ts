import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import type { PollingPlan } from '../../../service/polling';
import { isKnownStatus } from '../../../service/status';
import type { Watched } from '../../../service/watching';
import { watchExecution } from '../../../service/watching';
import { optionsField } from '../panel/options';
import type { Place } from '../panel/place';
import { outputFields, shapingOptions } from '../results/fields';
import { inputBeside, resultOf } from '../results/result';
import { idsOf } from '../results/shape';
import { time } from '../time';
import { failed, refused } from './failures';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import type { WaitOptions, WaitSettings } from './fields/waiting';
import { howToWaitField, readWaitSettings, waitingOptions } from './fields/waiting';
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
		howToWaitField,
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
				// A retry is another n8n execution than the one whose reference the service has.
				resumesHere: context.getMode() !== 'retry',
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
	/** Whether a notification about the execution resumes this n8n execution. */
	resumesHere: boolean;
	/** Whether the execution was created just now. */
	isFresh: boolean;
	/** Other output fields, such as the sent documents. */
	beside: IDataObject;
}

/** Waits for an execution: polls it, or requests a pause until it has ended. */
export async function waitFor(session: Session, job: WaitJob): Promise<Result> {
	const { wait, resumesHere } = job;
	if (wait.how === 'pause' && resumesHere) return pauseFor(session, job);
	if (wait.how === 'poll') return resultOfWait(session, job, await check(session, job, wait.plan));
	// Nothing would end the pause, so poll up to the same limit, and continue afterwards as a pause does.
	const plan = { ...wait.plan, timeoutMilliseconds: wait.longestPauseMilliseconds };
	const polling: WaitJob = { ...job, wait: { ...wait, plan, ifTimedOut: 'continue' } };
	return resultOfWait(session, polling, await check(session, polling, plan));
}

/** An execution that was created just now is running. Any other is checked before the pause: it may not exist, or have ended. */
async function pauseFor(session: Session, job: WaitJob): Promise<Result> {
	const { execution, isFresh, beside, wait } = job;
	const { resumedUntil } = session;
	const until = time.now() + wait.longestPauseMilliseconds;
	const pauseUntilEnded = (seen: StartedExecution): Result => ({
		ok: true,
		items: [{ json: { ...idsOf(seen), ...beside } }],
		awaits: { execution: seen, since: time.now(), check: checkFirst, until },
	});
	const checkFirst = async (): Promise<Result> => {
		let watched = await check(session, job, FIRST_CHECK, true);
		// This run was resumed because all executions have ended. No notification follows, so poll until the service confirms it.
		if (watched.end === 'timeout' && resumedUntil !== undefined)
			watched = await check(session, job, {
				...wait.plan,
				timeoutMilliseconds: Math.max(0, resumedUntil - time.now()),
			});
		return watched.end === 'timeout'
			? pauseUntilEnded({ ...execution, status: watched.last?.status ?? execution.status })
			: resultOfWait(session, job, watched);
	};
	return isFresh && resumedUntil === undefined ? pauseUntilEnded(execution) : checkFirst();
}

/** Retries for the check before a pause. If none succeeds, n8n pauses anyway. */
const FIRST_CHECK: PollingPlan = {
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
			: `its status is "${status}"${status === 'unknown' || isKnownStatus(status) ? '' : ', which is not known to this node'}`;
	const message = `Execution ${execution.executionId} has not ended after ${inWords(wait.plan.timeoutMilliseconds)}; ${seen}`;
	const advice = adviceAfterTimeout(watched, wait);
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

function adviceAfterTimeout(
	{ lastRefusal }: Watched & { end: 'timeout' },
	{ how }: WaitOptions,
): string {
	const limit = how === 'pause' ? 'Time Limit (Hours)' : 'Timeout (Minutes)';
	const lastCheck =
		lastRefusal === undefined
			? ''
			: ` The last look that did not succeed: ${lastRefusal.words.message}.`;
	return `It goes on in the service. Use Wait for Completion or Get with this ID, or raise '${limit}' under Options.${lastCheck}`;
}

function inWords(milliseconds: number): string {
	const minutes = Number((milliseconds / 60_000).toFixed(1));
	if (minutes < 1) return `${Math.round(milliseconds / 1000)} seconds`;
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
