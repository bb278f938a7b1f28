import type { Execution, JsonRecord, StartedExecution } from './contract';
import { executionPath, executionsPath } from './contract';
import type { Words } from './errors';
import { wordsFor, wordsForUnreadable } from './errors';
import type { FormDataShaped, Pause, Reply, Send, Time } from './http';
import { isSuccess } from './http';
import { readExecution, readStarted } from './reading';
import type { Outcome } from './retry';
import { delayBeforeRepeating, delayBeforeRisking, outcomeOf } from './retry';

/** Silence after which a create is given up: the service may read all documents before it answers (assumed). */
const CREATE_TIMEOUT_MILLISECONDS = 5 * 60_000;
export const GET_TIMEOUT_MILLISECONDS = 60_000;

/** A call that did not give what was asked for. */
export interface Refusal {
	words: Words;
	reply: Reply;
	/** Of a create: whether an execution may have been started all the same. */
	outcome: Outcome;
}

/** `risked`: how often the create was sent again although an earlier sending may have started an execution. */
export type Created =
	{ ok: true; execution: StartedExecution; risked: number } | { ok: false; refusal: Refusal };
export type Found = { ok: true; execution: Execution } | { ok: false; refusal: Refusal };

/** A create, ready to be sent. */
export interface CreateRequest {
	workflowId: string;
	body: JsonRecord | FormDataShaped;
	/** Whether to send again although the outcome is not known: that may start a second execution. */
	sendAgainIfUnknown: boolean;
}

/**
 * Starts an execution (specification: path; published: body and answer). What was provably not accepted is sent again a few
 * times; a create whose outcome is not known only where that was asked for.
 */
export async function createExecution(
	send: Send,
	{ pause, now }: { pause: Pause; now: Time['now'] },
	request: CreateRequest,
): Promise<Created> {
	const { workflowId, body, sendAgainIfUnknown } = request;
	let risked = 0;
	for (let tries = 1; ; tries++) {
		const reply = await send({
			method: 'POST',
			path: executionsPath(workflowId),
			body,
			timeoutMilliseconds: CREATE_TIMEOUT_MILLISECONDS,
		});
		const execution = isSuccess(reply) ? readStarted(reply.body, workflowId) : undefined;
		if (execution !== undefined) return { ok: true, execution, risked };
		let delay = delayBeforeRepeating(reply, tries, now());
		if (delay === undefined && sendAgainIfUnknown) {
			delay = delayBeforeRisking(reply, tries, now());
			if (delay !== undefined) risked++;
		}
		if (delay === undefined)
			return { ok: false, refusal: refusalOfCreate(reply, workflowId, risked) };
		await pause(delay);
	}
}

/** Where a create was sent before without a known outcome, a later refusal does not tell what became of that one. */
function refusalOfCreate(reply: Reply, workflowId: string, risked: number): Refusal {
	if (isSuccess(reply))
		return {
			words: wordsForUnreadable(reply.body, 'identifier of the execution'),
			reply,
			outcome: 'unknown',
		};
	return {
		words: wordsFor(reply, { workflowId, executionId: '' }),
		reply,
		outcome: risked > 0 ? 'unknown' : outcomeOf(reply),
	};
}

/** How long a check may take, where time is short. */
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
	if (!isSuccess(reply)) {
		return {
			ok: false,
			refusal: { words: wordsFor(reply, subject), reply, outcome: outcomeOf(reply) },
		};
	}
	const execution = readExecution(reply.body, subject);
	if (execution !== undefined) return { ok: true, execution };
	return {
		ok: false,
		refusal: { words: wordsForUnreadable(reply.body, 'status'), reply, outcome: 'unknown' },
	};
}
