import type { Execution, StartedExecution } from './contract';
import { executionPath, executionsPath } from './contract';
import type { Documents, Subject, Words } from './errors';
import { wordsFor, wordsForAnother, wordsForUnreadable } from './errors';
import type { Pause, Reply, Send, ServiceRequest, Time } from './http';
import { isSuccess } from './http';
import { readExecution, readStarted } from './reading';
import { delayBeforeSendingAgain, isRefused } from './retry';

/** A create is aborted after this silence. It is long because the service may read all documents before it answers (assumed). */
const CREATE_TIMEOUT_MILLISECONDS = 5 * 60_000;
export const GET_TIMEOUT_MILLISECONDS = 60_000;

/** A request that did not return what was requested. */
export interface Refusal {
	words: Words;
	reply: Reply;
	/** Whether the answer is about another execution, so that asking again does not help. */
	isAboutAnother?: boolean;
}

/**
 * The outcome of a create after all its tries. `unknown`: a try may have started an execution, but no answer named it.
 * `possibleDuplicates`: how many tries before the accepted one may have started another execution.
 */
export type Created =
	| { outcome: 'accepted'; execution: StartedExecution; possibleDuplicates: number }
	| { outcome: 'refused' | 'unknown'; refusal: Refusal };

export type Found = { ok: true; execution: Execution } | { ok: false; refusal: Refusal };

/** One create and how to retry it. */
export interface CreateRequest {
	workflowId: string;
	body: NonNullable<ServiceRequest['body']>;
	documents: Documents;
	/** Whether an earlier try, before this call, may have started an execution. */
	isUnknown: boolean;
	/** Whether to retry when the outcome is unknown, which may start a second execution. */
	sendAgainIfUnknown: boolean;
	/** The user's name of the field with the identifier in the answer; empty where it has a usual one. */
	executionIdField: string;
}

/** Starts an execution (specification: path; published: body and answer), with retries. */
export async function createExecution(
	send: Send,
	{ pause, now }: { pause: Pause; now: Time['now'] },
	{ workflowId, body, documents, isUnknown, sendAgainIfUnknown, executionIdField }: CreateRequest,
): Promise<Created> {
	const request: ServiceRequest = {
		method: 'POST',
		path: executionsPath(workflowId),
		body,
		timeoutMilliseconds: CREATE_TIMEOUT_MILLISECONDS,
	};
	let possibleDuplicates = isUnknown ? 1 : 0;
	for (let tries = 1; ; tries++) {
		const reply = await send(request);
		const execution = isSuccess(reply)
			? readStarted(reply.body, workflowId, executionIdField)
			: undefined;
		if (execution !== undefined) return { outcome: 'accepted', execution, possibleDuplicates };
		if (!isRefused(reply)) possibleDuplicates++;
		const delay = delayBeforeSendingAgain(reply, {
			tries,
			evenIfUnknown: sendAgainIfUnknown,
			now: now(),
		});
		if (delay === undefined)
			return {
				outcome: possibleDuplicates > 0 ? 'unknown' : 'refused',
				refusal: refusalOf(
					reply,
					{ workflowId, executionId: '', documents },
					'identifier of the execution',
				),
			};
		await pause(delay);
	}
}

/** `expected`: what is missing when the status was a success. */
function refusalOf(reply: Reply, subject: Subject, expected: string): Refusal {
	const words = isSuccess(reply) ? wordsForUnreadable(reply, expected) : wordsFor(reply, subject);
	return { words, reply };
}

/** Time limits of a check. */
export interface CheckLimits {
	/** When the answer must be there, in milliseconds since 1970. A check may have to wait for others before it is sent. */
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
	const execution = isSuccess(reply)
		? readExecution(reply.body, subject, reply.secrets)
		: undefined;
	if (execution === undefined) return { ok: false, refusal: refusalOf(reply, subject, 'status') };
	return isSameId(workflowId, execution.workflowId) && isSameId(executionId, execution.executionId)
		? { ok: true, execution }
		: {
				ok: false,
				refusal: { words: wordsForAnother(subject, execution), reply, isAboutAnother: true },
			};
}

/** Some services do not distinguish capital letters in IDs. */
function isSameId(asked: string, given: string): boolean {
	return asked.trim().toLowerCase() === given.toLowerCase();
}
