import type { RequestOptions, TokenUse } from '../../credentials/exchange';
import { refusalOf } from '../../credentials/exchange';
import type { NoAnswer, Reply, ServiceRequest } from '../../service/http';
import { isForm } from '../../service/http';
import { answerOf, silenceOf } from '../../credentials/reply';
import { refusedSetting } from '../../service/tokenWords';
import { messageOf } from '../../service/text';
import type { ServiceContext } from './stop';
import { isStopped, stopSignal } from './stop';

export const CREDENTIAL_NAME = 'documentWorkflowApi';

/** New tokens per request. The first one may come from another process and be revoked too. */
const MAX_RENEWALS = 2;

/** The same code as for a timeout of axios. */
const NO_ANSWER_IN_TIME: NoAnswer = { kind: 'noAnswer', code: 'ECONNABORTED' };

/** The same code as for a request of axios that was aborted. */
const ABORTED: NoAnswer = { kind: 'noAnswer', code: 'ERR_CANCELED' };

/**
 * Sends a request, and sends it again with a new token after a 401. The time limit of a check includes all of this. The timeout of the
 * HTTP layer is not enough: a slow but steady answer never exceeds it, and it does not end a token exchange. A create has no total
 * limit, because its upload may be long.
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

/** Returns the reply, or ABORTED when it is late. A token exchange in progress continues, because other requests may need it. */
async function unlessLate(late: AbortSignal, reply: Promise<Reply>): Promise<Reply> {
	let giveUp = (): void => undefined;
	const aborted = new Promise<Reply>((resolve) => (giveUp = () => resolve(ABORTED)));
	late.addEventListener('abort', giveUp);
	try {
		return await Promise.race([reply, aborted]);
	} finally {
		late.removeEventListener('abort', giveUp);
	}
}

/** n8n overwrites the request's abort signal with the context's, so this context has a signal that fires for either. */
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
	let reply = await attempt(context, baseUrl, request, tokenUse);
	for (let left = MAX_RENEWALS; left > 0 && isUnauthorized(reply) && !isStopped(context); left--) {
		tokenUse.rejected = tokenUse.used;
		tokenUse.used = undefined;
		const next = await attempt(context, baseUrl, request, tokenUse);
		// There is no other token, so the 401 is reported.
		if (next.kind === 'unsent') break;
		reply = next;
	}
	return reply.kind === 'unsent'
		? refusedSetting(reply.message, 'Check the Document Workflow API credential of this node')
		: reply;
}

/** An error before the request was sent that did not come from the token endpoint. */
interface Unsent {
	kind: 'unsent';
	message: string;
}

function isUnauthorized(reply: Reply | Unsent): boolean {
	return reply.kind === 'answer' && reply.status === 401;
}

/** Sends a request once. What was not uploaded by now never will be, so the reply can say how far the body got. */
async function attempt(
	context: ServiceContext,
	baseUrl: string,
	request: ServiceRequest,
	tokenUse: TokenUse,
): Promise<Reply | Unsent> {
	if (!isForm(request.body)) return sendOnce(context, baseUrl, request, tokenUse);
	request.body.begin();
	const reply = await sendOnce(context, baseUrl, request, tokenUse);
	const isComplete = request.body.end();
	return isComplete || reply.kind === 'noToken' || reply.kind === 'unsent'
		? reply
		: { ...reply, isIncomplete: true };
}

/**
 * Redirects are not followed, so that the token stays with its host and the body can be streamed. Every status is a response, because
 * n8n's errors lose the headers, and on n8n 1 the whole answer.
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
		return { ...answerOf(response), secrets: tokenUse.used === undefined ? [] : [tokenUse.used] };
	} catch (error) {
		const refusal = refusalOf(error);
		if (refusal !== undefined) return refusal;
		if (tokenUse.used !== undefined) return silenceOf(error);
		return { kind: 'unsent', message: messageOf(error) };
	}
}
