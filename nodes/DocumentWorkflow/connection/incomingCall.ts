import type { IWebhookFunctions } from 'n8n-workflow';

/** The parts of n8n's request object (express) that are used here. */
interface CallRequest {
	/** Without its parameters. */
	contentType?: string;
	/** Undefined when n8n has not read the body, or there is none. */
	rawBody?: Buffer;
	/** Sets `rawBody`, decompressed. Throws an error with a status, such as 413, when the body is too large, truncated or corrupt. */
	readRawBody: () => Promise<void>;
}

/** The parts of n8n's response object (express) that are used here. */
interface CallResponse {
	statusCode: number;
	status: (code: number) => { json: (body: object) => void };
}

function responseOf(context: IWebhookFunctions): CallResponse {
	const response: unknown = context.getResponseObject();
	return response as CallResponse;
}

/** Identifies a webhook node within this n8n. */
export function identityOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** The bytes of a call as they were sent, or the status with which to reject a call whose body cannot be read. */
export async function readBody(
	context: IWebhookFunctions,
): Promise<Buffer | { status: number; reason: string }> {
	const request: unknown = context.getRequestObject();
	const call = request as CallRequest;
	try {
		// n8n reads only types that it can parse. It has already consumed multipart forms.
		if (call.contentType?.startsWith('multipart/') !== true) await call.readRawBody();
		return call.rawBody ?? Buffer.alloc(0);
	} catch (error) {
		const isTooLarge = (error as { statusCode?: unknown }).statusCode === 413;
		return isTooLarge
			? { status: 413, reason: 'The body is larger than n8n accepts' }
			: { status: 400, reason: 'The body could not be read' };
	}
}

/** Whether n8n has answered with an error, because it could not start the workflow. The caller may have gone before. */
export function isRejected(context: IWebhookFunctions): boolean {
	return responseOf(context).statusCode >= 300;
}

/** Answers a call with our own status and starts nothing. Throwing instead would give a 500 and a failed n8n execution. */
export function rejectCall(context: IWebhookFunctions, status: number, message: string) {
	responseOf(context).status(status).json({ message });
	return { noWebhookResponse: true };
}
