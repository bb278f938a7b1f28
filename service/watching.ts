import type { Execution } from './contract';
import type { Refusal } from './executions';
import { getExecution } from './executions';
import type { Pause, Send } from './http';
import { isSuccess } from './http';
import type { PollingPlan } from './polling';
import { delayBeforeLook } from './polling';
import { isPassing, retryAfterOf } from './retry';

export type Watched =
	/** The execution came to its end, well or badly. */
	| { end: 'finished'; execution: Execution }
	/** Time is over; `last` is what the last readable look showed. */
	| { end: 'timeout'; last: Execution | undefined; lastRefusal: Refusal | undefined }
	/** Looking again would not help. */
	| { end: 'lost'; refusal: Refusal };

interface Watch {
	send: Send;
	pause: Pause;
	now: () => number;
	plan: PollingPlan;
	workflowId: string;
	executionId: string;
	/** Whether the execution was created just now, so that address, token and ids are known to be right. */
	isFresh: boolean;
}

/** How long an execution may be unknown to the service before that counts (assumed). */
const GRACE_MILLISECONDS = { fresh: 30_000, other: 10_000 };

/**
 * Looks at an execution until it has ended. A look that does not succeed is not the execution's end: whatever may pass
 * (network, 429, 5xx, an answer that is cut off) is looked at again until the time is over.
 */
export async function watchExecution(watch: Watch): Promise<Watched> {
	const { send, pause, now, plan, workflowId, executionId, isFresh } = watch;
	const start = now();
	const grace = isFresh ? GRACE_MILLISECONDS.fresh : GRACE_MILLISECONDS.other;
	let last: Execution | undefined;
	let lastRefusal: Refusal | undefined;
	let askedByService = 0;
	for (;;) {
		const delay = delayBeforeLook(plan, now() - start, askedByService);
		if (delay <= 0) return { end: 'timeout', last, lastRefusal };
		await pause(delay);
		const look = await getExecution(send, workflowId, executionId);
		if (look.ok) {
			last = look.execution;
			if (last.phase !== 'running') return { end: 'finished', execution: last };
			askedByService = 0;
			continue;
		}
		lastRefusal = look.refusal;
		const waited = now() - start;
		if (!mayPass(look.refusal, { waited, grace, isProven: isFresh || last !== undefined })) return { end: 'lost', refusal: look.refusal };
		askedByService = retryAfterOf(look.refusal.reply, now()) ?? 0;
	}
}

/** `isProven`: the service was reached before, so that silence is a fault of the moment and not of a setting. */
function mayPass({ reply }: Refusal, { waited, grace, isProven }: { waited: number; grace: number; isProven: boolean }): boolean {
	if (reply.kind === 'answer' && reply.status === 404) return waited < grace;
	const isSilent = reply.kind === 'noAnswer' || (reply.kind === 'noToken' && reply.unreachable);
	return isSuccess(reply) || isPassing(reply) || (isSilent && isProven);
}
