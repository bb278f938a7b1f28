/** When an execution is checked. Times are in milliseconds since 1970. */
export interface Schedule {
	since: number;
	/** The time of the last check. */
	until: number;
	/** The first check after `since` (published: 5 s), and the minimum interval. */
	firstMilliseconds: number;
	/** The maximum interval. Only a Retry-After of the service makes it longer. */
	longestMilliseconds: number;
	/** Several items are checked less often, because the service has to answer all their checks. */
	isBatch: boolean;
	notBefore?: number | undefined;
	/** In doubt, the interval is a minute at most: the doubt may end, or last too long. */
	doubtedSince?: number | undefined;
}

/**
 * Checks at 5, 20 and 45 s, then every 12 s, then every minute, and from half an hour on after another 3 % of the time
 * waited. Most executions take 1 to 3 minutes (published). `npm run bench -- polling` shows what this rule costs.
 */
function intervalAfter(waited: number): number {
	if (waited < 40_000) return Math.min(3 * waited, 25_000);
	if (waited < 200_000) return 12_000;
	return Math.max(60_000, 0.03 * waited);
}

const BATCH_FACTOR = 1.3;

/** Random share of each interval. Without it, waits that start together would check together. */
const JITTER = 0.1;

/** `random` is from 0 to 1, drawn for each check. */
export function timeOfFirstCheck(schedule: Schedule, random: number): number {
	const { since, until, firstMilliseconds } = schedule;
	return Math.min(since + firstMilliseconds * (1 + JITTER * random), until);
}

/** `at`: when the check before has ended. */
export function timeOfNextCheck(schedule: Schedule, at: number, random: number): number {
	const { since, until, firstMilliseconds, longestMilliseconds, isBatch } = schedule;
	const { notBefore = 0, doubtedSince } = schedule;
	const inDoubt = doubtedSince === undefined ? Infinity : 60_000;
	const byRule = intervalAfter(at - since) * (isBatch ? BATCH_FACTOR : 1);
	const interval = Math.min(Math.max(byRule, firstMilliseconds), longestMilliseconds, inDoubt);
	return Math.min(Math.max(at + interval * (1 - JITTER * random), notBefore), until);
}
