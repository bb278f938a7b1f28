import type { IHttpRequestOptions } from 'n8n-workflow';

import type { NoToken } from '../service/http';
import { withoutTags } from '../service/text';

/**
 * Which token a request was sent with, and which one the service rejected. n8n passes request options to the credential
 * unchanged, so node and credential share this object.
 */
export interface TokenUse {
	used?: string;
	rejected?: string;
}

/** `uri` is the address in n8n's older helper, which the HTTP Request node uses. */
export interface RequestOptions extends IHttpRequestOptions {
	tokenUse?: TokenUse;
	uri?: string;
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

export function dataOf(refusal: NoToken) {
	return { data: { message: refusal.advice, refusal } };
}

/** The refusal in an error of n8n that wraps a `TokenExchangeError`; undefined for other errors. */
export function findRefusal(error: unknown): NoToken | undefined {
	const wrapping = error as { context?: { data?: { refusal?: Partial<NoToken> } } } | null;
	const refusal = wrapping?.context?.data?.refusal;
	return refusal?.kind === 'noToken' ? (refusal as NoToken) : undefined;
}
