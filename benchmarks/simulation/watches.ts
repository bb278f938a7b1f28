/** Executions that are polled, in time that passes at once: by plain rules, and by the code of the package itself. */
import { DEFAULT_PLAN } from '../../harness/defaultPlan';
import { SHORTEST_PAUSE } from '../../nodes/DocumentWorkflow/pausing/pause';
import { timeOfNextCheck } from '../../service/polling';
import { watch as watchExecution } from '../../service/wait';
import type { Random } from './durations';

/** n8n queries so often which pauses end. */
const MINUTE = 60_000;
/** When n8n pauses by default, in milliseconds. */
export const PAUSE_AFTER = { production: 20_000, editor: 3 * MINUTE };

/** How one execution was watched, in seconds. */
export interface Sighting {
	duration: number;
	/** How long after its end a check saw that it had ended. */
	lag: number;
	checks: number;
	/** How long n8n held the wait in memory before its first pause. */
	held: number;
	/** How often n8n paused. */
	pauses: number;
}

/** When to check next, in seconds since the start: by the time of the last check, and how many there were. */
type Rule = (lastCheck: number, checks: number) => number;

/** What users build without this package. */
export const OF_N8N = "n8n's nodes Wait and HTTP Request, every minute";

/** The yardsticks: what is commonly done. */
export const RULES = {
	'every 5 s': (lastCheck) => lastCheck + 5,
	'5 s, × 1.5, up to 30 s': (lastCheck, checks) => lastCheck + Math.min(5 * 1.5 ** checks, 30),
	'15 % of the time waited, 5 to 60 s': (lastCheck) =>
		lastCheck + Math.min(Math.max(0.15 * lastCheck, 5), 60),
	[OF_N8N]: (lastCheck) => lastCheck + 60,
} satisfies Record<string, Rule>;

export function watchByRule(durations: readonly number[], rule: Rule): Sighting[] {
	return durations.map((duration) => {
		let checks = 0;
		let check = 0;
		do check = rule(check, checks++);
		while (check < duration);
		return { duration, lag: check - duration, checks, held: check, pauses: 0 };
	});
}

/** By the rule of the package, as a single execution or as one of a run with several items. */
export async function watchByPackage(
	durations: readonly number[],
	isBatch: boolean,
	random: Random,
	pauseAfter = PAUSE_AFTER.editor,
): Promise<Sighting[]> {
	const sightings: Sighting[] = [];
	for (const duration of durations)
		sightings.push(await watch(duration, isBatch, random, pauseAfter));
	return sightings;
}

/** The service answers at once, and every answer arrives. No notification does. */
async function watch(
	duration: number,
	isBatch: boolean,
	random: Random,
	pauseAfter: number,
): Promise<Sighting> {
	const plan = DEFAULT_PLAN;
	const schedule = { ...plan, since: 0, until: plan.timeoutMilliseconds, isBatch: false };
	const sinceQuery = MINUTE * random();
	let now = 0;
	const { wait, check } = await watchExecution(
		{
			send: async () => ({
				kind: 'answer',
				status: 200,
				headers: {},
				body: { status: now < duration * 1000 ? 'running' : 'completed' },
			}),
			pause: async (milliseconds) => void (now += milliseconds),
			now: () => now,
			...{ pauseAt: pauseAfter, isBatch, random },
		},
		{
			...{ workflowId: 'w', executionId: 'e', known: 'created' },
			...{ since: 0, until: plan.timeoutMilliseconds, checks: 0, ...plan },
		},
	);
	const held = now / 1000;
	let { checks } = wait;
	if (check.kind === 'lost') throw new Error(`An execution of ${duration} s was lost`);
	let pauses = 0;
	if (check.kind === 'again')
		do {
			const query = MINUTE * Math.ceil((now + sinceQuery) / MINUTE) - sinceQuery;
			const pausing = { ...schedule, firstMilliseconds: SHORTEST_PAUSE };
			const wanted = timeOfNextCheck(pausing, now, random());
			now = Math.max(wanted, query);
			checks++;
			pauses++;
		} while (now < duration * 1000);
	return { duration, lag: now / 1000 - duration, checks, held, pauses };
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
	/** Of an execution, on average. */
	pauses: number;
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
		pauses: mean((each) => each.pauses),
	};
}
