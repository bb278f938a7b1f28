import { FIELDS, isRecord } from './contract';
import { readErrorBody } from './reason';
import { wordsForSilence } from './errors';
import type { Answer, NoAnswer, NoToken } from './http';
import { isPassing, retryAfterOf } from './retry';
import { plainText } from './text';

/** Nothing was sent, because a setting is wrong. */
export function refusedSetting(message: string, advice: string): NoToken {
	return {
		kind: 'noToken',
		message,
		advice,
		passing: false,
		unreachable: false,
		retryAfterMilliseconds: undefined,
	};
}

/** The error message for a failed exchange. Quotes the service without the secret. */
export function refusedExchange(
	reply: Answer | NoAnswer,
	baseUrl: string,
	clientSecret: string,
	now: number,
): NoToken {
	const { host } = new URL(baseUrl);
	const refuse = (message: string, advice: string): NoToken => ({
		...refusedSetting(message, advice),
		passing: isPassing(reply),
		unreachable: reply.kind === 'noAnswer',
		retryAfterMilliseconds: retryAfterOf(reply, now),
	});
	if (reply.kind === 'noAnswer') {
		const { message, advice } = wordsForSilence(reply, host);
		return refuse(message, advice);
	}
	const said = readErrorBody(reply.body, [clientSecret]);
	const quote = said === '' ? '' : `. It said: "${said}"`;
	const { status } = reply;
	if (status === 401) {
		return refuse(
			'The service does not know this pair of Client ID and Client Secret',
			`Check both, and that they belong to the chosen environment${quote}`,
		);
	}
	if (status === 403)
		return refuse(
			'This client is not allowed to use the service',
			`Ask the service operator to enable it${quote}`,
		);
	if (status === 422 || status === 400) {
		return refuse(
			'Client ID or Client Secret is malformed',
			`Copy both again from what the service operator gave you, without extra characters${quote}`,
		);
	}
	if (status === 429)
		return refuse(
			'The service receives too many requests at the moment',
			`Try again in a minute${quote}`,
		);
	if (status >= 500)
		return refuse(`The service answered with status ${status}`, `Try again later${quote}`);
	return refuse(
		`${host} does not answer like the document workflow service (${describeStranger(reply)})`,
		'Check the base URL: it is the address in front of /api/v1, not the address of the dashboard',
	);
}

function describeStranger({ status, headers, body }: Answer): string {
	if (status >= 300 && status < 400) return `it redirects with status ${status}`;
	if (status >= 400) return `status ${status} for its token endpoint`;
	const type = plainText(headers['content-type']?.split(';')[0] ?? 'nothing', [], 60);
	return isRecord(body)
		? `no ${FIELDS.token.accessToken} in the answer`
		: `the answer is ${type} instead of JSON`;
}
