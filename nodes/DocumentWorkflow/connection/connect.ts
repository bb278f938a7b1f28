import { NodeOperationError } from 'n8n-workflow';

import type { FileAccess } from '../../../credentials/settings';
import {
	readExecutionLink,
	readFileAccess,
	readSettings,
	secretsIn,
} from '../../../credentials/settings';
import { linkFrom, type StartedExecution } from '../../../service/contract';
import type { Answer, NoAnswer, Pause, Reply, ServiceRequest } from '../../../service/http';
import { isForm, KINDS, NO_ANSWER_IN_TIME } from '../../../service/http';
import { Outage } from '../../../service/outage';
import { RateLimit } from '../../../service/rateLimit';
import { retry } from '../../../service/retry';
import { type CreateRecord, pauseWith, sendWith } from '../../../service/send';
import { fingerprintOf } from '../../../service/token';
import { refusalOf, type RequestOptions, type TokenUse } from '../../../credentials/token';
import { STREAMED, readAnswer, silenceOf, unlessAborted } from '../../../credentials/reply';
import { readErrorBody } from '../../../service/reason';
import { refusedSetting } from '../../../service/tokenWords';
import { messageOf } from '../../../service/text';
import { Deadline, isStopped, type ServiceContext, stopSignal, time } from './time';

/** Checks of executions, or events of one call, that run in parallel. */
export const MAX_PARALLEL_CHECKS = 8;

const OUTAGE =
	'The document service does not answer as it should. Documents that have not left wait until it does, for up to 2 minutes';

/** By fingerprint of the settings, for all runs of this process. */
export const outages = new Map<string, Outage>();

export interface CreateLimits {
	maxInParallel: number;
}

/** The connection of an n8n execution, or of a webhook call, to the service. */
export interface Connection {
	fileAccess: FileAccess;
	/** Sends a request. `record`: where a create is recorded. */
	send: (request: ServiceRequest, record?: CreateRecord) => Promise<Reply>;
	pause: Pause;
	linkTo: (ids: Omit<StartedExecution, 'status'>) => { executionUrl?: string };
}

/**
 * `stopReason` returns why the run is over, if it is. Sending and pausing then reject with it.
 * @throws NodeOperationError when the credential cannot be used as it is
 */
export async function connect(
	context: ServiceContext,
	limits: CreateLimits,
	stopReason: () => string | undefined,
): Promise<Connection> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const read = readSettings(credentials);
	if (!read.ok)
		throw new NodeOperationError(context.getNode(), read.message, { description: read.advice });
	const { baseUrl, clientSecret } = read.settings;
	const fileAccess = readFileAccess(credentials);
	const continueOrThrow = () => {
		const reason = stopReason();
		if (reason !== undefined) throw new NodeOperationError(context.getNode(), reason);
	};
	const pause = pauseWith(time, continueOrThrow);
	const secrets = [clientSecret, ...secretsIn(fileAccess.fields)];
	const fingerprint = fingerprintOf(read.settings);
	const outage = outages.get(fingerprint) ?? new Outage(() => time.now());
	outages.set(fingerprint, outage);
	const rateLimit = new RateLimit(pause, time.now);
	const send = sendWith({
		rateLimit,
		queues: {
			create: rateLimit.queue(limits.maxInParallel),
			check: rateLimit.queue(MAX_PARALLEL_CHECKS),
			other: rateLimit.queue(MAX_PARALLEL_CHECKS),
		},
		outage,
		pause,
		onOutage: () => context.logger.info(OUTAGE),
		continueOrThrow,
		transmit: async (request) => sendWithRenewal({ context, baseUrl, secrets, request }),
		afterReply: async () => time.sleep(0),
	});
	const link = readExecutionLink(credentials);
	return { fileAccess, send, pause, linkTo: (ids) => linkFrom(link.ok ? link.pattern : '', ids) };
}

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
	baseUrl: string;
	/** Values that are masked wherever the answer is quoted. */
	secrets: string[];
	request: ServiceRequest;
	deadline: Deadline;
	tokenUse: TokenUse;
}

