/** How often an execution is checked and how late its end is noticed, by rule. The same each time. */
import { tableOf } from './figures';
import { OTHER_DURATIONS, published, seeded } from './simulation/durations';
import {
	measure,
	OF_N8N,
	PAUSE_AFTER,
	RULES,
	watchByPackage,
	watchByRule,
	type Sighting,
} from './simulation/watches';

const SEED = 4;
const AS_PUBLISHED = 8_000;
const OTHERWISE = 1_000;
const OTHER_WAYS = ['this package, one item, in production', 'the same in the editor', OF_N8N];

/** Prints its tables: nothing in them depends on the machine. */
export async function polling(): Promise<void> {
	console.log(
		`${AS_PUBLISHED} executions, durations as published: 95 % lognormal (median 100 s, sigma 0.4), 5 % from 10 to 60 minutes`,
	);
	console.log(await asPublished());
	console.log(`\n${OTHERWISE} executions each, other durations: mean lag`);
	console.log(await otherwise());
}

async function asPublished(): Promise<string> {
	const random = seeded(SEED);
	const durations = published(AS_PUBLISHED, random);
	const rows: Array<[string, Sighting[]]> = [
		...Object.entries(RULES).map(([name, rule]): [string, Sighting[]] => [
			name,
			watchByRule(durations, rule),
		]),
		['this package, one item, in the editor', await watchByPackage(durations, false, random)],
		['this package, several items, in the editor', await watchByPackage(durations, true, random)],
		[
			'this package, in production',
			await watchByPackage(durations, false, random, PAUSE_AFTER.production),
		],
	];
	return tableOf(
		['rule', 'checks', 'mean lag', 'mean lag / mean duration', 'mean of lag / duration'],
		rows.map(([name, sightings]) => {
			const { checks, lag, lagToDuration, ownLag } = measure(sightings);
			return [name, checks.toFixed(1), inSeconds(lag), inPercent(lagToDuration), inPercent(ownLag)];
		}),
	).toString();
}

async function otherwise(): Promise<string> {
	const rows: string[][] = [];
	for (const [name, draw] of Object.entries(OTHER_DURATIONS)) {
		const random = seeded(SEED);
		const durations = draw(OTHERWISE, random);
		const watched = [
			await watchByPackage(durations, false, random, PAUSE_AFTER.production),
			await watchByPackage(durations, false, random),
			watchByRule(durations, RULES[OF_N8N]),
		];
		rows.push([name, ...watched.map(measure).map(({ lag }) => inSeconds(lag))]);
	}
	return tableOf(['each takes', ...OTHER_WAYS], rows).toString();
}

function inSeconds(seconds: number): string {
	return `${seconds.toFixed(1)} s`;
}

function inPercent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
