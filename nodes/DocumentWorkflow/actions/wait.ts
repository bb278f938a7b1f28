import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import type { Pause } from '../../../service/http';
import type { PollingPlan } from '../../../service/polling';
import { meaningOfStatus } from '../../../service/status';
import { mayPass, type Watched, watchExecution } from '../../../service/watching';
import { HOUR, time } from '../connection/time';
import { sayHeld, type StoredWait } from '../pausing/awaited';
import { ENGINE_2, SHORTEST_PAUSE, waitsOf } from '../pausing/pause';
import { executionInWords, idsOf } from '../results/items/ids';
import { itemOfInput, resultOf } from '../results/items/result';
import { outputFields, outputOptionsField } from '../results/settings/settings';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import { readWaitSettings, waitingField, type WaitSettings } from './fields/waiting';
import type { Result, Operation, Session } from './operation';
import { failed, jobPerItem, placeOf, refused } from './operation';

export const wait: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'wait',
		description: 'Wait until an execution is finished and return its data',
		action: 'Wait for completion of execution',
	},
	fields: [workflowField, executionIdField, ...outputFields, waitingField, outputOptionsField],
	prepare: async (session) => {
		announceObstacle(session);
		return jobPerItem(session, (itemIndex) => {
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
		});
	},
};

/** Says before anything is sent that n8n would reject a pause. */
export function announceObstacle({ obstacle, keepsRunning }: Session): void {
	if (obstacle === ENGINE_2) keepsRunning();
}

interface WaitJob extends WaitSettings {
	itemIndexes: number[];
	execution: StartedExecution;
	/** Whether the execution was created just now. */
	isFresh: boolean;
	/** Other output fields, such as the sent documents. */
	beside: IDataObject;
}

/**
 * Waits for an execution: checks it while the node runs, and then leaves its wait open, so that n8n pauses and runs the node again.
 * Where n8n cannot pause, the node keeps checking up to the time limit.
 */
export async function waitFor(session: Session, job: WaitJob): Promise<Result> {
	const { execution, wait, isFresh } = job;
	const { workflowId, executionId } = execution;
	const { longestMilliseconds, timeoutMilliseconds } = wait.plan;
	const now = time.now();
	const isSame = (each: StoredWait) =>
		each.workflowId === workflowId && each.executionId === executionId;
	const before: StoredWait = waitsOf(session.earlier ?? []).find(isSame) ?? {
		workflowId,
		executionId,
		status: isFresh ? execution.status : undefined,
		since: now,
		until: now + timeoutMilliseconds,
		longestMilliseconds,
		checks: 0,
	};
	const watched =
		session.earlier === undefined
			? await checkWhileRunning(session, job)
			: await checkAfterPause(session, job, before);
	const isUnread =
		before.endedAt !== undefined && watched.end === 'timeout' && watched.last === undefined;
	const last = watched.end === 'finished' ? watched.execution : watched.last;
	const seen: StoredWait = {
		...before,
		status: last?.status ?? before.status,
		checks: before.checks + watched.checks,
		endedAt: isUnread ? before.endedAt : undefined,
		refusedSince: isRefused(watched) ? (before.refusedSince ?? time.now()) : undefined,
		isUnread,
	};
	sayHeld(session.context.logger, seen, before.status);
	const isOpen = watched.end === 'timeout' && time.now() < before.until;
	if (isOpen && session.obstacle === undefined) return { ok: true, items: [], wait: seen };
	const endedAt = before.endedAt ?? time.now();
	const result =
		watched.end === 'finished'
			? await resultOf(session, job.itemIndexes, watched.execution, job.result, job.beside)
			: resultOfUnfinished(session, job, watched, { ...seen, endedAt });
	return result.ok ? { ...result, wait: { ...seen, endedAt } } : result;
}

/** Whether the last check of a wait that goes on was refused. */
function isRefused(watched: Watched): boolean {
	if (watched.end !== 'timeout' || watched.lastRefusal === undefined) return false;
	return watched.last === undefined && !mayPass(watched.lastRefusal, true);
}

