import type { Pause } from '../../../service/http';
import type { PollingPlan } from '../../../service/polling';
import type { Watched } from '../../../service/watching';
import { mayPass, watchExecution } from '../../../service/watching';
import type { StoredWait } from '../pausing/awaited';
import { sayHeld } from '../pausing/awaited';
import { ENGINE_2, SHORTEST_PAUSE, waitsOf } from '../pausing/pause';
import { outputFields } from '../results/fields';
import { outputOptionsField } from '../results/optionFields';
import { time } from '../connection/time';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import { readWaitSettings, waitingField } from './fields/waiting';
import type { ServiceOperation, Result, Session } from './operation';
import { jobPerItem } from './operation';
import type { WaitJob } from './waiting/waitResult';
import { resultOfWait } from './waiting/waitResult';

export const wait: ServiceOperation = {
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

/**
 * Waits for an execution: checks it while the node runs, and then leaves its wait open, so that n8n pauses and runs the node again.
 * Where n8n cannot pause, the node keeps checking up to the time limit.
 */
export async function waitFor(session: Session, job: WaitJob): Promise<Result> {
	const { execution, wait, isFresh } = job;
	const { workflowId, executionId } = execution;
	const { longestMilliseconds, timeoutMilliseconds } = wait.plan;
	const now = time.now();
	const waits = waitsOf(session.earlier ?? []);
	const isSame = (each: StoredWait) =>
		each.workflowId === workflowId && each.executionId === executionId;
	const before: StoredWait = waits.find(isSame) ?? {
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
	const seen: StoredWait = {
		...before,
		status: statusOf(watched) ?? before.status,
		checks: before.checks + watched.checks,
		endedAt: isUnread ? before.endedAt : undefined,
		refusedSince: isRefused(watched) ? (before.refusedSince ?? time.now()) : undefined,
		isUnread,
	};
	sayHeld(session.context.logger, seen, before.status);
	const isOpen = watched.end === 'timeout' && time.now() < before.until;
	if (isOpen && session.obstacle === undefined) return { ok: true, items: [], wait: seen };
	const endedAt = before.endedAt ?? time.now();
	const result = await resultOfWait(session, job, watched, { ...seen, endedAt });
	return result.ok ? { ...result, wait: { ...seen, endedAt } } : result;
}

function statusOf(watched: Watched): string | undefined {
	return watched.end === 'finished' ? watched.execution.status : watched.last?.status;
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
	const { now } = time;
	return watchExecution({ send, pause, now, workflowId, executionId, isFresh, isBatch, ...how });
}
