import type { Execution } from './contract';
import type { CheckLimits, Refusal } from './executions';
import { GET_TIMEOUT_MILLISECONDS, getExecution } from './executions';
import type { Pause, Reply, Send } from './http';
import { isSuccess } from './http';
import { NOT_SENT_IN_TIME } from './pace';
import type { PollingPlan } from './polling';
import { timeOfFirstCheck, timeOfNextCheck } from './polling';
import { isPassing, retryAfterOf } from './retry';

export type Watched = { watchedMilliseconds: number; checks: number } &
	/** The execution came to its end, well or badly. */
	(
		| { end: 'finished'; execution: Execution }
		/** Time is over, or it was seen running where that is enough; `last` is what the last readable check showed. */
		| { end: 'timeout'; last: Execution | undefined; lastRefusal: Refusal | undefined }
		/** Another check would not help; `last` as above. */
		| { end: 'lost'; last: Execution | undefined; refusal: Refusal }
	);

interface Watch {
	send: Send;
	pause: Pause;
	now: () => number;
	plan: PollingPlan;
	workflowId: string;
	executionId: string;
	/** Whether the execution was created just now, so that address, token and ids are known to be right. */
	isFresh: boolean;
	/** Whether the run has several items, which are all waited for. */
	isBatch?: boolean;
	/** Checks at once, and again only as long as no check succeeds: one that shows it running is enough. */
	untilSeen?: boolean;
	/** From 0 to 1. */
	random?: () => number;
}

/** How much longer than planned a wait may take for its last check. */
const LAST_CHECK_MILLISECONDS = 5_000;

/**
 * How long an execution may be unknown to the service before that counts (assumed): from the first check that misses it to another
 * one that does, with none in between that sees it. One that was neither created just now nor ever seen counts as missing from the
 * start.
 */
const GRACE_MILLISECONDS = { fresh: 30_000, other: 10_000 };

/**
 * Checks an execution until it has ended. A check that fails does not end the wait if the cause may pass (network, 429, 5xx, an
 * answer that is cut off). The last check is at the timeout.
 */
export async function watchExecution(watch: Watch): Promise<Watched> {
	const { send, pause, now, plan, workflowId, executionId } = watch;
	const { isFresh, isBatch = false, untilSeen = false, random = Math.random } = watch;
	const start = now();
	const waited = () => now() - start;
	let last: Execution | undefined;
	let lastRefusal: Refusal | undefined;
	/** From then on a check that misses the execution ends the wait. */
	let graceEnd = Infinity;
	let next = untilSeen ? 0 : timeOfFirstCheck(plan, random());
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
			if (untilSeen) return { ...tally, end: 'timeout', last, lastRefusal };
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
				// Whether it exists is not left open for longer than the grace.
				dueBy = graceEnd;
			} else if (!mayPass(reply, wasReached)) {
				return { ...tally, end: 'lost', last, refusal };
			}
			notBefore = at + (retryAfterOf(reply, now()) ?? 0);
		}
		if (isLastCheck) return { ...tally, end: 'timeout', last, lastRefusal };
		next = timeOfNextCheck(plan, { at, isBatch, notBefore, dueBy, random: random() });
	}
}

/** A check takes no longer than the wait has left. The last one has a few seconds, less what it waits for its turn. */
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

/** `wasReached`: the service answered before, so that silence is a fault of the moment and not of a setting. */
function mayPass(reply: Reply, wasReached: boolean): boolean {
	const isSilent = reply.kind === 'noAnswer' || (reply.kind === 'noToken' && reply.unreachable);
	return isSuccess(reply) || isPassing(reply) || (isSilent && wasReached);
}

function isNotFound(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status === 404;
}