async function checkWhileRunning(session: Session, job: WaitJob): Promise<Watched> {
	const { plan, whileRunningMilliseconds } = job.wait;
	// The time counts for the run, so that it pauses soon, however many creates there are.
	const pauseAt = session.startedAt + whileRunningMilliseconds;
	const left = pauseAt - time.now();
	// Do not pause if less than one pause is left.
	const pausesInTime = plan.timeoutMilliseconds > Math.max(left, 0) + SHORTEST_PAUSE;
	if (session.obstacle === undefined && pausesInTime)
		return left > 0
			? check(session, job, { plan: { ...plan, timeoutMilliseconds: left } })
			: UNCHECKED;
	const pause: Pause = async (milliseconds) => {
		await session.connection.pause(milliseconds);
		if (pausesInTime && time.now() > pauseAt) session.keepsRunning();
	};
	return check(session, job, { plan, pause });
}

const UNCHECKED: Watched = {
	...{ end: 'timeout', last: undefined, lastRefusal: undefined },
	...{ watchedMilliseconds: 0, checks: 0 },
};

/** Retries for the checks after a pause. When the service is silent for that long, n8n pauses again. */
const CHECK_AFTER_PAUSE: PollingPlan = {
	firstMilliseconds: 2_000,
	longestMilliseconds: 5_000,
	timeoutMilliseconds: 60_000,
};

/** Stops as soon as a check succeeds, even if the execution is running. */
async function checkAfterPause(
	session: Session,
	job: WaitJob,
	before: StoredWait,
): Promise<Watched> {
	// Address, token and IDs were right before the pause.
	const known = { ...job, isFresh: true };
	const wasFound = before.status !== undefined;
	const how = { plan: CHECK_AFTER_PAUSE, lastAnswer: session.lastAnswer };
	return check(session, known, wasFound ? { ...how, before } : how);
}

async function check(
	{ connection: { send, pause }, inputs }: Session,
	{ execution: { workflowId, executionId }, isFresh }: WaitJob,
	how: Pick<Parameters<typeof watchExecution>[0], 'plan' | 'before' | 'lastAnswer'> & {
		pause?: Pause;
	},
): Promise<Watched> {
	const isBatch = inputs.length > 1;
	const ids = { workflowId, executionId };
	return watchExecution({ send, pause, now: time.now, ...ids, isFresh, isBatch, ...how });
}

/** The output of a wait that is over before its execution has ended. */
function resultOfUnfinished(
	session: Session,
	job: WaitJob,
	watched: Exclude<Watched, { end: 'finished' }>,
	seen: StoredWait,
): Result {
	const { itemIndexes, execution, wait, result, beside } = job;
	const place = placeOf(session.context, job);
	const { status, since, until, endedAt = since, checks } = seen;
	const ids = idsOf({ ...execution, status: status ?? 'unknown' });
	// Over all runs of the wait.
	const watchedSeconds = Number(((endedAt - since) / 1000).toFixed(1));
	const known = { ...ids, watchedSeconds, checks, ...beside };
	if (watched.end === 'lost') return refused(place, watched.refusal, known);
	if (seen.isUnread && watched.lastRefusal !== undefined) {
		const { reply, words } = watched.lastRefusal;
		const advice = `${words.advice}. Use Get Execution to read the result later. ${executionInWords(execution)}`;
		return refused(place, { reply, words: { ...words, advice } }, known);
	}
	const hours = Number(((until - since) / HOUR).toPrecision(3));
	const message = `No result after ${hours} ${hours === 1 ? 'hour' : 'hours'}: ${lastSeen(status)}`;
	const lastCheck =
		watched.lastRefusal && `Last failed check: ${watched.lastRefusal.words.message}`;
	const advice = [
		"The execution continues in the service. Use Wait for Completion or Get Execution with its ID, or increase 'Maximum Wait (Hours)' under 'Waiting'",
		lastCheck,
		executionInWords(execution),
	]
		.filter(Boolean)
		.join('. ');
	if (wait.ifTimedOut === 'stop') return failed(place, message, advice, known);
	const about = { timedOut: true, message, advice, ...known, needsReview: true };
	const items = itemOfInput(session.inputs, itemIndexes, about, result);
	return { ok: true, items, about };
}

function lastSeen(status: string | undefined): string {
	if (status === undefined) return 'no check of the execution succeeded';
	if (status === 'running') return 'the execution is still running';
	if (meaningOfStatus(status) === 'held')
		return `the service waits for a person (status "${status}")`;
	return status === 'unknown' || meaningOfStatus(status) !== undefined
		? `the execution is still running (status "${status}")`
		: `the status "${status}" is unknown to this node`;
}
