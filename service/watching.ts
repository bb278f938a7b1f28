import type { Execution } from './contract';
import type { Refusal } from './executions';
import { getExecution } from './executions';
import type { Pause, Send } from './http';
import { isSuccess } from './http';
import type { PollingPlan } from './polling';
import { delayBeforeLook } from './polling';
import { isPassing, retryAfterOf } from './retry';

/** How long an execution that was just created may be unknown to the service before that counts (assumed). */
const GRACE_MILLISECONDS = 30_000;

export type Watched =
	/** The execution came to its end, well or badly. */
	| { end: 'finished'; execution: Execution }
	/** Time is over; `last` is what the last readable look showed. */
	| { end: 'timeout'; last: Execution | undefined; lastRefusal: Refusal | undefined }
	/** Looking again would not help. */
	| { end: 'lost'; refusal: Refusal };

export interface Watch {
	send: Send;
	pause: Pause;
	now: () => number;
	plan: PollingPlan;
	workflowId: string;
	executionId: string;
}

/**
 * Looks at an execution until it has ended. A look that does not succeed is not the execution's end: whatever may pass
 * (network, 429, 5xx, an answer that is cut off) is looked at again until the time is over.
 */
export async function watchExecution(watch: Watch): Promise<Watched> {
	const { send, pause, now, plan, workflowId, executionId } = watch;
	const start = now();
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
		if (!mayPass(look.refusal, now() - start)) return { end: 'lost', refusal: look.refusal };
		askedByService = retryAfterOf(look.refusal.reply, now()) ?? 0;
	}
}

function mayPass({ reply }: Refusal, waited: number): boolean {
	if (reply.kind === 'answer' && reply.status === 404) return waited < GRACE_MILLISECONDS;
	return isSuccess(reply) || isPassing(reply);
}
