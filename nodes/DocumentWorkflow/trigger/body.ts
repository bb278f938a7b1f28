import type { IWebhookFunctions } from 'n8n-workflow';

/** Of the object that n8n hands over (express) what is used here. */
interface CallRequest {
	/** Without its parameters. */
	contentType?: string;
	/** Undefined where n8n has read no body, or there was none. */
	rawBody?: Buffer;
	/** Sets `rawBody`, unpacked. Raises an error with a status, such as 413, when the body is too large, cut off or cannot be unpacked. */
	readRawBody: () => Promise<void>;
}

/** The bytes of a call as they were sent, or the status with which a call is refused whose body cannot be had. */
export async function readBody(
	context: IWebhookFunctions,
): Promise<Buffer | { status: number; reason: string }> {
	const request: unknown = context.getRequestObject();
	const call = request as CallRequest;
	try {
		// n8n reads only what it knows how to parse, and takes forms with files apart, so that nothing is left to read.
		if (call.contentType?.startsWith('multipart/') !== true) await call.readRawBody();
		return call.rawBody ?? Buffer.alloc(0);
	} catch (error) {
		const isTooLarge = (error as { statusCode?: unknown }).statusCode === 413;
		return isTooLarge
			? { status: 413, reason: 'The body is larger than this n8n takes' }
			: { status: 400, reason: 'The body could not be read' };
	}
}
