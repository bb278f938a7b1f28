import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { CreateSettings } from '../../credentials/createSettings';
import { readCreateSettings } from '../../credentials/createSettings';
import type { RequestOptions, TokenUse } from '../../credentials/exchange';
import { refusalOf } from '../../credentials/exchange';
import { readSettings } from '../../credentials/settings';
import type { Sealer } from './pausing/reference';
import type { NoAnswer, NoToken, Pause, Reply, Send, ServiceRequest } from '../../service/http';
import { Lane, Pace } from '../../service/pace';
import { pauseWith } from '../../service/pause';
import { answerOf, silenceOf } from '../../service/reply';
import { refusedSetting } from '../../service/tokenWords';
import { time } from './time';

const CREDENTIAL_NAME = 'documentWorkflowApi';

/** How often one request is sent again with a new token: the first new one may come from another process, and be revoked as well. */
const MOST_RENEWALS = 2;

/** The service as this n8n execution, or this call of a webhook, reaches it. */
export interface Connection {
	createSettings: CreateSettings;
	/** Seals what leads back to a paused n8n execution. */
	sealer: Sealer;
	/** Sends creates; as many at the same time as the panel allows. */
	sendCreate: Send;
	/** Sends looks at executions. */
	sendLook: Send;
	pause: Pause;
	/** For data that the service keeps at addresses. */
	fetching: Lane;
}

/** How many looks at executions are under way at the same time. */
const MOST_LOOKS = 8;

export const STOPPED = 'The n8n execution was stopped';

/** From where the service is reached: a node that runs, or a webhook that was called. */
export type ServiceContext = IExecuteFunctions | IWebhookFunctions;

/** What tells that the n8n execution was stopped; a webhook has none. */
export function stopSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Whether the n8n execution was stopped. */
export function isStopped(context: ServiceContext): boolean {
	return stopSignal(context)?.aborted === true;
}

/** @throws NodeOperationError when the n8n execution was stopped */
export function refuseIfStopped(context: IExecuteFunctions): void {
	if (isStopped(context)) throw new NodeOperationError(context.getNode(), STOPPED);
}

/**
 * `whyNotToGoOn` gives a reason when nothing more is to be sent or waited for; then sending and pausing reject with it.
 * @throws NodeOperationError when the credential cannot be used as it is
 */
export async function connect(
	context: ServiceContext,
	mostCreates: number,
	whyNotToGoOn: () => string | undefined,
): Promise<Connection> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const { baseUrl, clientId, clientSecret } = usable(context, readSettings(credentials));
	const createSettings = usable(context, readCreateSettings(credentials));
	const goOnOrThrow = () => {
		const reason = whyNotToGoOn();
		if (reason !== undefined) throw new NodeOperationError(context.getNode(), reason);
	};
	const pause = pauseWith(time, goOnOrThrow);
	const send: Send = async (request) => {
		goOnOrThrow();
		request.onLeave?.();
		return sendWithRenewal(context, baseUrl, request);
	};
	const pace = new Pace(pause, time.now, async () => time.sleep(0));
	const sealer = { clientId, clientSecret };
	return {
		createSettings,
		sealer,
		sendCreate: pace.limited(mostCreates, send),
		sendLook: pace.limited(MOST_LOOKS, send),
		pause,
		fetching: new Lane(MOST_LOOKS),
	};
}

function usable<T>(
	context: ServiceContext,
	read: { ok: true; settings: T } | { ok: false; refusal: NoToken },
): T {
	if (read.ok) return read.settings;
	throw new NodeOperationError(context.getNode(), read.refusal.message, {
		description: read.refusal.advice,
	});
}

/** What axios raises as well for a time limit of its own. */
const NO_ANSWER_IN_TIME: NoAnswer = { kind: 'noAnswer', code: 'ECONNABORTED' };

/** What a request is to the HTTP layer that its signal has broken off. */
const BROKEN_OFF: NoAnswer = { kind: 'noAnswer', code: 'ERR_CANCELED' };

/**
 * Sends a request, and sends it again with a new token where the service answers 401: it was not accepted then. The time limit of a
 * look is for all of this: to the HTTP layer, an answer that drips is never late, and the signal of a look does not end the exchange of
 * a token. A create has none as a whole: its upload may be long.
 */
async function sendWithRenewal(
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

/** A reply, or that it was broken off when it is late: what it still waits for then, as a token for others to use, goes on without it. */
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

/** n8n breaks off a request by the signal of its context, and puts it in place of what the request brings: so a context has to bring both. */
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
	for (
		let renewals = 0;
		renewals < MOST_RENEWALS && isUnauthorized(reply) && !isStopped(context);
		renewals++
	) {
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
