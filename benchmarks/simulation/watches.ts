/** Executions that are polled, in time that passes at once: by plain rules, and by the code of the package itself. */
import { DEFAULT_PLAN } from '../../harness/defaultPlan';
import { watchExecution } from '../../service/watching';
import type { Random } from './durations';

/** How one execution was watched, in seconds. */
export interface Sighting {
	duration: number;
	/** How long after its end a check saw that it had ended. */
	lag: number;
	checks: number;
}

/** When to check next, in seconds since the start: by the time of the last check, and how many there were. */
type Rule = (lastCheck: number, checks: number) => number;

/** The yardsticks: what is commonly done. */
export const RULES = {
	'every 5 s': (lastCheck) => lastCheck + 5,
	'5 s, × 1.5, up to 30 s': (lastCheck, checks) => lastCheck + Math.min(5 * 1.5 ** checks, 30),
	'15 % of the time waited, 5 to 60 s': (lastCheck) =>
		lastCheck + Math.min(Math.max(0.15 * lastCheck, 5), 60),
} satisfies Record<string, Rule>;

export function watchByRule(durations: readonly number[], rule: Rule): Sighting[] {
	return durations.map((duration) => {
		let checks = 0;
		let check = 0;
		do check = rule(check, checks++);
		while (check < duration);
		return { duration, lag: check - duration, checks };
	});
}

/** By the rule of the package, as a single execution or as one of a run with several items. */
export async function watchByPackage(
	durations: readonly number[],
	isBatch: boolean,
	random: Random,
): Promise<Sighting[]> {
	const sightings: Sighting[] = [];
	for (const duration of durations) sightings.push(await watch(duration, isBatch, random));
	return sightings;
}

/** Longer than the longest of the durations. */
const PLAN = { ...DEFAULT_PLAN, timeoutMilliseconds: 2 * DEFAULT_PLAN.timeoutMilliseconds };

/** The service answers at once, and every answer arrives. */
async function watch(duration: number, isBatch: boolean, random: Random): Promise<Sighting> {
	let now = 0;
	const watched = await watchExecution({
		send: async () => ({
			kind: 'answer',
			status: 200,
			headers: {},
			body: { status: now < duration * 1000 ? 'running' : 'completed' },
		}),
		pause: async (milliseconds) => void (now += milliseconds),
		now: () => now,
		plan: PLAN,
		workflowId: 'w',
		executionId: 'e',
		isFresh: true,
		isBatch,
		random,
	});
	if (watched.end !== 'finished')
		throw new Error(`An execution of ${duration} s was watched until: ${watched.end}`);
	return { duration, lag: now / 1000 - duration, checks: watched.checks };
}

export interface Measures {
	/** Of an execution, on average. */
	checks: number;
	/** Seconds, on average. */
	lag: number;
	/** The mean lag divided by the mean duration. */
	lagToDuration: number;
	/** The mean of what each lag is of its own duration: here a short execution weighs as much as a long one. */
	ownLag: number;
}

export function measure(sightings: readonly Sighting[]): Measures {
	const mean = (value: (sighting: Sighting) => number) =>
		sightings.reduce((sum, each) => sum + value(each), 0) / sightings.length;
	const lag = mean((each) => each.lag);
	return {
		checks: mean((each) => each.checks),
		lag,
		lagToDuration: lag / mean((each) => each.duration),
		ownLag: mean((each) => each.lag / each.duration),
	};
}
