import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Of the object that n8n hands over (express) what is used here. */
interface CallResponse {
	statusCode: number;
	status: (code: number) => { json: (body: object) => void };
	once: (event: 'finish', listener: () => void) => void;
}

export function responseOf(context: IWebhookFunctions): CallResponse {
	const response: unknown = context.getResponseObject();
	return response as CallResponse;
}

/** Answers a call with a status of our own and starts nothing: what a webhook throws becomes a 500 and a failed n8n execution. */
export function refuseCall(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	responseOf(context).status(status).json({ message });
	return { noWebhookResponse: true };
}
