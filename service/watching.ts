import type { Execution } from './contract';
import type { CheckLimits, Refusal } from './executions';
import { GET_TIMEOUT_MILLISECONDS, getExecution } from './executions';
import type { Pause, Reply, Send } from './http';
import { isSuccess, TOO_LARGE } from './http';
import { NOT_SENT_IN_TIME } from './pace';
import type { PollingPlan } from './polling';
import { timeOfFirstCheck, timeOfNextCheck } from './polling';
import { isPassing, retryAfterOf } from './retry';

export type Watched = { watchedMilliseconds: number; checks: number } &
	/** The execution has completed or failed. */
	(
		| { end: 'finished'; execution: Execution }
		/** The time is over, or it runs and `untilFirstSuccess` was set. `last`: from the last successful check. */
		| { end: 'timeout'; last: Execution | undefined; lastRefusal: Refusal | undefined }
		/** Another check would not help. */
		| { end: 'lost'; last: Execution | undefined; refusal: Refusal }
	);

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
	/** Checks at once, and again only until a check succeeds, even if the execution is running. */
	untilFirstSuccess?: boolean;
	/** From 0 to 1. */
	random?: () => number;
}

/** The last check may end this much after the timeout. */
const LAST_CHECK_MILLISECONDS = 5_000;

/**
 * How long 404 is tolerated (assumed), counted from the first 404 after a successful check. Counted from the start for an execution
 * that was neither created just now nor ever found.
 */
const GRACE_MILLISECONDS = { fresh: 30_000, other: 10_000 };

/**
 * Checks an execution until it has ended. The wait survives failed checks whose cause may be temporary (network, 429, 5xx, a
 * truncated answer). The last check is at the timeout.
 */
export async function watchExecution(watch: Watch): Promise<Watched> {
	const { send, pause, now, plan, workflowId, executionId } = watch;
	const { isFresh, isBatch = false, untilFirstSuccess = false, random = Math.random } = watch;
	const start = now();
	const waited = () => now() - start;
	let last: Execution | undefined;
	let lastRefusal: Refusal | undefined;
	/** From then on a 404 ends the wait. */
	let graceEnd = Infinity;
	let next = untilFirstSuccess ? 0 : timeOfFirstCheck(plan, random());
	for (let checks = 1; ; checks++) {
		await pause(Math.max(0, next - waited()));
		const isLastCheck = waited() >= plan.timeoutMilliseconds;
		const found = await getExecution(
			send,
			workflowId,
			executionId,
			limitsOf(plan, start, waited()),
		);
		const at = waited();
		const tally = { watchedMilliseconds: at, checks };
		let notBefore = 0;
		let dueBy = Infinity;
		if (found.ok) {
			last = found.execution;
			if (last.phase !== 'running') return { ...tally, end: 'finished', execution: last };
			if (untilFirstSuccess) return { ...tally, end: 'timeout', last, lastRefusal };
			graceEnd = Infinity;
		} else {
			const { refusal } = found;
			const { reply } = refusal;
			if (reply === NOT_SENT_IN_TIME)
				return { ...tally, checks: checks - 1, end: 'timeout', last, lastRefusal };
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
		if (isLastCheck) return { ...tally, end: 'timeout', last, lastRefusal };
		next = timeOfNextCheck(plan, { at, isBatch, notBefore, dueBy, random: random() });
	}
}

/** A check ends with the wait. The last one gets a few seconds more, which include waiting for its turn. */
function limitsOf(plan: PollingPlan, start: number, waited: number): CheckLimits {
	const left = plan.timeoutMilliseconds - waited;
	return {
		notAfter: start + plan.timeoutMilliseconds + LAST_CHECK_MILLISECONDS,
		timeoutMilliseconds: Math.min(
			GET_TIMEOUT_MILLISECONDS,
			Math.max(left, LAST_CHECK_MILLISECONDS),
		),
	};
}

/** Whether another check may help. `wasReached`: the service answered before, so silence is temporary and not caused by a setting. */
export function mayPass({ reply, isAboutAnother }: Refusal, wasReached: boolean): boolean {
	if (isAboutAnother === true) return false;
	const isSilent =
		(reply.kind === 'noAnswer' && reply.code !== TOO_LARGE) ||
		(reply.kind === 'noToken' && reply.unreachable);
	return isSuccess(reply) || isPassing(reply) || (isSilent && wasReached);
}

export function isNotFound(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status === 404;
}
