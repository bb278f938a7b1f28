import type { Execution, JsonRecord, StartedExecution } from './contract';
import { executionPath, executionsPath } from './contract';
import type { Subject, Words } from './errors';
import { wordsFor, wordsForUnreadable } from './errors';
import type { FormDataShaped, Pause, Reply, Send, ServiceRequest, Time } from './http';
import { isSuccess } from './http';
import { readExecution, readStarted } from './reading';
import { delayBeforeSendingAgain, isRefused } from './retry';

/** Silence after which a create is given up: the service may read all documents before it answers (assumed). */
const CREATE_TIMEOUT_MILLISECONDS = 5 * 60_000;
export const GET_TIMEOUT_MILLISECONDS = 60_000;

/** A call that did not give what was asked for. */
export interface Refusal {
	words: Words;
	reply: Reply;
}

/**
 * What is known of a create over all the times it was sent. `unknown`: some of them may have started an execution, and no answer named
 * it. `mayBeMore`: how many of the times before the accepted one may have started another execution.
 */
export type Created =
	| { outcome: 'accepted'; execution: StartedExecution; mayBeMore: number }
	| { outcome: 'refused' | 'unknown'; refusal: Refusal };

export type Found = { ok: true; execution: Execution } | { ok: false; refusal: Refusal };

/** A create, ready to be sent. */
export interface CreateRequest {
	workflowId: string;
	body: JsonRecord | FormDataShaped;
	/** Whether an earlier try may have started an execution of it. */
	isUnknown: boolean;
	/** Whether to send again although the outcome is not known: that may start a second execution. */
	sendAgainIfUnknown: boolean;
}

/** Starts an execution (specification: path; published: body and answer), and sends again what may be sent again. */
export async function createExecution(
	send: Send,
	{ pause, now }: { pause: Pause; now: Time['now'] },
	{ workflowId, body, isUnknown, sendAgainIfUnknown }: CreateRequest,
): Promise<Created> {
	const request: ServiceRequest = {
		method: 'POST',
		path: executionsPath(workflowId),
		body,
		timeoutMilliseconds: CREATE_TIMEOUT_MILLISECONDS,
	};
	let mayBeMore = isUnknown ? 1 : 0;
	for (let tries = 1; ; tries++) {
		const reply = await send(request);
		const execution = isSuccess(reply) ? readStarted(reply.body, workflowId) : undefined;
		if (execution !== undefined) return { outcome: 'accepted', execution, mayBeMore };
		if (!isRefused(reply)) mayBeMore++;
		const delay = delayBeforeSendingAgain(reply, {
			tries,
			evenIfUnknown: sendAgainIfUnknown,
			now: now(),
		});
		if (delay === undefined)
			return {
				outcome: mayBeMore > 0 ? 'unknown' : 'refused',
				refusal: refusalOf(reply, { workflowId, executionId: '' }, 'identifier of the execution'),
			};
		await pause(delay);
	}
}

/** `expected`: what a success lacks. */
function refusalOf(reply: Reply, subject: Subject, expected: string): Refusal {
	const words = isSuccess(reply)
		? wordsForUnreadable(reply.body, expected)
		: wordsFor(reply, subject);
	return { words, reply };
}

/** How long a check may take, where that is limited. */
export interface CheckLimits {
	/** When it must have left, and been answered: it may have to wait for others before it leaves. */
	notAfter?: number;
	timeoutMilliseconds?: number;
}

/** Checks an execution once (specification: path; published: answer). */
export async function getExecution(
	send: Send,
	workflowId: string,
	executionId: string,
	limits: CheckLimits = {},
): Promise<Found> {
	const subject = { workflowId, executionId };
	const reply = await send({
		method: 'GET',
		path: executionPath(workflowId, executionId),
		timeoutMilliseconds: GET_TIMEOUT_MILLISECONDS,
		...limits,
	});
	const execution = isSuccess(reply) ? readExecution(reply.body, subject) : undefined;
	return execution === undefined
		? { ok: false, refusal: refusalOf(reply, subject, 'status') }
		: { ok: true, execution };
}
