import { FIELDS } from './contract';
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

/** A token that cannot be used is no wrong setting, and the next one may live longer. */
export function refusedLifetime(baseUrl: string): NoToken {
	return {
		...refusedSetting(
			`The access token from ${new URL(baseUrl).host} expires before it can be used`,
			`Ask the service operator how long access tokens are valid (${FIELDS.token.expiresIn} in the answer of the token endpoint)`,
		),
		passing: true,
	};
}

/** Whether a reply is an answer that a token endpoint would not give. */
export function isStrange(reply: Answer | NoAnswer): reply is Answer {
	return reply.kind === 'answer' && reply.status < 500 && !REFUSALS.has(reply.status);
}

const REFUSALS = new Set([400, 401, 403, 408, 422, 429]);

/**
 * The error message for a failed exchange. Quotes the service without the secret. A strange answer means a wrong address, unless the
 * endpoint is trusted: then it may pass.
 */
export function refusedExchange(
	reply: Answer | NoAnswer,
	{ baseUrl, clientSecret }: { baseUrl: string; clientSecret: string },
	now: number,
	isTrusted: boolean,
): NoToken {
	const { host } = new URL(baseUrl);
	const refuse = (message: string, advice: string): NoToken => ({
		...refusedSetting(message, advice),
		passing: isPassing(reply) || (isTrusted && isStrange(reply)),
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
	if (isStrange(reply)) {
		const strange = describeStranger(reply);
		return isTrusted
			? refuse(
					`The token endpoint of ${host} returned no token (${strange})`,
					'Try again later. It has returned tokens for this credential before',
				)
			: refuse(
					`${host} is not a document workflow service (${strange})`,
					'Check the Base URL: enter the URL of the API without /api/v1, not the URL of the dashboard',
				);
	}
	if (status === 401)
		return refuse(
			'The service rejected Client ID and Client Secret',
			`Check both. They must belong to the selected environment${quote}`,
		);
	if (status === 403)
		return refuse(
			'Your Client ID has no access to the service',
			`Ask the service operator for access${quote}`,
		);
	if (status === 422 || status === 400)
		return refuse(
			'Client ID or Client Secret is malformed',
			`Copy both again as the service operator gave them to you, without extra characters${quote}`,
		);
	if (status === 429)
		return refuse('The service is too busy (status 429)', `Try again in a minute${quote}`);
	return refuse(`The service answered with status ${status}`, `Try again later${quote}`);
}

function describeStranger({ status, headers, body }: Answer): string {
	if (status >= 300 && status < 400) return `it redirects with status ${status}`;
	if (status >= 400) return `status ${status} for the token request`;
	// What is no JSON is a text.
	if (typeof (body ?? '') !== 'string') return `no ${FIELDS.token.accessToken} in the answer`;
	const type = plainText(headers['content-type']?.split(';')[0] ?? '', [], 100).toLowerCase();
	if (type.endsWith('json')) return 'the answer is not valid JSON';
	return `the answer is ${type || 'nothing'} instead of JSON`;
}
