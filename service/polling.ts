/** How an execution is watched. */
export interface PollingPlan {
	/** When to look first after the start (published: 5 s), and the shortest time between two looks. */
	firstMilliseconds: number;
	/** The longest time between two looks. */
	longestMilliseconds: number;
	/** When to give up, counted from the start. */
	timeoutMilliseconds: number;
}

export const DEFAULT_PLAN: PollingPlan = {
	firstMilliseconds: 5_000,
	longestMilliseconds: 30_000,
	timeoutMilliseconds: 60 * 60_000,
};

/** How much of the time already waited passes until the next look: each look comes 1.5 times as late as the one before. */
const GROWTH = 0.5;

/**
 * How long to wait before the next look, in milliseconds: the first time as planned, then in proportion to the time
 * already waited (published: start at 5 s, back off exponentially), no sooner than the service asked for, and never past the
 * end. Zero or less when the time is over.
 */
export function delayBeforeLook(plan: PollingPlan, waited: number, askedByService = 0): number {
	const left = plan.timeoutMilliseconds - waited;
	const spaced = Math.min(Math.max(waited * GROWTH, plan.firstMilliseconds), plan.longestMilliseconds);
	return Math.min(Math.max(spaced, askedByService), left);
}
