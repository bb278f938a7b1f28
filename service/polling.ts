/** How an execution is polled. */
export interface PollingPlan {
	/** When to check first after the start (published: 5 s), and the shortest time between two checks. */
	firstMilliseconds: number;
	/** The longest time between two checks; only the service itself can ask for more. */
	longestMilliseconds: number;
	/** When to check last and give up, counted from the start. */
	timeoutMilliseconds: number;
}

export const DEFAULT_PLAN: PollingPlan = {
	firstMilliseconds: 5_000,
	longestMilliseconds: 60_000,
	timeoutMilliseconds: 60 * 60_000,
};

/**
 * The time from one check to the next: after 5, 20 and 45 s, then every 14 s, then after another 15 % of the time waited. Most
 * executions take 1 to 3 minutes (published). `npm run benchmark:polling` shows what this rule costs.
 */
function usualInterval(waited: number): number {
	if (waited < 40_000) return Math.min(3 * waited, 25_000);
	if (waited < 200_000) return 14_000;
	return 0.15 * waited;
}

/** In a run with several items intervals are longer by this factor: the service answers all of their checks. */
const BATCH_FACTOR = 1.3;

/** Up to this share of each time is left to chance, or waits that begin in the same moment would always check together. */
const JITTER = 0.1;

/** Two checks are never closer together: an expression may give a plan numbers near zero. */
const SHORTEST_INTERVAL_MILLISECONDS = 100;

/** When to check first, in milliseconds since the start. `random` is from 0 to 1. */
export function timeOfFirstCheck(plan: PollingPlan, random: number): number {
	return Math.min(plan.firstMilliseconds * (1 + JITTER * random), plan.timeoutMilliseconds);
}

/** What decides when to check next. Times in milliseconds since the start. */
export interface Checked {
	/** When the last check ended. */
	at: number;
	isBatch: boolean;
	/** The service does not want to be asked before that. */
	notBefore: number;
	/** A check is due by then, whatever the rule says; Infinity where none is. */
	dueBy: number;
	/** From 0 to 1, drawn for each check. */
	random: number;
}

/** When to check next, in milliseconds since the start: at the timeout at the latest. */
export function timeOfNextCheck(
	{ firstMilliseconds, longestMilliseconds, timeoutMilliseconds }: PollingPlan,
	{ at, isBatch, notBefore, dueBy, random }: Checked,
): number {
	const usual = usualInterval(at) * (isBatch ? BATCH_FACTOR : 1);
	const interval =
		Math.min(Math.max(usual, firstMilliseconds), longestMilliseconds) * (1 - JITTER * random);
	const wanted = Math.min(interval, Math.max(dueBy - at, firstMilliseconds));
	const next = at + Math.max(wanted, SHORTEST_INTERVAL_MILLISECONDS);
	return Math.min(Math.max(next, notBefore), timeoutMilliseconds);
}
