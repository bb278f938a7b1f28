import type { Reply } from './http';
import { isSuccess } from './http';

/** What became of a request that should have started something. */
export type Outcome = 'accepted' | 'refused' | 'unknown';

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

/** A service that is too busy is asked more often: other work of the same client may keep it so for a while. */
const MOST_TRIES = { busy: 10, other: 5 };
const FIRST_DELAY_MILLISECONDS = 1_000;
const LONGEST_DELAY_MILLISECONDS = 30_000;

/** The longest Retry-After that is waited for within one request. */
const LONGEST_RETRY_AFTER_MILLISECONDS = 5 * 60_000;

/**
 * Whether the service took a request that is not safe to repeat. A 2xx is accepted; what the service refused in so many
 * words, or what never left, is refused; everything else may or may not have started something.
 */
export function outcomeOf(reply: Reply): Outcome {
	if (reply.kind === 'noToken') return 'refused';
	if (reply.kind === 'noAnswer')
		return NOTHING_SENT.has(reply.code) || isUnreadableFile(reply.code) ? 'refused' : 'unknown';
	if (reply.status >= 200 && reply.status < 300) return 'accepted';
	if (reply.status >= 300 && reply.status < 500 && reply.status !== 408) return 'refused';
	if (reply.status === 503 && retryAfterOf(reply, 0) !== undefined) return 'refused';
	return 'unknown';
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
 * How long to wait before a create is sent again, in milliseconds; undefined when it must not be sent again.
 * Sent again is only what was provably not accepted and may pass: 429, 503 with Retry-After, a connection that was never
 * made. (A 401 is dealt with where requests are sent: there a new token is to be had.)
 */
export function delayBeforeRepeating(reply: Reply, tries: number, now: number): number | undefined {
	if (outcomeOf(reply) !== 'refused' || !isPassing(reply)) return undefined;
	return delayBeforeTry(reply, tries, now);
}

/**
 * How long to wait before a create is sent again although its outcome is not known, in milliseconds; undefined when there were
 * tries enough. It may start a second execution: only for who has asked for it.
 */
export function delayBeforeRisking(reply: Reply, tries: number, now: number): number | undefined {
	return outcomeOf(reply) === 'unknown' || isSuccess(reply)
		? delayBeforeTry(reply, tries, now)
		: undefined;
}

function delayBeforeTry(reply: Reply, tries: number, now: number): number | undefined {
	const isBusy = reply.kind === 'answer' && reply.status === 429;
	if (tries >= (isBusy ? MOST_TRIES.busy : MOST_TRIES.other)) return undefined;
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
