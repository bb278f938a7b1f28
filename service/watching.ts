import type { Execution } from './contract';
import type { Refusal } from './executions';
import type { LookLimits } from './executions';
import { GET_TIMEOUT_MILLISECONDS, getExecution } from './executions';
import type { Pause, Reply, Send } from './http';
import { isSuccess } from './http';
import { History } from './lifeTable';
import type { Known, PollingPlan } from './polling';
import { delayBeforeLook } from './polling';
import { NOT_SENT_IN_TIME } from './pace';
import { isPassing, retryAfterOf } from './retry';

export type Watched = { watchedMilliseconds: number; looks: number } &
	/** The execution came to its end, well or badly. */
	(
		| { end: 'finished'; execution: Execution }
		/** Time is over, or it was seen running where that is enough; `last` is what the last readable look showed. */
		| { end: 'timeout'; last: Execution | undefined; lastRefusal: Refusal | undefined }
		/** Looking again would not help; `last` as above. */
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
	/** What the waits of a batch tell each other; without it this wait is alone. */
	history?: History;
	/** Looks at once, and again only as long as no look succeeds: one that shows it running is enough. */
	untilSeen?: boolean;
	/** From 0 to 1. */
	random?: () => number;
}

/** How much longer than planned a wait may take for its last look. */
const LAST_LOOK_MILLISECONDS = 5_000;

/**
 * How long an execution may be unknown to the service before that counts (assumed): from the first look that misses it to another one
 * that does, with none in between that sees it. One that was neither created just now nor ever seen is taken for missing from the start.
 */
const GRACE_MILLISECONDS = { fresh: 30_000, other: 10_000 };

/**
 * How long a wait of a batch sleeps at most before it thinks over when to look, because the others have seen more: so many
 * milliseconds, or this share of the time waited. That sends nothing.
 */
const THINK_AGAIN = { milliseconds: 1_000, share: 0.1 };

/**
 * Looks at an execution until it has ended. A look that does not succeed is not the execution's end: whatever may pass
 * (network, 429, 5xx, an answer that is cut off) is looked at again until the time is over. The last look is at the timeout.
 */
export async function watchExecution(watch: Watch): Promise<Watched> {
	const { send, now, plan, workflowId, executionId, isFresh, random = Math.random } = watch;
	const start = now();
	const waited = () => now() - start;
	const durations = (watch.history ?? new History()).of(workflowId);
	const grace = isFresh ? GRACE_MILLISECONDS.fresh : GRACE_MILLISECONDS.other;
	let known: Omit<Known, 'waited'> = {
		lastLook: undefined,
		notBefore: 0,
		dueBy: Infinity,
		durations,
		random: random(),
	};
	/** From then on a look that misses it ends the wait; the first of such looks sets it. */
	let graceEnd = Infinity;
	let seenRunning = 0;
	let last: Execution | undefined;
	let lastRefusal: Refusal | undefined;
	for (let looks = 1; ; looks++) {
		if (looks > 1 || !watch.untilSeen) await pauseUntilLook(watch, known, waited);
		const isLastLook = waited() >= plan.timeoutMilliseconds;
		const look = await getExecution(send, workflowId, executionId, limitsOf(plan, start, waited()));
		if (!look.ok && look.refusal.reply === NOT_SENT_IN_TIME)
			return { watchedMilliseconds: waited(), looks: looks - 1, end: 'timeout', last, lastRefusal };
		const lastLook = waited();
		const tally = { watchedMilliseconds: lastLook, looks };
		known = { ...known, lastLook, dueBy: Infinity, random: random() };
		if (look.ok) {
			last = look.execution;
			graceEnd = Infinity;
			if (last.phase !== 'running') {
				durations.sawEnded(seenRunning, lastLook);
				return { ...tally, end: 'finished', execution: last };
			}
			durations.sawRunning(seenRunning, lastLook);
			seenRunning = lastLook;
			if (watch.untilSeen) return { ...tally, end: 'timeout', last, lastRefusal };
		} else {
			lastRefusal = look.refusal;
			const { reply } = lastRefusal;
			const isProven = isFresh || last !== undefined;
			const isMissed = isNotFound(reply);
			if (isMissed ? lastLook >= graceEnd : !mayPass(reply, isProven))
				return { ...tally, end: 'lost', last, refusal: lastRefusal };
			known.notBefore = lastLook + (retryAfterOf(reply, now()) ?? 0);
			if (isMissed) {
				graceEnd = Math.min(graceEnd, (isProven ? lastLook : 0) + grace);
				// Whether it is there at all is not to be left open for longer than that.
				known.dueBy = graceEnd;
			}
		}
		if (isLastLook) return { ...tally, end: 'timeout', last, lastRefusal };
	}
}

/** A look takes no longer than the wait itself has left, but for the last one, which has a few seconds; whatever leaves late has what is left of them. */
function limitsOf(plan: PollingPlan, start: number, waited: number): LookLimits {
	const left = plan.timeoutMilliseconds - waited;
	return {
		notAfter: start + plan.timeoutMilliseconds + LAST_LOOK_MILLISECONDS,
		timeoutMilliseconds: Math.min(GET_TIMEOUT_MILLISECONDS, Math.max(left, LAST_LOOK_MILLISECONDS)),
	};
}

async function pauseUntilLook(
	{ pause, history, plan }: Watch,
	known: Omit<Known, 'waited'>,
	waited: () => number,
): Promise<void> {
	for (;;) {
		const time = waited();
		const delay = delayBeforeLook(plan, { ...known, waited: time });
		if (delay === 0) return;
		const nap =
			history === undefined ? delay : Math.max(THINK_AGAIN.milliseconds, THINK_AGAIN.share * time);
		await pause(Math.min(delay, nap));
	}
}

/** `isProven`: the service was reached before, so that silence is a fault of the moment and not of a setting. */
function mayPass(reply: Reply, isProven: boolean): boolean {
	const isSilent = reply.kind === 'noAnswer' || (reply.kind === 'noToken' && reply.unreachable);
	return isSuccess(reply) || isPassing(reply) || (isSilent && isProven);
}

function isNotFound(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status === 404;
}
