import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { isRecord } from '../service/contract';
import type { NoToken } from '../service/http';
import { KINDS, NO_ANSWER_IN_TIME } from '../service/http';
import type { PostJson, TokenRequest } from '../service/token';
import { withoutTags } from '../service/text';
import { refusedSetting } from '../service/tokenWords';
import { readAnswer, silenceOf, STREAMED, unlessAborted } from './reply';

/** How long an exchange may take until it is answered completely. */
const EXCHANGE_TIMEOUT_MILLISECONDS = 30_000;

/** Makes a request that ends with the signal, and returns n8n's response with its body as a stream. */
type PostStreamed = (request: TokenRequest, late: AbortSignal) => Promise<unknown>;

/** Calls the token endpoint with n8n's HTTP helper. */
export function postJsonWith(helpers: IHttpRequestHelper['helpers']): PostJson {
	return postInTime(async (request, abortSignal) =>
		helpers.httpRequest({ ...STREAMED, method: 'POST', ...request, json: true, abortSignal }),
	);
}

/**
 * Calls the token endpoint, with a limit for the whole exchange: many requests may share it, and none of them could be
 * sent while it lasts.
 */
export function postInTime(post: PostStreamed): PostJson {
	return async (request) => {
		const limit = AbortSignal.timeout(EXCHANGE_TIMEOUT_MILLISECONDS);
		const read = async () => readAnswer(await post(request, limit), KINDS.other);
		try {
			return await unlessAborted(limit, read(), NO_ANSWER_IN_TIME);
		} catch (error) {
			return limit.aborted ? NO_ANSWER_IN_TIME : silenceOf(error);
		}
	};
}

/**
 * Which token a request was sent with, and which one the service rejected. n8n passes request options to the credential
 * unchanged, so node and credential share this object.
 */
export interface TokenUse {
	used?: string;
	rejected?: string;
}

export interface RequestOptions extends IHttpRequestOptions {
	tokenUse?: TokenUse;
}

/**
 * Thrown by the credential when there is no token. n8n wraps it in its own error. All versions of n8n keep only its
 * message, its `response.data.message` (shown as description) and its `response.data` (as `context.data`).
 */
export class TokenExchangeError extends Error {
	readonly response;

	constructor(refusal: NoToken) {
		const [message, advice] = [withoutTags(refusal.message), withoutTags(refusal.advice)];
		super(message);
		this.name = 'TokenExchangeError';
		this.response = dataOf({ ...refusal, message, advice });
	}
}

export function dataOf(refusal: NoToken): { data: { message: string; refusal: NoToken } } {
	return { data: { message: refusal.advice, refusal } };
}

/** The refusal in an error of n8n that wraps a `TokenExchangeError`; undefined for other errors. */
export function refusalOf(error: unknown): NoToken | undefined {
	const context: unknown = isRecord(error) ? error.context : undefined;
	const data: unknown = isRecord(context) ? context.data : undefined;
	const refusal: unknown = isRecord(data) ? data.refusal : undefined;
	return isNoToken(refusal) ? refusal : undefined;
}

function isNoToken(value: unknown): value is NoToken {
	return isRecord(value) && value.kind === 'noToken';
}

/** Any node of n8n may send requests with the token. What it must not do with it is decided here. */

/** A request as n8n's older helper, which the HTTP Request node uses, describes it. */
interface OlderOptions {
	uri?: string;
	rejectUnauthorized?: boolean;
	agentOptions?: object;
}

/** A token is sent only to the origin that issued it. */
export function refuseForeignOrigin(
	options: IHttpRequestOptions & OlderOptions,
	baseUrl: string,
): void {
	const target = options.url ?? options.uri ?? '';
	const base = options.baseURL ?? undefined;
	const origin = URL.canParse(target, base) ? new URL(target, base).origin : undefined;
	const own = new URL(baseUrl).origin;
	if (origin === own) return;
	throw new TokenExchangeError(
		refusedSetting(
			`This credential sends its token only to ${own}, but the request goes to ${origin ?? 'an invalid URL'}`,
			'Correct the URL of the request, or use another credential',
		),
	);
}

/**
 * The proxy of a request could read the token when the connection through it is not encrypted, or is encrypted for
 * whoever answers: without checks of certificates, or with authorities that the request brings.
 */
export function refuseReadingProxy(
	options: IHttpRequestOptions & OlderOptions,
	baseUrl: string,
): void {
	const { proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions = {} } = options;
	if (!proxy) return;
	const isUnchecked =
		skipSslCertificateValidation === true ||
		rejectUnauthorized === false ||
		Object.keys(agentOptions).length > 0;
	if (!isUnchecked && baseUrl.startsWith('https:')) return;
	throw new TokenExchangeError(
		refusedSetting(
			'The proxy in this request could read the access token',
			"Remove the proxy, or use an https URL with 'Ignore SSL Issues' off and without SSL certificates",
		),
	);
}

/** n8n lets a token go with a redirect to a subdomain. The last two are the names of n8n's older helper. */
export const WITHOUT_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};
