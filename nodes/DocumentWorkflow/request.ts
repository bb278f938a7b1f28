import type { RequestOptions, TokenUse } from '../../credentials/exchange';
import { refusalOf } from '../../credentials/exchange';
import type { NoAnswer, Reply, ServiceRequest } from '../../service/http';
import { answerOf, silenceOf } from '../../service/reply';
import { refusedSetting } from '../../service/tokenWords';
import type { ServiceContext } from './stop';
import { isStopped, stopSignal } from './stop';

export const CREDENTIAL_NAME = 'documentWorkflowApi';

/** How often one request is sent again with a new token: the first new one may come from another process, and be revoked as well. */
const MOST_RENEWALS = 2;

/** What axios raises as well for a time limit of its own. */
const NO_ANSWER_IN_TIME: NoAnswer = { kind: 'noAnswer', code: 'ECONNABORTED' };

/** What a request is to the HTTP layer that its signal has broken off. */
const BROKEN_OFF: NoAnswer = { kind: 'noAnswer', code: 'ERR_CANCELED' };

/**
 * Sends a request, and sends it again with a new token where the service answers 401: it was not accepted then. The time limit of a
 * check is for all of this: to the HTTP layer, an answer that drips is never late, and the signal of a check does not end the exchange
 * of a token. A create has no limit as a whole: its upload may be long.
 */
export async function sendWithRenewal(
	context: ServiceContext,
	baseUrl: string,
	request: ServiceRequest,
): Promise<Reply> {
	if (request.method === 'POST') return sendRenewing(context, baseUrl, request);
	const late = AbortSignal.timeout(Math.ceil(request.timeoutMilliseconds));
	const reply = await unlessLate(late, sendRenewing(endedBy(context, late), baseUrl, request));
	return reply.kind === 'noAnswer' && late.aborted && !isStopped(context)
		? NO_ANSWER_IN_TIME
		: reply;
}

/** The reply, or that it was broken off when it is late. What it then waits for, such as a token for others to use, goes on without it. */
async function unlessLate(late: AbortSignal, reply: Promise<Reply>): Promise<Reply> {
	let giveUp = (): void => undefined;
	const brokenOff = new Promise<Reply>((resolve) => (giveUp = () => resolve(BROKEN_OFF)));
	late.addEventListener('abort', giveUp);
	try {
		return await Promise.race([reply, brokenOff]);
	} finally {
		late.removeEventListener('abort', giveUp);
	}
}

/** n8n overwrites the abort signal of a request with that of the context, so this context has one that fires for either. */
function endedBy(context: ServiceContext, late: AbortSignal): ServiceContext {
	const stopped = stopSignal(context);
	const signal = stopped === undefined ? late : AbortSignal.any([stopped, late]);
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ServiceContext;
}

async function sendRenewing(
	context: ServiceContext,
	baseUrl: string,
	request: ServiceRequest,
): Promise<Reply> {
	const tokenUse: TokenUse = {};
	let reply = await sendOnce(context, baseUrl, request, tokenUse);
	for (let left = MOST_RENEWALS; left > 0 && isUnauthorized(reply) && !isStopped(context); left--) {
		tokenUse.rejected = tokenUse.used;
		tokenUse.used = undefined;
		const next = await sendOnce(context, baseUrl, request, tokenUse);
		// No other token is to be had: the 401 is what there is to say.
		if (next.kind === 'unsent') break;
		reply = next;
	}
	return reply.kind === 'unsent'
		? refusedSetting(reply.message, 'Check the Document Workflow API credential of this node')
		: reply;
}

/** Something was thrown before the request left, and it was no refusal of the token endpoint. */
interface Unsent {
	kind: 'unsent';
	message: string;
}

function isUnauthorized(reply: Reply | Unsent): boolean {
	return reply.kind === 'answer' && reply.status === 401;
}

/**
 * Redirects are not followed: the token stays with its host, and the body is streamed instead of kept for another try.
 * Every status comes as a response: what n8n makes of them as errors has lost the headers, on n8n 1 the answer altogether.
 */
async function sendOnce(
	context: ServiceContext,
	baseUrl: string,
	request: ServiceRequest,
	tokenUse: TokenUse,
): Promise<Reply | Unsent> {
	const options: RequestOptions = {
		method: request.method,
		url: baseUrl + request.path,
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.timeoutMilliseconds,
		tokenUse,
	};
	if (request.body !== undefined) options.body = request.body;
	try {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_NAME,
			options,
		);
		return answerOf(response);
	} catch (error) {
		const refusal = refusalOf(error);
		if (refusal !== undefined) return refusal;
		if (tokenUse.used !== undefined) return silenceOf(error);
		return { kind: 'unsent', message: error instanceof Error ? error.message : String(error) };
	}
}
