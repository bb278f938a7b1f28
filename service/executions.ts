import type { Execution, StartedExecution } from './contract';
import { executionPath, executionsPath } from './contract';
import type { Documents, Subject, Words } from './errors';
import { wordsFor, wordsForAnother, wordsForUnreadable } from './errors';
import type { Pause, Reply, Send, ServiceRequest, Time } from './http';
import { isSuccess, KINDS } from './http';
import { parseCutJson } from './json';
import { readExecution, readStarted } from './reading';
import { delayBeforeSendingAgain, isRefused } from './retry';

/** A request that did not return what was requested. */
export interface Refusal {
	words: Words;
	reply: Reply;
	/** Whether the answer is about another execution, so that asking again does not help. */
	isAboutAnother?: boolean;
}

/** The outcome of a create after all its tries. `possible`: how many of them may have started an unnamed execution. */
export type Created =
	| { outcome: 'accepted'; execution: StartedExecution; possible: number }
	| { outcome: 'refused'; refusal: Refusal }
	| Unknown;

/** A try may have started an execution, but no answer named it. */
export interface Unknown {
	outcome: 'unknown';
	possible: number;
	/** The first reply that left the outcome unknown; undefined when that was before this call. */
	first: Refusal | undefined;
	last: Refusal;
}

export type Found = { ok: true; execution: Execution } | { ok: false; refusal: Refusal };

/** One create and how to retry it. */
export interface CreateRequest {
	workflowId: string;
	body: NonNullable<ServiceRequest['body']>;
	documents: Documents;
	/** How many tries before this call may have started an execution. */
	possibleBefore: number;
	/** Whether to retry when the outcome is unknown, which may start a second execution. */
	sendAgainIfUnknown: boolean;
	/** The user's name of the field with the identifier in the answer; empty where it has a usual one. */
	executionIdField: string;
}

/** How many executions one create may start at most, when the user chose to send it again. */
export const MAX_POSSIBLE = 2;

/** Starts an execution (specification: path; published: body and answer), with retries. */
export async function createExecution(
	send: Send,
	{ pause, now }: { pause: Pause; now: Time['now'] },
	create: CreateRequest,
): Promise<Created> {
	const { workflowId, body, documents, possibleBefore, executionIdField } = create;
	const request: ServiceRequest = {
		kind: 'create',
		method: 'POST',
		path: executionsPath(workflowId),
		body,
		timeoutMilliseconds: KINDS.create.timeoutMilliseconds,
	};
	const subject: Subject = { kind: 'create', workflowId, documents };
	let possible = possibleBefore;
	let first: Refusal | undefined;
	for (let tries = 1; ; tries++) {
		const reply = await send(request);
		const execution = startedBy(reply, workflowId, executionIdField);
		if (execution !== undefined) return { outcome: 'accepted', execution, possible };
		const last = refusalOf(reply, subject, 'identifier of the execution');
		if (!isRefused(reply)) {
			possible++;
			first ??= last;
		}
		const evenIfUnknown = create.sendAgainIfUnknown && possible < MAX_POSSIBLE;
		const delay = delayBeforeSendingAgain(reply, { tries, evenIfUnknown, now: now() });
		if (delay === undefined)
			return possible === 0
				? { outcome: 'refused', refusal: last }
				: { outcome: 'unknown', possible, first, last };
		await pause(delay);
	}
}

function startedBy(
	reply: Reply,
	workflowId: string,
	idField: string,
): StartedExecution | undefined {
	const part = partIn(reply);
	if (part !== undefined) return readStarted(part, workflowId, idField, true);
	return isSuccess(reply) ? readStarted(reply.body, workflowId, idField) : undefined;
}

/** The beginning of an answer that broke off, also inside the length that it announced. */
function partIn(reply: Reply): unknown {
	if (reply.kind === 'noAnswer') return reply.part;
	return isSuccess(reply) && typeof reply.body === 'string' ? parseCutJson(reply.body) : undefined;
}

/** `expected`: what is missing when the status was a success. */
function refusalOf(reply: Reply, subject: Subject, expected: string): Refusal {
	const words = isSuccess(reply) ? wordsForUnreadable(reply, expected) : wordsFor(reply, subject);
	return { words, reply };
}

/** Time limits of a check. */
export interface CheckLimits {
	/** The check is not sent after this time, in milliseconds since 1970. It may have to wait for others. */
	notAfter?: () => number;
	timeoutMilliseconds?: number;
}

/** Checks an execution once (specification: path; published: answer). */
export async function getExecution(
	send: Send,
	workflowId: string,
	executionId: string,
	limits: CheckLimits = {},
): Promise<Found> {
	const subject = { kind: 'check', workflowId, executionId } as const;
	const reply = await send({
		kind: 'check',
		method: 'GET',
		path: executionPath(workflowId, executionId),
		timeoutMilliseconds: KINDS.check.timeoutMilliseconds,
		...limits,
	});
	const execution = isSuccess(reply)
		? readExecution(reply.body, subject, reply.secrets)
		: undefined;
	if (execution === undefined) return { ok: false, refusal: refusalOf(reply, subject, 'status') };
	if (isSameId(workflowId, execution.workflowId) && isSameId(executionId, execution.executionId))
		return { ok: true, execution };
	const words = wordsForAnother(subject, execution);
	return { ok: false, refusal: { words, reply, isAboutAnother: true } };
}

/** Some services do not distinguish capital letters in IDs. */
function isSameId(asked: string, given: string): boolean {
	return asked.trim().toLowerCase() === given.toLowerCase();
}
