import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Answers a call with a status of our own and starts nothing: what a webhook throws becomes a 500 and a failed n8n execution. */
export function refuseCall(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}
