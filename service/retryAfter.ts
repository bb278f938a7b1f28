import type { Reply } from './http';

/** A longer Retry-After is not waited for. */
export const MAX_RETRY_AFTER_MILLISECONDS = 5 * 60_000;

/** Longer Retry-After values are capped to this. */
const LONGEST_RETRY_AFTER_MILLISECONDS = 24 * 60 * 60_000;

const SECONDS = /^\d+(?:\.\d+)?(?:e\+?\d+)?$/i;

/** All three forms of an HTTP date start like this. `Date.parse` alone accepts almost any text with a number. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * The Retry-After of a reply in milliseconds, at most a day: seconds or an HTTP date. Undefined when absent or
 * unreadable. A date counts from the `Date` of the reply, because the clock of n8n may be wrong. Without that it counts
 * from `now`.
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
