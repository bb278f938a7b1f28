import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Of the object that n8n hands over (express) what is used here. */
interface CallResponse {
	statusCode: number;
	status: (code: number) => { json: (body: object) => void };
	once: (event: 'finish', listener: () => void) => void;
}

function responseOf(context: IWebhookFunctions): CallResponse {
	const response: unknown = context.getResponseObject();
	return response as CallResponse;
}

/** Hears, once n8n has answered a call, whether it was with 2xx: what it could not store, or start, it answers with another status. */
export function onceAnswered(context: IWebhookFunctions, act: (isAccepted: boolean) => void): void {
	const response = responseOf(context);
	response.once('finish', () => act(response.statusCode < 300));
}

/** Answers a call with a status of our own and starts nothing: what a webhook throws becomes a 500 and a failed n8n execution. */
export function refuseCall(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	responseOf(context).status(status).json({ message });
	return { noWebhookResponse: true };
}
