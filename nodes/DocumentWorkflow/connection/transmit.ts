import type {
	Answer,
	FormDataShaped,
	NoAnswer,
	NoToken,
	Reply,
	ServiceRequest,
} from '../../../service/http';
import { readAnswer, silenceOf, STREAMED, unlessAborted } from '../../../service/answer';
import { KINDS, NO_ANSWER_IN_TIME } from '../../../service/http';
import { findRefusal, type RequestOptions, type TokenUse } from '../../../credentials/token';
import { readErrorBody } from '../../../service/reason';
import { refusedSetting } from '../../../service/tokenWords';
import { messageOf } from '../../../service/text';
import { type ServiceContext, turns } from './time';

export const CREDENTIAL_NAME = 'documentWorkflowApi';

/** New tokens per request. After a 401 the first one may come from another process and be revoked too. */
const MAX_RENEWALS = 2;

/** Some services reject a token with status 400, and gateways with 403. */
const NAMES_TOKEN = /\b(?:token|jwt)\b/i;

/** The same code as for a request of axios that was aborted. */
const ABORTED: NoAnswer = { kind: 'noAnswer', code: 'ERR_CANCELED' };

/** A request and what all its tries share. */
interface Call {
	context: ServiceContext;
	/** The signal of n8n's Stop button. */
	stopped: AbortSignal | undefined;
	baseUrl: string;
	/** Values that are masked wherever the answer is quoted. */
	secrets: string[];
	request: ServiceRequest;
	deadline: Deadline;
	tokenUse: TokenUse;
	/** An error before a try was sent that did not come from the token endpoint. */
	unsent?: NoToken;
}

/** Returns what sends a request, and sends it again with a new token after a 401. The time limit of a form starts when it has left. */
export function transmitter(given: Pick<Call, 'context' | 'stopped' | 'baseUrl' | 'secrets'>) {
	return async (request: ServiceRequest): Promise<Reply> => {
		const deadline = new Deadline(given.stopped);
		if (!isForm(request.body)) deadline.begin(request.timeoutMilliseconds);
		try {
			// n8n overwrites the request's abort signal with the context's.
			const context = Object.create(given.context, {
				getExecutionCancelSignal: { value: () => deadline.signal },
			}) as ServiceContext;
			const reply = await sendRenewing({ ...given, request, context, deadline, tokenUse: {} });
			if (reply.kind !== 'noAnswer') return reply;
			const isLate = deadline.signal.aborted && given.stopped?.aborted !== true;
			return { ...reply, ...(isLate && NO_ANSWER_IN_TIME), baseUrl: given.baseUrl };
		} finally {
			deadline.close();
		}
	};
}

async function sendRenewing(call: Call): Promise<Reply> {
	const { deadline, tokenUse } = call;
	let reply = await attempt(call);
	for (let tries = 1; tries <= MAX_RENEWALS && mayNeedToken(reply, tries); tries++) {
		if (deadline.signal.aborted) return reply;
		tokenUse.rejected = tokenUse.used;
		tokenUse.used = undefined;
		const next = await attempt(call);
		// If there is no other token, the rejection is reported.
		if (next === call.unsent) return reply;
		reply = next;
	}
	return reply;
}

function mayNeedToken(reply: Reply, tries: number): reply is Answer {
	if (reply.kind !== 'answer') return false;
	if (reply.status === 401) return true;
	const mayBeMeant = [400, 403].includes(reply.status) && tries === 1;
	return mayBeMeant && NAMES_TOKEN.test(readErrorBody(reply.body));
}

function isForm(body: ServiceRequest['body']): body is FormDataShaped {
	return body !== undefined && Symbol.toStringTag in body;
}

/** Sends a request once. What was not uploaded by now never will be, so the reply can say how far the body got. */
async function attempt(call: Call): Promise<Reply> {
	const { body, timeoutMilliseconds } = call.request;
	if (!isForm(body)) return sendOnce(call);
	call.deadline.suspend();
	body.begin(() => call.deadline.begin(timeoutMilliseconds));
	const reply = await sendOnce(call);
	const isComplete = body.end();
	return isComplete || reply.kind === 'noToken' ? reply : { ...reply, isIncomplete: true };
}

const CHECK_CREDENTIAL = 'Check the Document Workflow API credential of this node';

/** Redirects are not followed, so that the token stays with its host and the body can be streamed. */
async function sendOnce(call: Call): Promise<Reply> {
	const { context, baseUrl, secrets, request, deadline, tokenUse } = call;
	const options: RequestOptions = {
		method: KINDS[request.kind].method,
		url: baseUrl + request.path,
		json: true,
		timeout: request.timeoutMilliseconds,
		tokenUse,
		body: request.body,
		...STREAMED,
	};
	try {
		const response: unknown = await unlessAborted(
			deadline.signal,
			context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_NAME, options),
			ABORTED,
		);
		// An exchange in progress continues, because other requests may need its token. n8n sends nothing after the signal.
		if (response === ABORTED)
			return tokenUse.used === undefined ? { ...ABORTED, isIncomplete: true } : ABORTED;
		if (request.kind === 'create') deadline.begin(request.timeoutMilliseconds);
		const reply = await readAnswer(response, KINDS[request.kind].maxAnswerBytes, turns.next);
		return { ...reply, secrets: [tokenUse.used ?? '', ...secrets] };
	} catch (error) {
		const refusal = findRefusal(error);
		if (refusal !== undefined) return refusal;
		if (tokenUse.used !== undefined) return silenceOf(error);
		// It may be a fault of n8n's database that passes. A create has no other tries; a wait has its own limit.
		const passing = request.kind === 'create';
		return (call.unsent = { ...refusedSetting(messageOf(error), CHECK_CREDENTIAL), passing });
	}
}

/** A signal that aborts when n8n's Stop does, or a time after `begin`. */
class Deadline {
	private readonly controller = new AbortController();

	readonly signal: AbortSignal = this.controller.signal;

	private late: AbortSignal | undefined;

	constructor(private readonly stopped: AbortSignal | undefined) {
		stopped?.addEventListener('abort', this.end);
		if (stopped?.aborted === true) this.end();
	}

	/** Begins the time, instead of one that has begun before. */
	begin(milliseconds: number): void {
		this.suspend();
		this.late = AbortSignal.timeout(Math.ceil(milliseconds));
		this.late.addEventListener('abort', this.end);
	}

	suspend(): void {
		this.late?.removeEventListener('abort', this.end);
	}

	/** Without this n8n's signal would keep it until the n8n execution ends. */
	close(): void {
		this.suspend();
		this.stopped?.removeEventListener('abort', this.end);
	}

	private readonly end = (): void => this.controller.abort();
}
