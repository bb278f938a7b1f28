import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { readSettings } from '../../credentials/settings';
import type { RequestOptions, TokenUse } from '../../credentials/tokenUse';
import type { Pause, Reply, Send, ServiceRequest } from '../../service/http';
import { answerOf, replyOfError } from '../../service/reply';

export const CREDENTIAL_NAME = 'documentWorkflowApi';

/** How long it may take at most until a pause notices the Stop button. */
const SLICE_MILLISECONDS = 500;

/** How often one request is sent again with a new token. */
const MOST_RENEWALS = 2;

/** The service as this n8n execution reaches it. */
export interface Connection {
	send: Send;
	pause: Pause;
}

/** Whether the n8n execution was stopped. */
export function isStopped(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal()?.aborted === true;
}

/** @throws NodeOperationError when the credential cannot be used as it is */
export async function connect(context: IExecuteFunctions): Promise<Connection> {
	const read = readSettings(await context.getCredentials(CREDENTIAL_NAME));
	if (!read.ok) {
		throw new NodeOperationError(context.getNode(), read.refusal.message, { description: read.refusal.advice });
	}
	const refuseWhenStopped = () => {
		if (isStopped(context)) throw new NodeOperationError(context.getNode(), 'The n8n execution was stopped');
	};
	return {
		send: async (request) => {
			refuseWhenStopped();
			// The reply is given back even when n8n was stopped meanwhile: what it started must not be forgotten.
			const tokenUse: TokenUse = {};
			let reply = await sendOnce(context, read.settings.baseUrl, request, tokenUse);
			// A request that met a 401 was not accepted. The token that comes next may be one that was revoked as well.
			for (let renewals = 0; renewals < MOST_RENEWALS && isUnauthorized(reply) && !isStopped(context); renewals++) {
				tokenUse.rejected = tokenUse.used;
				reply = await sendOnce(context, read.settings.baseUrl, request, tokenUse);
			}
			return reply;
		},
		pause: async (milliseconds) => {
			const end = Date.now() + milliseconds;
			for (let left = milliseconds; left > 0; left = end - Date.now()) {
				refuseWhenStopped();
				await sleep(Math.min(left, SLICE_MILLISECONDS));
			}
			refuseWhenStopped();
		},
	};
}

function isUnauthorized(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status === 401;
}

/**
 * Redirects are not followed: the token stays with its host, and the body is streamed instead of kept for another try.
 * Every status comes as a response: what n8n makes of them as errors has lost the headers, on n8n 1 the answer altogether.
 */
async function sendOnce(context: IExecuteFunctions, baseUrl: string, request: ServiceRequest, tokenUse: TokenUse): Promise<Reply> {
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
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_NAME, options);
		return answerOf(response);
	} catch (error) {
		return replyOfError(error);
	}
}
