import type { Sighting } from './measures';
import { measure } from './measures';

const FIRST_LOOK = 5;
const LONGEST_INTERVAL = 60;

/**
 * The best that any rule can do for executions that end independently of each other: how they are distributed is known beforehand
 * to the second, and the looks are placed so that lag and looks cost least, found by going backwards from the longest duration. First
 * look and longest interval are those of the package. `weight`: how much a second of lag counts for an execution of that duration.
 */
export function watchBestPossible(
	durations: readonly number[],
	looks: number,
	weight: (duration: number) => number,
): Sighting[] {
	const table = new Sums(durations, weight);
	let [low, high] = [1e-6, 1];
	for (let step = 0; step < 20; step++) {
		const price = Math.sqrt(low * high);
		if (measure(sightings(durations, cheapestLooks(table, price))).looks > looks) low = price;
		else high = price;
	}
	return sightings(durations, cheapestLooks(table, high));
}

/** Sums over all durations up to each second, so that what an interval costs is had at once. */
class Sums {
	readonly last: number;

	private readonly counts: number[] = [];

	private readonly weights: number[] = [];

	private readonly weightedEnds: number[] = [];

	constructor(durations: readonly number[], weight: (duration: number) => number) {
		const scale =
			durations.length / durations.reduce((sum, duration) => sum + weight(duration) * duration, 0);
		const sorted = [...durations].sort((a, b) => a - b);
		this.last = Math.ceil(sorted.at(-1) ?? 0);
		let [count, weights, weightedEnds] = [0, 0, 0];
		for (let second = 0; second <= this.last; second++) {
			for (
				let duration = sorted[count];
				duration !== undefined && duration <= second;
				duration = sorted[++count]
			) {
				weights += weight(duration) * scale;
				weightedEnds += weight(duration) * scale * duration;
			}
			this.counts.push(count);
			this.weights.push(weights);
			this.weightedEnds.push(weightedEnds);
		}
	}

	running(second: number): number {
		return (this.counts[this.last] ?? 0) - (this.counts[second] ?? 0);
	}

	/** The weighted lag of all that end between two looks. */
	lag(from: number, to: number): number {
		return (
			to * ((this.weights[to] ?? 0) - (this.weights[from] ?? 0)) -
			((this.weightedEnds[to] ?? 0) - (this.weightedEnds[from] ?? 0))
		);
	}
}

/** The times of the looks for which lag and looks, each at its price, cost least together. */
function cheapestLooks(table: Sums, price: number): number[] {
	const cost = Array<number>(table.last + 1).fill(0);
	const next = Array<number>(table.last + 1).fill(table.last);
	for (let from = table.last - 1; from >= 0; from--) {
		let least = Infinity;
		const [first, last] =
			from === 0
				? [FIRST_LOOK, FIRST_LOOK]
				: [from + 1, Math.min(from + LONGEST_INTERVAL, table.last)];
		for (let to = first; to <= last; to++) {
			const there = price * table.running(from) + table.lag(from, to) + (cost[to] ?? 0);
			if (there >= least) continue;
			least = there;
			next[from] = to;
		}
		cost[from] = least;
	}
	const looks: number[] = [];
	for (let look = next[0] ?? 0; looks.at(-1) !== table.last; look = next[look] ?? table.last)
		looks.push(look);
	return looks;
}

function sightings(durations: readonly number[], looks: readonly number[]): Sighting[] {
	return durations.map((duration) => {
		const index = looks.findIndex((look) => look >= duration);
		return { duration, lag: (looks[index] ?? 0) - duration, looks: index + 1 };
	});
}
