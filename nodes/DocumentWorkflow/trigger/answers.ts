import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Of the object that n8n hands over (express) what is used here. */
interface CallResponse {
	statusCode: number;
	status: (code: number) => { json: (body: object) => void };
	once: (event: 'finish' | 'close', listener: () => void) => void;
}

function responseOf(context: IWebhookFunctions): CallResponse {
	const response: unknown = context.getResponseObject();
	return response as CallResponse;
}

/** `unheard`: who has called was gone before n8n answered. */
export type AnswerOfN8n = 'accepted' | 'refused' | 'unheard';

/** Hears what n8n has answered a call, once: what it could not store, or start, it answers with another status than 2xx. */
export function onceAnswered(context: IWebhookFunctions, act: (answer: AnswerOfN8n) => void): void {
	const response = responseOf(context);
	let answer: AnswerOfN8n | undefined;
	response.once('finish', () => act((answer = response.statusCode < 300 ? 'accepted' : 'refused')));
	response.once('close', () => {
		if (answer === undefined) act('unheard');
	});
}

/** Answers a call with a status of our own and starts nothing: what a webhook throws becomes a 500 and a failed n8n execution. */
export function refuseCall(
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData {
	responseOf(context).status(status).json({ message });
	return { noWebhookResponse: true };
}
