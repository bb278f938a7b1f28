import type { Execution, ExecutionIds, StartedExecution } from './contract';
import { EXECUTIONS_PATH } from './contract';
import { describeAnother, describeReply, type Documents } from './errors';
import type { Fault, Pause, Reply, Send, ServiceRequest, Time } from './http';
import { isSuccess, KINDS, retryAfterOf } from './http';
import { isSameId } from './identifier';
import { readExecution, readStarted } from './reading';
import { delayBeforeCheckingAgain, delayBeforeSendingAgain, effectOf, retry } from './retry';
import { plainText } from './text';

export function withLink<T extends ExecutionIds>(pattern: string, ids: T): T {
	const idOf = (_: string, name: 'workflowId' | 'executionId') => encodeURIComponent(ids[name]);
	const executionUrl = pattern.replace(/\{(workflowId|executionId)\}/g, idOf);
	return pattern === '' ? ids : { ...ids, executionUrl };
}

/** An execution for people, in one line. */
export function describeExecution({ workflowId, executionId, executionUrl }: ExecutionIds): string {
	const name = `Execution ${plainText(executionId)} (workflow ${plainText(workflowId)})`;
	return executionUrl === undefined ? name : `${name} at ${executionUrl}`;
}

export function executionsPath(workflowId: string): string {
	return EXECUTIONS_PATH.replace('{workflowId}', () => encodeURIComponent(workflowId));
}

export function executionPath(workflowId: string, executionId: string): string {
	return `${executionsPath(workflowId)}/${encodeURIComponent(executionId)}`;
}

/** A request that did not return what was requested. */
export interface Refusal {
	fault: Fault;
	reply: Reply;
	/** Whether the answer is about another execution, so that asking again does not help. */
	isAboutAnother?: boolean;
}

/** The outcome of a create after all its tries. Unknown: it may have started an execution, but no answer named it. */
export type CreateOutcome =
	| { outcome: 'accepted'; execution: StartedExecution }
	| { outcome: 'refused' | 'unknown'; refusal: Refusal };

export type GetOutcome = { ok: true; execution: Execution } | { ok: false; refusal: Refusal };

export interface CreateRequest extends Pick<ServiceRequest, 'body' | 'record'> {
	workflowId: string;
	documents: Documents;
}

/** Starts an execution (specification: path; published: body and answer). Sends again only what certainly started none. */
export async function createExecution(
	send: Send,
	{ pause, now }: { pause: Pause; now: Time['now'] },
	{ workflowId, documents, ...content }: CreateRequest,
): Promise<CreateOutcome> {
	const { timeoutMilliseconds } = KINDS.create;
	const path = executionsPath(workflowId);
	const request = { kind: 'create', path, timeoutMilliseconds, ...content } as const;
	const reply = await retry(
		async () => send(request),
		(each, tries) => delayBeforeSendingAgain(each, tries, now()),
		pause,
	);
	const execution = isSuccess(reply) ? readStarted(reply.body, workflowId) : undefined;
	if (execution !== undefined) return { outcome: 'accepted', execution };
	const fault = describeReply(reply, { kind: 'create', workflowId, documents });
	const refusal = { fault, reply };
	return { outcome: effectOf(reply).mayHaveActed ? 'unknown' : 'refused', refusal };
}

/** Checks an execution once (specification: path; published: answer). */
export async function getExecution(
	send: Send,
	{ workflowId, executionId }: ExecutionIds,
	limits: Partial<Pick<ServiceRequest, 'notAfter' | 'timeoutMilliseconds'>> = {},
): Promise<GetOutcome> {
	const subject = { kind: 'check', workflowId, executionId } as const;
	const { timeoutMilliseconds } = KINDS.check;
	const path = executionPath(workflowId, executionId);
	const reply = await send({ kind: 'check', path, timeoutMilliseconds, ...limits });
	const execution = isSuccess(reply)
		? readExecution(reply.body, subject, reply.secrets)
		: undefined;
	if (execution === undefined)
		return { ok: false, refusal: { fault: describeReply(reply, subject), reply } };
	if (isSameId(workflowId, execution.workflowId) && isSameId(executionId, execution.executionId))
		return { ok: true, execution };
	const fault = describeAnother(subject, execution);
	return { ok: false, refusal: { fault, reply, isAboutAnother: true } };
}

/** A service that has been silent for so long is not asked once more. Timers may end a little early. */
const LONGEST_SILENCE_MILLISECONDS = KINDS.check.timeoutMilliseconds - 1_000;

/** Gets an execution. A check can be repeated, so temporary errors are retried. */
export async function getWithRetries(
	{ send, pause, now }: { send: Send; pause: Pause; now: Time['now'] },
	ids: ExecutionIds,
): Promise<GetOutcome> {
	let begin = now();
	return retry(
		async () => getExecution(send, ids),
		(found, tries) => {
			if (found.ok || found.refusal.isAboutAnother === true) return undefined;
			const { reply } = found.refusal;
			const isSilent = now() - begin >= LONGEST_SILENCE_MILLISECONDS;
			const delay = isSilent ? undefined : delayBeforeCheckingAgain(reply, tries, now());
			begin += retryAfterOf(reply, now()) ?? 0;
			return delay;
		},
		pause,
	);
}
