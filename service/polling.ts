/** How often and how long to poll an execution. */
export interface PollingPlan {
	/** The first check after the start (published: 5 s), and the minimum interval. */
	firstMilliseconds: number;
	/** The maximum interval. Only a Retry-After of the service makes it longer. */
	longestMilliseconds: number;
	/** The last check, counted from the start. */
	timeoutMilliseconds: number;
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

/** Several items are polled less often, because the service has to answer all their checks. */
const BATCH_FACTOR = 1.3;

/** Random share of each time. Without it, waits that start together would check together. */
const JITTER = 0.1;

/** For plans with numbers near zero, as an expression may give. */
const SHORTEST_INTERVAL_MILLISECONDS = 100;

/** In milliseconds since the start. `random` is from 0 to 1. */
export function timeOfFirstCheck(plan: PollingPlan, random: number): number {
	return Math.min(plan.firstMilliseconds * (1 + JITTER * random), plan.timeoutMilliseconds);
}

/** The last check and what limits the next one. Times in milliseconds since 1970. */
export interface Checked {
	since: number;
	/** When the last check ended. */
	at: number;
	isBatch: boolean;
	/** From the Retry-After of the service. */
	notBefore?: number | undefined;
	/** A check must happen by then, even if the rule says later. */
	dueBy?: number | undefined;
	/** From 0 to 1, drawn for each check. */
	random: number;
}

/** In milliseconds since 1970, at the timeout at the latest. */
export function timeOfNextCheck(
	{ firstMilliseconds, longestMilliseconds, timeoutMilliseconds }: PollingPlan,
	{ since, at, isBatch, notBefore = 0, dueBy = Infinity, random }: Checked,
): number {
	const byRule = intervalAfter(at - since) * (isBatch ? BATCH_FACTOR : 1);
	const interval =
		Math.min(Math.max(byRule, firstMilliseconds), longestMilliseconds) * (1 - JITTER * random);
	const wanted = Math.min(interval, Math.max(dueBy - at, firstMilliseconds));
	const next = at + Math.max(wanted, SHORTEST_INTERVAL_MILLISECONDS);
	return Math.min(Math.max(next, notBefore), since + timeoutMilliseconds);
}
