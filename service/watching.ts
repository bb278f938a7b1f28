import { type Execution, isRecord } from './contract';
import { type CheckLimits, getExecution, type Refusal } from './executions';
import type { Pause, Send } from './http';
import {
	isSuccess,
	KINDS,
	MAX_RETRY_AFTER_MILLISECONDS,
	NOT_SENT_IN_TIME,
	retryAfterOf,
	TOO_LARGE,
} from './http';
import { type PollingPlan, timeOfFirstCheck, timeOfNextCheck } from './polling';
import { isPassing } from './retry';

export type Watched = { watchedMilliseconds: number; checks: number } &
	/** The execution has completed or failed. */
	(
		| { end: 'finished'; execution: Execution }
		/** The time is over, or it runs and `lastAnswer` was given. `last`: from the last successful check. */
		| { end: 'timeout'; last: Execution | undefined; lastRefusal: Refusal | undefined }
		/** Another check would not help. */
		| { end: 'lost'; last: Execution | undefined; refusal: Refusal }
	);

/**
 * When the service last answered one of many watches. Their time limits count from there, so that a check may wait as
 * long as others are answered. Times are in milliseconds since 1970.
 */
export class LastAnswer {
	private answeredAt = 0;

	/** The service asked for a pause until then. */
	private askedUntil = 0;

	answered(now: number): void {
		this.answeredAt = now;
	}

	/** A refusal that may pass is no answer, but may ask for a pause. */
	refused({ reply }: Refusal, now: number): void {
		const asked = retryAfterOf(reply, now) ?? 0;
		if (asked > 0 && asked <= MAX_RETRY_AFTER_MILLISECONDS)
			this.askedUntil = Math.max(this.askedUntil, now + asked);
	}

	/** Since when there is no answer. A pause that the service asked for does not count, up to the longest allowed. */
	silentSince(start: number): number {
		const since = Math.max(start, this.answeredAt);
		return Math.max(since, Math.min(this.askedUntil, since + MAX_RETRY_AFTER_MILLISECONDS));
	}
}

interface Watch {
	send: Send;
	pause: Pause;
	now: () => number;
	plan: PollingPlan;
	workflowId: string;
	executionId: string;
	/** Whether the execution was created just now: address, token and IDs are known to be right. */
	isFresh: boolean;
	/** Whether the run waits for several items. */
	isBatch?: boolean;
	/** The execution was found before this watch, and may be refused since then (milliseconds since 1970). */
	before?: { refusedSince?: number | undefined };
	/** With it, the first check is at once, the first that succeeds ends the watch, and the timeout counts from it. */
	lastAnswer?: LastAnswer;
	/** From 0 to 1. */
	random?: () => number;
}

/** The last check may end this much after the timeout. */
const LAST_CHECK_MILLISECONDS = 5_000;

/** How long an execution that was found before may be refused: a service that is being changed refuses what it knows. */
export const OUTAGE_MILLISECONDS = 30 * 60_000;

/**
 * How long 404 is tolerated for an execution that was never found, counted from the first 404. Counted from the start
 * if it was not created just now.
 */
const GRACE_MILLISECONDS = { fresh: 30_000, other: 10_000 };

/**
 * Checks an execution until it has ended. The wait survives failed checks whose cause may be temporary (network, 429,
 * 5xx, a truncated answer). The last check is at the timeout.
 */
export async function watchExecution(watch: Watch): Promise<Watched> {
	const { send, pause, now, plan, workflowId, executionId } = watch;
	const { isFresh, isBatch = false, before, lastAnswer, random = Math.random } = watch;
	const start = now();
	const waited = () => now() - start;
	const end = () => (lastAnswer?.silentSince(start) ?? start) + plan.timeoutMilliseconds;
	let last: Execution | undefined;
	let lastRefusal: Refusal | undefined;
	/** From then on a refusal ends the wait. */
	let graceEnd = (before?.refusedSince ?? Infinity) + OUTAGE_MILLISECONDS - start;
	let next = lastAnswer !== undefined ? 0 : timeOfFirstCheck(plan, random());
	for (let checks = 1; ; checks++) {
		await pause(Math.max(0, next - waited()));
		const isLastCheck = now() >= end();
		const found = await getExecution(send, workflowId, executionId, limitsOf(end, now()));
		const at = waited();
		const tally = { watchedMilliseconds: at, checks };
		let notBefore = 0;
		let dueBy = Infinity;
		if (found.ok) {
			lastAnswer?.answered(now());
			last = found.execution;
			if (last.phase !== 'running') return { ...tally, end: 'finished', execution: last };
			if (lastAnswer !== undefined) return { ...tally, end: 'timeout', last, lastRefusal };
			graceEnd = Infinity;
		} else {
			const { refusal } = found;
			const { reply } = refusal;
			if (reply === NOT_SENT_IN_TIME) {
				lastRefusal ??= refusal;
				return { ...tally, checks: checks - 1, end: 'timeout', last, lastRefusal };
			}
			lastRefusal = refusal;
			const wasFound = before !== undefined || last !== undefined;
			const wasReached = isFresh || wasFound;
			if (!mayPass(refusal, wasReached)) {
				const grace = graceFor(refusal, { isFresh, wasFound });
				if (grace === 0 || at >= graceEnd) {
					lastAnswer?.answered(now());
					return { ...tally, end: 'lost', last, refusal };
				}
				graceEnd = Math.min(graceEnd, (wasReached ? at : 0) + grace);
				// Check at the end of the grace, so that a missing execution is reported then.
				dueBy = graceEnd;
			}
			lastAnswer?.refused(refusal, now());
			notBefore = at + (retryAfterOf(reply, now()) ?? 0);
		}
		if (isLastCheck && now() >= end()) return { ...tally, end: 'timeout', last, lastRefusal };
		const untilEnd = { ...plan, timeoutMilliseconds: end() - start };
		next = timeOfNextCheck(untilEnd, { at, isBatch, notBefore, dueBy, random: random() });
	}
}

/** A check ends with the wait. The last one gets a few seconds more, which include the time in its queue. */
function limitsOf(end: () => number, now: number): CheckLimits {
	return {
		notAfter: () => end() + LAST_CHECK_MILLISECONDS,
		timeoutMilliseconds: Math.min(
			KINDS.check.timeoutMilliseconds,
			Math.max(end() - now, LAST_CHECK_MILLISECONDS),
		),
	};
}

/** How long a refusal is tolerated, in milliseconds. */
function graceFor(
	{ reply, isAboutAnother }: Refusal,
	{ isFresh, wasFound }: { isFresh: boolean; wasFound: boolean },
): number {
	if (isAboutAnother === true) return 0;
	if (wasFound) return OUTAGE_MILLISECONDS;
	const isNotFound = reply.kind === 'answer' && reply.status === 404;
	if (!isNotFound) return 0;
	return isFresh ? GRACE_MILLISECONDS.fresh : GRACE_MILLISECONDS.other;
}

/** Whether another check may help. `wasReached`: the service answered before, so no setting causes what comes now. */
export function mayPass({ reply, isAboutAnother }: Refusal, wasReached: boolean): boolean {
	if (isAboutAnother === true) return false;
	const isNotOfService =
		reply.kind === 'answer'
			? !isRecord(reply.body)
			: reply.kind === 'noAnswer'
				? reply.code !== TOO_LARGE
				: reply.endpoint === 'silent' || reply.endpoint === 'late';
	return isSuccess(reply) || isPassing(reply) || (isNotOfService && wasReached);
}
