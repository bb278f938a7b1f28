/**
 * The rule of waiting: what the reply to a check means for a wait. The node uses it while it runs (`watch`) and after a
 * pause (nodes/DocumentWorkflow/pausing/awaited.ts).
 */
import type { Execution, ExecutionIds } from './contract';
import { isRecord } from './json';
import { type GetOutcome, getExecution, type Refusal } from './executions';
import type { Pause, Reply, Send } from './http';
import { hasStatus, isSuccess, KINDS, NOT_SENT_IN_TIME, retryAfterOf, TOO_LARGE } from './http';
import { type Schedule, timeOfFirstCheck, timeOfNextCheck } from './polling';
import { effectOf, retry } from './retry';
import { isHeld } from './status';

/** A wait for an execution, as it is stored with a pause. */
export interface Wait extends ExecutionIds, Omit<Schedule, 'isBatch'> {
	/** What shows that the execution exists: a check, or the answer to its create. Missing when only its ID was entered. */
	known?: 'found' | 'created' | undefined;
	/** The status last seen; missing when none was. */
	status?: string | undefined;
	checks: number;
	/** Whether an execution that waits for a person ends it. */
	endsWhenHeld?: boolean;
	/** When a check has ended the wait. Missing while it has to be checked, and where only its time is over (`until`). */
	endedAt?: number | undefined;
	/** The last check took too long for a planned restart of n8n, so the next one may take longer. */
	isSlow?: boolean;
}

export type Check =
	/** The execution has completed or failed, or waits for a person and that ends the wait. */
	| { kind: 'finished'; execution: Execution }
	/** Another check would not help. */
	| { kind: 'lost'; refusal: Refusal }
	/** The time limit has passed, or the execution is checked again. `refusal`: how the last check failed. */
	| { kind: 'over' | 'again'; refusal?: Refusal | undefined };

export interface Progress {
	wait: Wait;
	check: Check;
}

/** A service that is being changed, or a gateway before it, may be wrong for a while about what it knows. */
const HALF_HOUR = 30 * 60_000;

/** How long doubtful checks in a row are tolerated, in milliseconds. A check with Infinity is no doubt, and ends the row. */
function toleranceOf({ reply, isAboutAnother }: Refusal, known: Wait['known']): number {
	// Its data may belong to another case.
	if (isAboutAnother === true) return 0;
	// Network, 408, 429, 5xx, a token endpoint that is busy: these pass by themselves, and may last for hours.
	if (effectOf(reply).mayPass) return Infinity;
	// A success that cannot be read. It may be a page for maintenance. If it stays, nobody would learn of it for a day.
	if (isSuccess(reply)) return HALF_HOUR;
	// Not from the service: the page of a gateway, a host or a token endpoint that is not reached. The settings worked before.
	if (known !== undefined && isNotOfService(reply)) return Infinity;
	// A new execution may not be found at once. One that stays unknown has a wrong ID, which the user should learn soon.
	if (hasStatus(reply, 404) && known !== 'found') return known === 'created' ? 30_000 : 10_000;
	// Rejections. The settings and IDs worked before, or never did.
	return known === undefined ? 0 : HALF_HOUR;
}

function isNotOfService(reply: Reply): boolean {
	if (reply.kind === 'answer') return !isRecord(reply.body);
	if (reply.kind === 'noAnswer') return reply.code !== TOO_LARGE;
	return reply.endpoint === 'silent' || reply.endpoint === 'late';
}

function wasSent(found: GetOutcome): boolean {
	return found.ok || found.refusal.reply !== NOT_SENT_IN_TIME;
}

/** Judges the reply to a check that was sent at one time and answered at another, also to one that reads the result of an ended wait. */
export function judgeReply(before: Wait, found: GetOutcome, sentAt: number, now: number): Progress {
	const { endedAt = now, known, endsWhenHeld } = before;
	// The last check is sent at the time limit: the clock may have jumped there since the one before.
	const [sent, judgedAt] = wasSent(found) ? [1, sentAt] : [0, now];
	const kind = judgedAt >= before.until ? 'over' : 'again';
	const checks = before.checks + sent;
	const wait: Wait = { ...before, checks, notBefore: undefined, endedAt: undefined };
	if (found.ok) {
		const { execution } = found;
		const { status, phase } = execution;
		Object.assign(wait, { known: 'found', status, doubtedSince: undefined });
		const isOpen = phase === 'running' && !(endsWhenHeld === true && isHeld(status));
		if (isOpen) return { wait, check: { kind } };
		return { wait: { ...wait, endedAt }, check: { kind: 'finished', execution } };
	}
	const { refusal } = found;
	const tolerance = toleranceOf(refusal, known);
	const asked = retryAfterOf(refusal.reply, now);
	if (asked !== undefined) wait.notBefore = now + asked;
	// A check that was not sent says nothing.
	if (wasSent(found))
		wait.doubtedSince = tolerance === Infinity ? undefined : (wait.doubtedSince ?? now);
	if (now - (wait.doubtedSince ?? now) < tolerance) return { wait, check: { kind, refusal } };
	return { wait: { ...wait, endedAt }, check: { kind: 'lost', refusal } };
}

/** How an execution is checked while the node runs. */
interface WatchSetup extends Pick<Schedule, 'isBatch'> {
	send: Send;
	pause: Pause;
	now: () => number;
	/** When n8n pauses. */
	pauseAt: number;
	tell?: (before: Wait, progress: Progress) => void;
	/** From 0 to 1. */
	random?: () => number;
}

/** The last check may end this much after its time, which includes its time in the queue. */
const LAST_CHECK_MILLISECONDS = 5_000;

/** Checks an execution until its wait ends or n8n pauses. The last check is at that time. */
export async function watch(setup: WatchSetup, begun: Wait): Promise<Progress> {
	const { send, pause, now, pauseAt, isBatch, random = Math.random } = setup;
	const { timeoutMilliseconds } = KINDS.check;
	let progress: Progress = { wait: begun, check: { kind: 'again' } };
	if (now() >= pauseAt) return progress;
	const until = Math.min(begun.until, pauseAt);
	const schedule = () => ({ ...progress.wait, until, isBatch });
	const checkOnce = async () => {
		const { wait } = progress;
		const sentAt = now();
		// No check lasts so much longer than the wait, so the clock has jumped, and there is one more check.
		const last = sentAt > until + timeoutMilliseconds ? sentAt : until;
		const left = Math.max(until - sentAt, LAST_CHECK_MILLISECONDS);
		const found = await getExecution(send, wait, {
			notAfter: last + LAST_CHECK_MILLISECONDS,
			timeoutMilliseconds: Math.min(timeoutMilliseconds, left),
		});
		progress = judgeReply(wait, found, sentAt, now());
		setup.tell?.(wait, progress);
		return progress.check.kind === 'again' && sentAt < pauseAt && wasSent(found);
	};
	const untilNext = (isOpen: boolean) =>
		isOpen ? timeOfNextCheck(schedule(), now(), random()) - now() : undefined;
	await pause(timeOfFirstCheck(schedule(), random()) - now());
	await retry(checkOnce, untilNext, pause);
	return progress;
}