/** Sends a request, and sends it again with a new token after a 401. The time limit of a create starts when its body has left. */
async function sendWithRenewal(given: Omit<Call, 'deadline' | 'tokenUse'>): Promise<Reply> {
	const { request } = given;
	const deadline = new Deadline(stopSignal(given.context));
	if (request.kind !== 'create') deadline.begin(request.timeoutMilliseconds);
	try {
		// n8n overwrites the request's abort signal with the context's.
		const context = Object.create(given.context, {
			getExecutionCancelSignal: { value: () => deadline.signal },
		}) as ServiceContext;
		const reply = await sendRenewing({ ...given, context, deadline, tokenUse: {} });
		if (reply.kind !== 'noAnswer') return reply;
		const isLate = deadline.signal.aborted && !isStopped(given.context);
		return { ...reply, ...(isLate && NO_ANSWER_IN_TIME), host: new URL(given.baseUrl).host };
	} finally {
		deadline.close();
	}
}

async function sendRenewing(call: Call): Promise<Reply> {
	const { context, tokenUse } = call;
	let rejection: Reply | undefined;
	const last = await retry(
		async () => attempt(call),
		(reply, tries) => {
			if (tries > MAX_RENEWALS || !mayNeedToken(reply, tries) || isStopped(context))
				return undefined;
			rejection = reply;
			tokenUse.rejected = tokenUse.used;
			tokenUse.used = undefined;
			return 0;
		},
		async () => Promise.resolve(),
	);
	if (last.kind !== 'unsent') return last;
	// If there is no other token, the rejection is reported.
	return (
		rejection ??
		refusedSetting(last.message, 'Check the Document Workflow API credential of this node')
	);
}

/** An error before the request was sent that did not come from the token endpoint. */
interface Unsent {
	kind: 'unsent';
	message: string;
}

function mayNeedToken(reply: Reply | Unsent, tries: number): reply is Answer {
	if (reply.kind !== 'answer') return false;
	if (reply.status === 401) return true;
	const mayBeMeant = [400, 403].includes(reply.status) && tries === 1;
	return mayBeMeant && NAMES_TOKEN.test(readErrorBody(reply.body));
}

/** Sends a request once. What was not uploaded by now never will be, so the reply can say how far the body got. */
async function attempt(call: Call): Promise<Reply | Unsent> {
	const { kind, body, timeoutMilliseconds } = call.request;
	if (kind !== 'create') return sendOnce(call);
	const limitAnswer = () => call.deadline.begin(timeoutMilliseconds);
	if (!isForm(body)) {
		limitAnswer();
		return sendOnce(call);
	}
	call.deadline.suspend();
	body.begin(limitAnswer);
	const reply = await sendOnce(call);
	const isComplete = body.end();
	return isComplete || reply.kind === 'noToken' || reply.kind === 'unsent'
		? reply
		: { ...reply, isIncomplete: true };
}

/** Redirects are not followed, so that the token stays with its host and the body can be streamed. */
async function sendOnce(call: Call): Promise<Reply | Unsent> {
	const { context, baseUrl, secrets, request, deadline, tokenUse } = call;
	const options: RequestOptions = {
		method: request.method,
		url: baseUrl + request.path,
		json: true,
		timeout: request.timeoutMilliseconds,
		tokenUse,
		...STREAMED,
	};
	if (request.body !== undefined) options.body = request.body;
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
		const reply = await readAnswer(response, KINDS[request.kind]);
		return { ...reply, secrets: [tokenUse.used ?? '', ...secrets] };
	} catch (error) {
		const refusal = refusalOf(error);
		if (refusal !== undefined) return refusal;
		if (tokenUse.used !== undefined) return silenceOf(error);
		return { kind: 'unsent', message: messageOf(error) };
	}
}
