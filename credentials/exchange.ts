import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { isRecord } from '../service/contract';
import type { NoToken } from '../service/http';
import { answerOf, silenceOf } from './reply';
import type { PostJson } from '../service/token';

/** How long the token endpoint may take to answer. */
export const EXCHANGE_TIMEOUT_MILLISECONDS = 30_000;

/** Calls the token endpoint with n8n's HTTP helper. */
export function postJsonWith(helpers: IHttpRequestHelper['helpers']): PostJson {
	return async (url, body) => {
		try {
			const response: unknown = await helpers.httpRequest({
				method: 'POST',
				url,
				body,
				json: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: EXCHANGE_TIMEOUT_MILLISECONDS,
			});
			return answerOf(response);
		} catch (error) {
			return silenceOf(error);
		}
	};
}

/**
 * Which token a request was sent with, and which one the service rejected. n8n passes request options to the credential unchanged, so
 * node and credential share this object.
 */
export interface TokenUse {
	used?: string;
	rejected?: string;
}

export interface RequestOptions extends IHttpRequestOptions {
	tokenUse?: TokenUse;
}

/**
 * Thrown by the credential when there is no token. n8n wraps it in its own error. All versions of n8n keep only its message, its
 * `response.data.message` (shown as description) and its `response.data` (as `context.data`).
 */
export class TokenExchangeError extends Error {
	readonly response: { data: { message: string; refusal: NoToken } };

	constructor(refusal: NoToken) {
		super(refusal.message);
		this.name = 'TokenExchangeError';
		this.response = { data: { message: refusal.advice, refusal } };
	}
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
