import type { Execution } from './contract';
import { isRecord } from './contract';
import type { CheckLimits, Found, Refusal } from './executions';
import { getExecution } from './executions';
import type { Pause, Reply, Send } from './http';
import { isSuccess, KINDS, NOT_SENT_IN_TIME, TOO_LARGE } from './http';
import type { PollingPlan } from './polling';
import { timeOfFirstCheck, timeOfNextCheck } from './polling';
import { isPassing, MAX_RETRY_AFTER_MILLISECONDS, pauseAskedFor, retryAfterOf } from './retry';

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

	/** A refusal that may pass is no answer. */
	record(found: Found, now: number): void {
		if (found.ok || isNotFound(found.refusal.reply) || !mayPass(found.refusal, true)) {
			this.answeredAt = now;
			return;
		}
		const asked = pauseAskedFor(found.refusal.reply, now) ?? 0;
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
	/** With it, the first check is at once, the first that succeeds ends the watch, and the timeout counts from it. */
	lastAnswer?: LastAnswer;
	/** From 0 to 1. */
	random?: () => number;
}

/** The last check may end this much after the timeout. */
const LAST_CHECK_MILLISECONDS = 5_000;

/**
 * How long 404 is tolerated, counted from the first 404 after a successful check. Counted from the start for an
 * execution that was neither created just now nor ever found.
 */
const GRACE_MILLISECONDS = { fresh: 30_000, other: 10_000 };

/**
 * Checks an execution until it has ended. The wait survives failed checks whose cause may be temporary (network, 429,
 * 5xx, a truncated answer). The last check is at the timeout.
 */
export async function watchExecution(watch: Watch): Promise<Watched> {
	const { send, pause, now, plan, workflowId, executionId } = watch;
	const { isFresh, isBatch = false, lastAnswer, random = Math.random } = watch;
	const start = now();
	const waited = () => now() - start;
	const end = () => (lastAnswer?.silentSince(start) ?? start) + plan.timeoutMilliseconds;
	let last: Execution | undefined;
	let lastRefusal: Refusal | undefined;
	/** From then on a 404 ends the wait. */
	let graceEnd = Infinity;
	let next = lastAnswer !== undefined ? 0 : timeOfFirstCheck(plan, random());
	for (let checks = 1; ; checks++) {
		await pause(Math.max(0, next - waited()));
		const isLastCheck = now() >= end();
		const found = await getExecution(send, workflowId, executionId, limitsOf(end, now()));
		lastAnswer?.record(found, now());
		const at = waited();
		const tally = { watchedMilliseconds: at, checks };
		let notBefore = 0;
		let dueBy = Infinity;
		if (found.ok) {
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
			const wasReached = isFresh || last !== undefined;
			if (isNotFound(reply)) {
				if (at >= graceEnd) return { ...tally, end: 'lost', last, refusal };
				const grace = isFresh ? GRACE_MILLISECONDS.fresh : GRACE_MILLISECONDS.other;
				graceEnd = Math.min(graceEnd, (wasReached ? at : 0) + grace);
				// Check at the end of the grace, so that a missing execution is reported then.
				dueBy = graceEnd;
			} else if (!mayPass(refusal, wasReached)) {
				return { ...tally, end: 'lost', last, refusal };
			}
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

/** Whether another check may help. `wasReached`: the service answered before, so no setting causes the silence, or a page of another server. */
export function mayPass({ reply, isAboutAnother }: Refusal, wasReached: boolean): boolean {
	if (isAboutAnother === true) return false;
	const isSilent =
		(reply.kind === 'noAnswer' && reply.code !== TOO_LARGE) ||
		(reply.kind === 'noToken' && reply.unreachable);
	const isPage = reply.kind === 'answer' && !isRecord(reply.body);
	return isSuccess(reply) || isPassing(reply) || ((isSilent || isPage) && wasReached);
}

function isNotFound(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status === 404;
}
