import type { Reply } from './http';

/** Codes that are raised before the first byte of a request has left. (EHOSTUNREACH may also end a connection that was made.) */
const NOTHING_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ERR_INVALID_URL',
	'EPROTO',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Of those, the ones that a later try may not meet again. */
const PASSING_BEFORE_SENDING = new Set(['ECONNREFUSED', 'EAI_AGAIN']);

/** Codes of a file that cannot be read: its request was broken off before its announced length, so it was not accepted. */
const NOT_READ = new Set(['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'EIO', 'EMFILE']);

/** How the three forms of an HTTP date begin; without it `Date.parse` takes almost any text with a number for a date. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** A busy service gets more tries: other work of the same client may keep it busy for a while. */
const MOST_TRIES = { busy: 10, other: 5 };
const FIRST_DELAY_MILLISECONDS = 1_000;
const LONGEST_DELAY_MILLISECONDS = 30_000;

/** The longest Retry-After that is waited for within one request. */
const LONGEST_RETRY_AFTER_MILLISECONDS = 5 * 60_000;

/**
 * Whether a reply proves that a create started nothing: it never left, or the service refused it in so many words. Everything else,
 * but for the identifier of an execution, leaves open whether something was started.
 */
export function isRefused(reply: Reply): boolean {
	if (reply.kind === 'noToken') return true;
	if (reply.kind === 'noAnswer')
		return NOTHING_SENT.has(reply.code) || isUnreadableFile(reply.code);
	if (reply.status >= 300 && reply.status < 500) return reply.status !== 408;
	return reply.status === 503 && retryAfterOf(reply, 0) !== undefined;
}

/** Whether a code stands for a file of n8n that could not be read while it was sent. */
export function isUnreadableFile(code: string): boolean {
	return NOT_READ.has(code);
}

/** Whether the same request may succeed later without anybody changing a setting. */
export function isPassing(reply: Reply): boolean {
	if (reply.kind === 'noToken') return reply.passing;
	if (reply.kind === 'noAnswer')
		return (
			PASSING_BEFORE_SENDING.has(reply.code) ||
			!(NOTHING_SENT.has(reply.code) || isUnreadableFile(reply.code))
		);
	return reply.status === 408 || reply.status === 429 || reply.status >= 500;
}

/**
 * How long to wait before a create is sent again that did not give an execution, in milliseconds; undefined when it must not be sent
 * again. Sent again is what was provably not accepted and may pass: 429, 503 with Retry-After, a connection that was never made. (A 401
 * is dealt with where requests are sent: there a new token is to be had.) What may have started an execution is sent again only
 * where the user asked for it, with `evenIfUnknown`.
 */
export function delayBeforeSendingAgain(
	reply: Reply,
	{ tries, evenIfUnknown, now }: { tries: number; evenIfUnknown: boolean; now: number },
): number | undefined {
	const mayBeSent = isRefused(reply) ? isPassing(reply) : evenIfUnknown;
	const isBusy = reply.kind === 'answer' && reply.status === 429;
	if (!mayBeSent || tries >= (isBusy ? MOST_TRIES.busy : MOST_TRIES.other)) return undefined;
	const asked = pauseAskedFor(reply, now);
	if (asked !== undefined && asked > LONGEST_RETRY_AFTER_MILLISECONDS) return undefined;
	return asked ?? Math.min(FIRST_DELAY_MILLISECONDS * 2 ** (tries - 1), LONGEST_DELAY_MILLISECONDS);
}

/** Retry-After of a reply in milliseconds from `now`: seconds or an HTTP date (published, assumed); undefined when absent or unreadable. */
export function retryAfterOf(reply: Reply, now: number): number | undefined {
	if (reply.kind === 'noToken') return reply.retryAfterMilliseconds;
	if (reply.kind === 'noAnswer') return undefined;
	const text = reply.headers['retry-after']?.trim() ?? '';
	if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	const date = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * How long a reply asks to wait, in milliseconds from `now`; undefined where it asks for no time ahead. A time that has come already,
 * as by a clock that is a few seconds ahead of the service's, does not say how long.
 */
export function pauseAskedFor(reply: Reply, now: number): number | undefined {
	const asked = retryAfterOf(reply, now);
	return asked !== undefined && asked > 0 ? asked : undefined;
}
