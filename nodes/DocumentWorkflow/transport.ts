import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { readSettings } from '../../credentials/settings';
import type { Pause, Reply, Send, ServiceRequest } from '../../service/http';
import { answerOf, replyOfError } from '../../service/reply';

export const CREDENTIAL_NAME = 'documentWorkflowApi';

/** How long it may take at most until a pause notices the Stop button. */
const SLICE_MILLISECONDS = 500;

/** The service as this n8n execution reaches it. */
export interface Connection {
	send: Send;
	pause: Pause;
	/** Whether the n8n execution was stopped. */
	isStopped: () => boolean;
}

/** @throws NodeOperationError when the credential cannot be used as it is */
export async function connect(context: IExecuteFunctions): Promise<Connection> {
	const read = readSettings(await context.getCredentials(CREDENTIAL_NAME));
	if (!read.ok) {
		throw new NodeOperationError(context.getNode(), read.refusal.message, { description: read.refusal.advice });
	}
	const isStopped = () => context.getExecutionCancelSignal()?.aborted === true;
	const refuseWhenStopped = () => {
		if (isStopped()) throw new NodeOperationError(context.getNode(), 'The n8n execution was stopped');
	};
	return {
		isStopped,
		send: async (request) => {
			refuseWhenStopped();
			const reply = await sendOnce(context, read.settings.baseUrl, request);
			refuseWhenStopped();
			// Another process may have renewed the token in between; a request that met a 401 was not accepted.
			return reply.kind === 'answer' && reply.status === 401 ? sendOnce(context, read.settings.baseUrl, request) : reply;
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

/** Redirects are not followed: the token stays with its host, and the body is streamed instead of kept for another try. */
async function sendOnce(context: IExecuteFunctions, baseUrl: string, request: ServiceRequest): Promise<Reply> {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: baseUrl + request.path,
		json: true,
		returnFullResponse: true,
		disableFollowRedirect: true,
		timeout: request.timeoutMilliseconds,
	};
	if (request.body !== undefined) options.body = request.body;
	try {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_NAME, options);
		return answerOf(response);
	} catch (error) {
		return replyOfError(error);
	}
}
