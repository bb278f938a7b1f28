/** Waits for executions: while the node runs, and after a pause. The story is at the top of ../pausing/pause.ts. */
import type { Pause } from '../../../service/http';
import { type Check, type Judged, type Wait, watch } from '../../../service/wait';
import { time } from '../connection/time';
import { keyOf, readResult, type StoredWait, tell } from '../pausing/awaited';
import { ENGINE_2 } from '../pausing/obstacle';
import { SHORTEST_PAUSE, type StoredJob, waitsOf } from '../pausing/pause';
import { linkOf } from '../results/items/ids';
import { resultOf } from '../results/items/result';
import type { WaitJob } from './fields/waiting';
import type { Result, Session } from './operation';
import { resultOfHeld, resultOfUnfinished } from './unfinished';

/** Says before anything is sent that n8n would reject a pause. */
export function announceObstacle({ obstacle, keepsRunning }: Session): void {
	if (obstacle === ENGINE_2) keepsRunning();
}

/**
 * Waits for an execution: checks it while the node runs, and then leaves its wait open, so that n8n pauses and runs the node again.
 * Where n8n cannot pause, the node keeps checking up to the time limit.
 */
export async function waitFor(session: Session, job: WaitJob): Promise<Result> {
	const { wait, check } =
		session.earlier === undefined
			? await watchWhileRunning(session, job)
			: await readAfterPause(session, job, session.earlier);
	if (check.kind === 'again') return { ok: true, items: [], wait };
	const ended: StoredWait = { ...wait, endedAt: wait.endedAt ?? time.now() };
	const result =
		check.kind !== 'finished'
			? resultOfUnfinished(session, job, check, ended)
			: check.execution.phase === 'running'
				? resultOfHeld(session, job, ended)
				: await resultOf(session, job.itemIndexes, check.execution, job.result, {
						...linkOf(job.execution),
						...job.beside,
					});
	return result.ok ? { ...result, wait: { ...ended, isUnread: false } } : result;
}

function beginWait({ execution, isFresh, wait: { plan, endsWhenHeld } }: WaitJob): StoredWait {
	const { status, ...ids } = execution;
	const now = time.now();
	return {
		...ids,
		...(isFresh ? { known: 'created', status } : {}),
		since: now,
		until: now + plan.timeoutMilliseconds,
		longestMilliseconds: plan.longestMilliseconds,
		checks: 0,
		...(endsWhenHeld ? { endsWhenHeld } : {}),
	};
}

const UNCHECKED: Check = { kind: 'again', refusal: undefined, notBefore: 0, dueBy: Infinity };

async function watchWhileRunning(session: Session, job: WaitJob): Promise<Judged<StoredWait>> {
	const { context, connection, inputs, obstacle } = session;
	const { plan, whileRunningMilliseconds } = job.wait;
	const wait = beginWait(job);
	// The time counts for the run, so that it pauses soon, however many creates there are.
	const pauseAt = session.startedAt + whileRunningMilliseconds;
	// Do not pause if less than one pause is left.
	const pausesInTime = wait.until > Math.max(pauseAt, time.now()) + SHORTEST_PAUSE;
	const pauses = obstacle === undefined && pausesInTime;
	if (pauses && pauseAt <= time.now()) return { wait, check: UNCHECKED };
	const pause: Pause = async (milliseconds) => {
		await connection.pause(milliseconds);
		if (!pauses && pausesInTime && time.now() > pauseAt) session.keepsRunning();
	};
	const watching = {
		...{ send: connection.send, pause, now: time.now, plan, isBatch: inputs.length > 1 },
		pauseAt: pauses ? pauseAt : Infinity,
		tell: (before: Wait, judged: Judged) => tell(context.logger, before, judged),
	};
	return watch(watching, wait);
}

/** What the check after the pause has shown, or else another check. */
async function readAfterPause(
	{ connection, context, reading }: Session,
	job: WaitJob,
	earlier: StoredJob[],
): Promise<Judged<StoredWait>> {
	const begun = beginWait(job);
	const before = waitsOf(earlier).find((each) => keyOf(each) === keyOf(begun)) ?? begun;
	const shown = reading.shown.get(keyOf(before));
	if (shown !== undefined) return { wait: before, check: shown };
	const judged = await readResult(connection, before, reading);
	tell(context.logger, before, judged);
	return judged;
}
