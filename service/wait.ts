/**
 * The rule of waiting: what the reply to a check means for a wait. The node uses it while it runs (`watch`) and after a
 * pause (nodes/DocumentWorkflow/pausing/awaited.ts).
 */
import type { Execution, StartedExecution } from './contract';
import { isRecord } from './json';
import { type Found, getExecution, type Refusal } from './executions';
import type { Pause, Reply, Send } from './http';
import { isSuccess, KINDS, NOT_SENT_IN_TIME, retryAfterOf, TOO_LARGE } from './http';
import { timeOfFirstCheck, timeOfNextCheck } from './polling';
import { isPassing, retry } from './retry';
import { isHeld } from './status';

/** A wait for an execution, as it is stored with a pause. Times are in milliseconds since 1970. */
export interface Wait extends Omit<StartedExecution, 'status'> {
	/** What shows that the execution exists: a check, or the answer to its create. Missing when only its ID was entered. */
	known?: 'found' | 'created' | undefined;
	/** The status last seen; missing when none was. */
	status?: string | undefined;
	since: number;
	until: number;
	longestMilliseconds: number;
	checks: number;
	/** Whether an execution that waits for a person ends it. */
	endsWhenHeld?: boolean;
	/** Since when the replies are doubtful: rejections, or answers that cannot be read. */
	doubtedSince?: number | undefined;
	/** The next check is not sent before. */
	notBefore?: number | undefined;
	/** When the execution was seen to have ended, or was given up. Missing while it has to be checked. */
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

const MINUTE = 60_000;

/** A service that is being changed, or a gateway before it, may be wrong for a while about what it knows. */
const HALF_HOUR = 30 * MINUTE;

/**
 * How long failed checks in a row are tolerated, in milliseconds, counted from the first that is doubtful: of an execution
 * that a check has found, of one that this run has created, and of one whose ID was entered. The first row that fits
 * counts. A row without a number for an execution does not fit it.
 */
const TOLERANCES: Array<{
	is: (reply: Reply) => boolean;
	found: number;
	created: number;
	entered?: number;
}> = [
	// Network, 408, 429, 5xx, a token endpoint that is busy: these pass by themselves, and may last for hours.
	{ is: isPassing, found: Infinity, created: Infinity, entered: Infinity },
	// A success that cannot be read. It may be a page for maintenance. If it stays, nobody would learn of it for a day.
	{ is: isSuccess, found: HALF_HOUR, created: HALF_HOUR, entered: HALF_HOUR },
	// Not from the service: the page of a gateway, a host or a token endpoint that is not reached. The settings worked before.
	{ is: isNotOfService, found: Infinity, created: Infinity },
	// A new execution may not be found at once. One that stays unknown has a wrong ID, which the user should learn soon.
	{ is: isNotFound, found: HALF_HOUR, created: 30_000, entered: 10_000 },
	// Rejections. The settings and IDs worked before, or never did.
	{ is: () => true, found: HALF_HOUR, created: HALF_HOUR, entered: 0 },
];

function isNotFound(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status === 404;
}

function isNotOfService(reply: Reply): boolean {
	if (reply.kind === 'answer') return !isRecord(reply.body);
	if (reply.kind === 'noAnswer') return reply.code !== TOO_LARGE;
	return reply.endpoint === 'silent' || reply.endpoint === 'late';
}

function toleranceFor({ reply, isAboutAnother }: Refusal, known: Wait['known']): number {
	// Its data may belong to another case.
	if (isAboutAnother === true) return 0;
	const numbers = TOLERANCES.filter(({ is }) => is(reply)).map((row) => row[known ?? 'entered']);
	return numbers.find((each) => each !== undefined) ?? 0;
}

/** Judges the reply to a check that was sent at one time and answered at another. */
export function judgeReply(before: Wait, found: Found, sentAt: number, now: number): Progress {
	const isSent = found.ok || found.refusal.reply !== NOT_SENT_IN_TIME;
	const checks = before.checks + (isSent ? 1 : 0);
	const { endedAt = now } = before;
	// The last check is sent at the time limit: the clock may have jumped there since the one before.
	const kind = (isSent ? sentAt : now) >= before.until ? 'over' : 'again';
	if (found.ok) {
		const { execution } = found;
		const { status, phase } = execution;
		const hasEnded = phase !== 'running' || (before.endsWhenHeld === true && isHeld(status));
		const seen = { known: 'found', status, checks } as const;
		const open = { doubtedSince: undefined, notBefore: undefined, endedAt: undefined };
		const check: Check = hasEnded ? { kind: 'finished', execution } : { kind };
		return { wait: { ...before, ...seen, ...open, ...(hasEnded && { endedAt }) }, check };
	}
	const { refusal } = found;
	const tolerance = toleranceFor(refusal, before.known);
	const { doubtedSince = tolerance === Infinity ? undefined : now } = before;
	const isLost = now - (doubtedSince ?? now) >= tolerance;
	const asked = retryAfterOf(refusal.reply, now);
	const wait = {
		...before,
		checks,
		doubtedSince,
		notBefore: asked === undefined ? undefined : now + asked,
		endedAt: isLost ? endedAt : undefined,
	};
	return { wait, check: { kind: isLost ? 'lost' : kind, refusal } };
}

/** How an execution is checked while the node runs. */
interface WatchSetup {
	send: Send;
	pause: Pause;
	now: () => number;
	firstMilliseconds: number;
	/** When n8n pauses. */
	pauseAt: number;
	isBatch: boolean;
	tell?: (before: Wait, progress: Progress) => void;
	/** From 0 to 1. */
	random?: () => number;
}

/** The last check may end this much after its time, which includes its time in the queue. */
const LAST_CHECK_MILLISECONDS = 5_000;

/** Checks an execution until its wait ends or n8n pauses. The last check is at that time. */
export async function watch(watching: WatchSetup, begun: Wait): Promise<Progress> {
	const { send, pause, now, pauseAt, tell, random = Math.random } = watching;
	const { workflowId, executionId } = begun;
	if (now() >= pauseAt) return { wait: begun, check: { kind: 'again' } };
	const until = Math.min(begun.until, pauseAt);
	const { firstMilliseconds, isBatch } = watching;
	const scheduleOf = (wait: Wait) => ({ ...wait, until, firstMilliseconds, isBatch });
	let wait = begun;
	const checkOnce = async () => {
		const sentAt = now();
		// No check lasts a minute longer than the wait, so the clock has jumped, and there is one more check.
		const last = sentAt > until + MINUTE ? sentAt : until;
		const left = Math.max(until - sentAt, LAST_CHECK_MILLISECONDS);
		const found = await getExecution(send, workflowId, executionId, {
			notAfter: last + LAST_CHECK_MILLISECONDS,
			timeoutMilliseconds: Math.min(KINDS.check.timeoutMilliseconds, left),
		});
		const progress = judgeReply(wait, found, sentAt, now());
		tell?.(wait, progress);
		({ wait } = progress);
		return { ...progress, sentAt };
	};
	await pause(timeOfFirstCheck(scheduleOf(wait), random()) - now());
	return retry(
		checkOnce,
		({ check, sentAt }) => {
			if (check.kind !== 'again' || sentAt >= pauseAt) return undefined;
			if (check.refusal?.reply === NOT_SENT_IN_TIME) return undefined;
			const at = now();
			return timeOfNextCheck(scheduleOf(wait), at, random()) - at;
		},
		pause,
	);
}
