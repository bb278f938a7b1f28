/** Prints how often an execution is looked at and how late its end is noticed, by rule. The same each time. */
import Table from 'cli-table3';
import { OTHER_DURATIONS, published, seeded } from './simulation/durations';
import { measure, type Sighting } from './simulation/measures';
import { watchBestPossible } from './simulation/optimum';
import { PLAIN_RULE, RULES, watchByRule } from './simulation/rules';
import { alone, staggered, together, watchBatches } from './simulation/watches';

const SEED = 4;
const BATCH = 50;
const UPLOADS = 8;
const AS_PUBLISHED = 8_000;
const OTHERWISE = 1_000;

async function main(): Promise<void> {
	console.log(
		`${AS_PUBLISHED} executions, durations as published: 95 % lognormal (median 100 s, sigma 0.4), 5 % from 10 to 60 minutes`,
	);
	console.log(await asPublished());
	console.log(`\n${OTHERWISE} executions each, other durations: looks, and mean lag`);
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
		['this package, alone', await watchBatches(alone(durations), random)],
		[`this package, ${BATCH} together`, await watchBatches(together(durations, BATCH), random)],
		[
			`this package, ${BATCH} staggered`,
			await watchBatches(staggered(durations, BATCH, UPLOADS, random), random),
		],
		['best possible for column 4, up to 8 looks', watchBestPossible(durations, 8, () => 1)],
		[
			'best possible for column 5, up to 8 looks',
			watchBestPossible(durations, 8, (duration) => 1 / duration),
		],
		[
			'best possible for column 5, up to 12 looks',
			watchBestPossible(durations, 12, (duration) => 1 / duration),
		],
	];
	return tableOf(
		['rule', 'looks', 'mean lag', 'mean lag / mean duration', 'mean of lag / duration'],
		rows.map(([name, sightings]) => {
			const { looks, lag, lagToDuration, ownLag } = measure(sightings);
			return [name, looks.toFixed(1), inSeconds(lag), inPercent(lagToDuration), inPercent(ownLag)];
		}),
	);
}

async function otherwise(): Promise<string> {
	const rows: string[][] = [];
	for (const [name, draw] of Object.entries(OTHER_DURATIONS)) {
		const random = seeded(SEED);
		const durations = draw(OTHERWISE, random);
		const watched = [
			watchByRule(durations, PLAIN_RULE),
			await watchBatches(alone(durations), random),
			await watchBatches(together(durations, BATCH), random),
		];
		rows.push([
			name,
			...watched.map(measure).flatMap(({ looks, lag }) => [looks.toFixed(1), inSeconds(lag)]),
		]);
	}
	return tableOf(['each takes', '15 % rule', '', 'alone', '', `${BATCH} together`, ''], rows);
}

function inSeconds(seconds: number): string {
	return `${seconds.toFixed(1)} s`;
}

function inPercent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}

function tableOf([first = '', ...others]: string[], rows: string[][]): string {
	const table = new Table({
		head: [first, ...others],
		colAligns: ['left', ...others.map(() => 'right' as const)],
		style: { head: [], border: [], compact: true },
	});
	table.push(...rows);
	return table.toString();
}

void main();
