import type { Execution, JsonRecord, StartedExecution } from './contract';
import { executionPath, executionsPath, readExecution, readStarted } from './contract';
import type { Words } from './errors';
import { wordsFor, wordsForUnreadable } from './errors';
import type { FormDataShaped, Pause, Reply, Send } from './http';
import { isSuccess } from './http';
import type { Outcome } from './retry';
import { delayBeforeRepeating, outcomeOf } from './retry';

/** Silence after which a create is given up: the service may read all documents before it answers (assumed). */
const CREATE_TIMEOUT_MILLISECONDS = 5 * 60_000;
const GET_TIMEOUT_MILLISECONDS = 60_000;

/** A call that did not give what was asked for. */
export interface Refusal {
	words: Words;
	reply: Reply;
	/** Of a create: whether an execution may have been started all the same. */
	outcome: Outcome;
}

export type Created = { ok: true; execution: StartedExecution } | { ok: false; refusal: Refusal };
export type Found = { ok: true; execution: Execution } | { ok: false; refusal: Refusal };

/**
 * Starts an execution (specification: path; published: body and answer). What was provably not accepted is sent again a few
 * times; a create whose outcome is not known never is.
 */
export async function createExecution(
	send: Send,
	pause: Pause,
	workflowId: string,
	body: JsonRecord | FormDataShaped,
): Promise<Created> {
	const subject = { workflowId, executionId: '' };
	for (let tries = 1; ; tries++) {
		const reply = await send({
			method: 'POST',
			path: executionsPath(workflowId),
			body,
			timeoutMilliseconds: CREATE_TIMEOUT_MILLISECONDS,
		});
		if (isSuccess(reply)) {
			const execution = readStarted(reply.body, workflowId);
			if (execution !== undefined) return { ok: true, execution };
			const words = wordsForUnreadable(reply.body, 'identifier of the execution');
			return { ok: false, refusal: { words, reply, outcome: 'unknown' } };
		}
		const delay = delayBeforeRepeating(reply, tries, Date.now());
		if (delay === undefined) {
			return { ok: false, refusal: { words: wordsFor(reply, subject), reply, outcome: outcomeOf(reply) } };
		}
		await pause(delay);
	}
}

/** Looks at an execution once (specification: path; published: answer). */
export async function getExecution(send: Send, workflowId: string, executionId: string): Promise<Found> {
	const subject = { workflowId, executionId };
	const reply = await send({
		method: 'GET',
		path: executionPath(workflowId, executionId),
		timeoutMilliseconds: GET_TIMEOUT_MILLISECONDS,
	});
	if (!isSuccess(reply)) {
		return { ok: false, refusal: { words: wordsFor(reply, subject), reply, outcome: outcomeOf(reply) } };
	}
	const execution = readExecution(reply.body, subject);
	if (execution !== undefined) return { ok: true, execution };
	return { ok: false, refusal: { words: wordsForUnreadable(reply.body, 'status'), reply, outcome: 'unknown' } };
}
