import { FIELDS } from './contract';
import { isRecord, textUnder } from './json';
import { STATUSES, fault, describeSilence, senderOf, withReason } from './errors';
import type { Answer, Fault, NoAnswer, NoToken } from './http';
import { NO_ANSWER_IN_TIME, retryAfterOf } from './http';
import { effectOf } from './retry';
import { plainText } from './text';

/** Nothing was sent, because a setting is wrong. */
export function refusedSetting(message: string, advice: string): NoToken {
	return { kind: 'noToken', message, advice, passing: false };
}

/** A token that cannot be used is no wrong setting, and the next one may live longer. */
export function refusedLifetime(baseUrl: string): NoToken {
	const message = `The access token from ${new URL(baseUrl).host} expires before it can be used`;
	const advice = `Ask the service operator how long access tokens are valid (${FIELDS.token.expiresIn} in the answer of the token endpoint)`;
	return { ...refusedSetting(message, advice), passing: true };
}

const MALFORMED = fault(
	'Client ID or Client Secret is malformed',
	'Copy both again as the service operator gave them to you, without extra characters',
);

const REFUSALS: Record<number, Fault> = {
	...STATUSES,
	400: MALFORMED,
	401: fault(
		'The service rejected Client ID and Client Secret',
		'Check both in the credential. They must belong to the selected environment',
	),
	403: fault(
		'Access to the service is denied',
		'Ask the service operator to give your Client ID access. If they have, ask your IT whether a proxy blocks this host',
	),
	422: MALFORMED,
	429: fault('The service is too busy (status 429)', 'Try again in a minute'),
};

/** Whether a reply is an answer that a token endpoint would not give. */
function isStrange(reply: Answer | NoAnswer): boolean {
	return reply.kind === 'answer' && !effectOf(reply).mayPass && !REFUSALS[reply.status];
}

/** The error message for a failed exchange. A strange answer means a wrong address, unless the endpoint is trusted. */
export function refusedExchange(
	given: Answer | NoAnswer,
	{ baseUrl, clientSecret }: { baseUrl: string; clientSecret: string },
	now: number,
	isTrusted: boolean,
): NoToken {
	const { host } = new URL(baseUrl);
	const reply = { ...withStatusOfError(given), baseUrl, secrets: [clientSecret] };
	const { message, advice } = describeExchange(reply, host, isTrusted);
	return {
		...refusedSetting(message, advice),
		passing: effectOf(reply).mayPass || (isTrusted && isStrange(reply)),
		endpoint: whatItDid(reply),
		retryAfterMilliseconds: retryAfterOf(reply, now),
	};
}

/** Errors of OAuth, which are answered with different statuses, even with 200. */
const OAUTH_ERRORS: Array<[status: number, errors: RegExp]> = [
	[400, /^(?:invalid_request|unsupported_grant_type)$/],
	[401, /^invalid_(?:client|grant)$/],
	[403, /^(?:unauthorized_client|invalid_scope|access_denied)$/],
];

function withStatusOfError(reply: Answer | NoAnswer): Answer | NoAnswer {
	if (reply.kind === 'noAnswer' || !isRecord(reply.body)) return reply;
	const error = textUnder(reply.body, ['error']) ?? '';
	const [status = reply.status] = OAUTH_ERRORS.find(([, errors]) => errors.test(error)) ?? [];
	return { ...reply, status };
}

function whatItDid(reply: Answer | NoAnswer): NoToken['endpoint'] {
	if (reply.kind === 'answer') return reply.status >= 500 ? 'failed' : undefined;
	return reply.code === NO_ANSWER_IN_TIME.code ? 'late' : 'silent';
}

function describeExchange(reply: Answer | NoAnswer, host: string, isTrusted: boolean): Fault {
	if (reply.kind === 'noAnswer') return describeSilence(reply);
	if (!isStrange(reply)) {
		const other = fault(
			`${senderOf(reply)} answered with status ${reply.status}`,
			'Try again later',
		);
		return withReason(REFUSALS[reply.status] ?? other, reply);
	}
	const strange = describeStranger(reply);
	return isTrusted
		? fault(
				`The token endpoint of ${host} returned no token (${strange})`,
				'Try again later. It has returned tokens for this credential before',
			)
		: fault(
				`${host} is not a document workflow service (${strange})`,
				'Check the Base URL in the credential: enter the URL of the API without /api/v1, not the URL of the dashboard',
			);
}

function describeStranger({ status, headers, body, secrets }: Answer): string {
	if (status >= 400) return `status ${status} for the token request`;
	if (status >= 300) return `it redirects with status ${status}`;
	// What is no JSON is a text.
	if (typeof body !== 'string') return `no ${FIELDS.token.accessToken} in the answer`;
	const type = plainText(headers['content-type'] ?? 'no type', secrets, 100);
	return `the answer is not JSON: ${type}`;
}
