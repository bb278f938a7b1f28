/** Executions that are polled, in time that passes at once: by plain rules, and by the code of the package itself. */
import { DEFAULT_PLAN } from '../../harness/defaultPlan';
import { SHORTEST_PAUSE } from '../../nodes/DocumentWorkflow/pausing/pause';
import { timeOfNextCheck, type PollingPlan } from '../../service/polling';
import { watchExecution } from '../../service/watching';
import type { Random } from './durations';

const MINUTE = 60_000;
/** The default of the node's option: after that time n8n pauses between checks. */
const PAUSE_AFTER = 3 * MINUTE;

/** How one execution was watched, in seconds. */
export interface Sighting {
	duration: number;
	/** How long after its end a check saw that it had ended. */
	lag: number;
	checks: number;
	/** How long n8n held the wait in memory. */
	held: number;
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
		return { duration, lag: check - duration, checks, held: check };
	});
}

/** By the rule of the package, as a single execution or as one of a run with several items. */
export async function watchByPackage(
	durations: readonly number[],
	isBatch: boolean,
	random: Random,
	longestMilliseconds = DEFAULT_PLAN.longestMilliseconds,
): Promise<Sighting[]> {
	const sightings: Sighting[] = [];
	const plan = { ...DEFAULT_PLAN, longestMilliseconds };
	for (const duration of durations) sightings.push(await watch(duration, isBatch, random, plan));
	return sightings;
}

/** The service answers at once, and every answer arrives. No notification does. */
async function watch(
	duration: number,
	isBatch: boolean,
	random: Random,
	plan: PollingPlan,
): Promise<Sighting> {
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
		plan: { ...plan, timeoutMilliseconds: PAUSE_AFTER },
		workflowId: 'w',
		executionId: 'e',
		isFresh: true,
		isBatch,
		random,
	});
	const held = now / 1000;
	let { checks } = watched;
	if (watched.end === 'lost') throw new Error(`An execution of ${duration} s was lost`);
	if (watched.end === 'timeout')
		do {
			now = timeOfNextCheck(
				{ ...plan, firstMilliseconds: SHORTEST_PAUSE },
				{ at: now, isBatch: false, notBefore: 0, dueBy: Infinity, random: random() },
			);
			checks++;
		} while (now < duration * 1000);
	return { duration, lag: now / 1000 - duration, checks, held };
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
	/** Seconds in memory, on average. */
	held: number;
	/** Seconds until the end was noticed, on average. */
	waited: number;
	/** Of all waits, those that paused. */
	paused: number;
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
		held: mean((each) => each.held),
		waited: mean((each) => each.duration + each.lag),
		paused: mean((each) => (each.held < each.duration ? 1 : 0)),
	};
}
