import type { LifeTable } from './lifeTable';

/** How an execution is watched. */
export interface PollingPlan {
	/** When to look first after the start (published: 5 s), and the shortest time between two looks. */
	firstMilliseconds: number;
	/** The longest time between two looks; only the service itself can ask for more. */
	longestMilliseconds: number;
	/** When to look last and give up, counted from the start. */
	timeoutMilliseconds: number;
}

export const DEFAULT_PLAN: PollingPlan = {
	firstMilliseconds: 5_000,
	longestMilliseconds: 60_000,
	timeoutMilliseconds: 60 * 60_000,
};

/** What is known when it is decided when to look next. Times in milliseconds since the start. */
export interface Known {
	waited: number;
	/** When the last look ended; undefined before the first. */
	lastLook: number | undefined;
	/** Before that the service does not want to be asked. */
	notBefore: number;
	/** By then it is to be looked at whatever that is worth; infinite where nothing asks for that. */
	dueBy: number;
	/** How long executions of the same workflow take. */
	durations: LifeTable;
	/** Against many looks at the same moment: from 0 to 1, drawn anew for each look. */
	random: number;
}

/**
 * A look is worth its cost as soon as an execution, by what is known, can be expected to have lain there ended and unnoticed for this
 * share of its duration. (Assumed: 50 executions of the durations that are published are then looked at 8 times each.)
 */
const PRICE_OF_A_LOOK = 0.008;

/** Shorter executions count as being so many times the first look long: whether 10 s or 15 s pass is not worth many looks. */
const SHORTEST_THAT_COUNTS = 40;

/**
 * By chance the first look is up to this share of its time later, and one at the longest interval up to this share of it sooner:
 * waits that begin in the same moment would else be in step for good. (In between, the price leaves to chance when a look is due.)
 */
const JITTER = 0.1;

/** Two looks are never closer together, whatever the plan: an expression may give it numbers that would ask without end. */
const SHORTEST_INTERVAL_MILLISECONDS = 100;

/**
 * How long to wait before the next look, by what is known now, in whole milliseconds; zero when it is time to look. Never past the timeout,
 * never before the service wants it but for the look at the timeout, and else neither sooner nor later than planned, but for the jitter.
 */
export function delayBeforeLook(plan: PollingPlan, known: Known): number {
	return Math.max(
		0,
		Math.ceil(Math.min(timeOfLook(plan, known), plan.timeoutMilliseconds) - known.waited),
	);
}

function timeOfLook(
	plan: PollingPlan,
	{ lastLook, notBefore, dueBy, durations, random }: Known,
): number {
	const { firstMilliseconds, longestMilliseconds } = plan;
	if (lastLook === undefined) return Math.max(firstMilliseconds * (1 + JITTER * random), notBefore);
	const longest = longestMilliseconds * (1 - JITTER * (1 - random));
	const earliest =
		lastLook + Math.max(SHORTEST_INTERVAL_MILLISECONDS, Math.min(firstMilliseconds, longest));
	const price = PRICE_OF_A_LOOK * (0.5 + random);
	const worthIt = timeWorthALook(
		durations,
		lastLook,
		lastLook + longest,
		price,
		SHORTEST_THAT_COUNTS * firstMilliseconds,
	);
	return Math.max(earliest, notBefore, Math.min(dueBy, worthIt));
}

/**
 * When the expected time unnoticed has grown to the price. It grows ever faster: each millisecond by the share that has ended, and
 * that share grows by the hazard. Where endings are rare, looks are rare; where nothing is known, this comes to a fixed proportion of
 * the time waited.
 */
function timeWorthALook(
	durations: LifeTable,
	lastLook: number,
	latest: number,
	price: number,
	shortest: number,
): number {
	let running = 1;
	let ended = 0;
	let unnoticed = 0;
	for (const { from, to, hazard } of durations.spans(lastLook, latest)) {
		const time = to - from;
		const ending = (hazard * running) / Math.max(shortest, (from + to) / 2);
		const more = ended * time + (ending * time ** 2) / 2;
		const missing = price - unnoticed;
		if (more >= missing)
			return from + (2 * missing) / (ended + Math.sqrt(ended ** 2 + 2 * ending * missing));
		unnoticed += more;
		ended += ending * time;
		running *= Math.exp(-hazard * time);
	}
	return latest;
}
