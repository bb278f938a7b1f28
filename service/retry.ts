import type { Reply } from './http';
import { isAccepted, isSuccess, TOO_LARGE } from './http';

/** Errors before the first byte of a request was sent. EHOSTUNREACH is not among them: it may also break an open connection. */
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

/** Those of them that may be temporary. */
const PASSING_BEFORE_SENDING = new Set(['ECONNREFUSED', 'EAI_AGAIN']);

/** A file could not be read. The request was aborted before its announced length, so the service did not accept it. */
const NOT_READ = new Set(['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'EIO', 'EMFILE']);

/** Redirects that ask for the same POST at another address. All others may also be the answer to an accepted POST. */
const NOT_TAKEN = new Set([307, 308]);

const SECONDS = /^\d+(?:\.\d+)?(?:e\+?\d+)?$/i;

/** All three forms of an HTTP date start like this. `Date.parse` alone accepts almost any text with a number. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** A busy service (429) gets more tries, because other work of the same client may keep it busy for a while. */
const MAX_TRIES = { busy: 10, other: 5 };
const FIRST_DELAY_MILLISECONDS = 1_000;
const LONGEST_DELAY_MILLISECONDS = 30_000;

/** A longer Retry-After is not waited for. */
export const MAX_RETRY_AFTER_MILLISECONDS = 5 * 60_000;

/** A longer Retry-After means this. */
const LONGEST_RETRY_AFTER_MILLISECONDS = 24 * 60 * 60_000;

/**
 * Whether it is certain that a create started nothing: it was not sent completely, or the service rejected it. Any other reply without
 * the identifier of an execution leaves that unknown.
 */
export function isRefused(reply: Reply): boolean {
	if (reply.kind === 'noToken') return true;
	if (isAccepted(reply)) return false;
	if (reply.isIncomplete) return true;
	if (reply.kind === 'noAnswer')
		return NOTHING_SENT.has(reply.code) || isUnreadableFile(reply.code);
	if (reply.status < 400) return NOT_TAKEN.has(reply.status);
	if (reply.status < 500) return reply.status !== 408;
	return reply.status === 503 && retryAfterOf(reply, 0) !== undefined;
}

/** Whether an error code means that a file could not be read while it was sent. */
export function isUnreadableFile(code: string): boolean {
	return NOT_READ.has(code);
}

/** Whether the same request may succeed later with the same settings. */
export function isPassing(reply: Reply): boolean {
	if (reply.kind === 'noToken') return reply.passing;
	if (reply.kind === 'noAnswer')
		return (
			PASSING_BEFORE_SENDING.has(reply.code) ||
			!(NOTHING_SENT.has(reply.code) || isUnreadableFile(reply.code) || reply.code === TOO_LARGE)
		);
	return reply.status === 408 || reply.status === 429 || reply.status >= 500;
}

/**
 * How long to wait before a failed create is sent again, in milliseconds; undefined when it must not be sent again. Retried are
 * temporary errors that certainly started nothing: 429, 503 with Retry-After, an upload that broke off. With `evenIfUnknown`, which the
 * user has to choose, also what may have started an execution, except a 2xx: the service has accepted that. A 401 never gets here: its
 * request was already sent again with a new token.
 */
export function delayBeforeSendingAgain(
	reply: Reply,
	{ tries, evenIfUnknown, now }: { tries: number; evenIfUnknown: boolean; now: number },
): number | undefined {
	const mayBeSent = isRefused(reply) ? isPassing(reply) : evenIfUnknown && !isAccepted(reply);
	const isBusy = reply.kind === 'answer' && reply.status === 429;
	if (!mayBeSent || tries >= (isBusy ? MAX_TRIES.busy : MAX_TRIES.other)) return undefined;
	return delayAfter(reply, tries, now);
}

/**
 * How long to wait before a failed check is repeated, in milliseconds; undefined when it is not. Temporary errors are, and a success that
 * cannot be read: it may be cut.
 */
export function delayBeforeCheckingAgain(
	reply: Reply,
	tries: number,
	now: number,
): number | undefined {
	if (tries >= MAX_TRIES.other || !(isPassing(reply) || isSuccess(reply))) return undefined;
	return delayAfter(reply, tries, now);
}

/** Undefined when the service asks for a longer pause than is waited for. */
function delayAfter(reply: Reply, tries: number, now: number): number | undefined {
	const delay =
		pauseAskedFor(reply, now) ??
		Math.min(FIRST_DELAY_MILLISECONDS * 2 ** (tries - 1), LONGEST_DELAY_MILLISECONDS);
	return delay > MAX_RETRY_AFTER_MILLISECONDS ? undefined : delay;
}

/**
 * The Retry-After of a reply in milliseconds, at most a day: seconds (published) or an HTTP date (assumed).
 * Undefined when absent or unreadable. A date counts from the `Date` of the reply, because the clock of n8n may be
 * wrong. Without that it counts from `now`.
 */
export function retryAfterOf(reply: Reply, now: number): number | undefined {
	if (reply.kind === 'noToken') return reply.retryAfterMilliseconds;
	if (reply.kind === 'noAnswer') return undefined;
	const { 'retry-after': asText = '', date = '' } = reply.headers;
	const text = asText.trim();
	const asked = SECONDS.test(text)
		? Math.ceil(Number(text) * 1000)
		: Math.max(0, timeIn(text) - (timeIn(date) || now));
	return Number.isNaN(asked) ? undefined : Math.min(asked, LONGEST_RETRY_AFTER_MILLISECONDS);
}

/** In milliseconds since 1970; NaN for what is no HTTP date. */
function timeIn(text: string): number {
	return HTTP_DATE.test(text) ? Date.parse(text) : NaN;
}

/** How long a reply asks to wait, in milliseconds. Undefined also for a time in the past. */
export function pauseAskedFor(reply: Reply, now: number): number | undefined {
	const asked = retryAfterOf(reply, now);
	return asked !== undefined && asked > 0 ? asked : undefined;
}
