import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
	const generator = xoroshiro128plus(seed);
	return () => uniformFloat64(generator);
}

/** How long executions take, in seconds. */
export type Durations = (count: number, random: Random) => number[];

/** The spread with which three plain rules come to the numbers of checks and the lags that are known of them. */
const PUBLISHED_SPREAD = 0.4;
const PUBLISHED_MEDIAN_SECONDS = 100;

/**
 * As published: 95 of 100 lognormal with a median of 100 s, 5 of 100 uniform from 10 to 60 minutes. The long ones are exactly so
 * many, evenly spread over their range, in random places: else their chance number would drown what is measured.
 */
export const published: Durations = (count, random) => {
	const long = Math.round(count / 20);
	const durations = Array.from({ length: count }, (_, index) =>
		index < long
			? 600 + (3000 * (index + 0.5)) / long
			: lognormal(PUBLISHED_MEDIAN_SECONDS, PUBLISHED_SPREAD, random),
	);
	return shuffled(durations, random);
};

/** Not as published. */
export const OTHER_DURATIONS: Record<string, Durations> = {
	'15 s': each((random) => lognormal(15, 0.3, random)),
	'1 to 3 min': each((random) => 60 + 120 * random()),
	'10 min': each((random) => lognormal(600, 0.1, random)),
	'40 min': each((random) => lognormal(2400, 0.02, random)),
};

function each(draw: (random: Random) => number): Durations {
	return (count, random) => Array.from({ length: count }, () => draw(random));
}

/** By the method of Box and Muller. */
function lognormal(median: number, spread: number, random: Random): number {
	const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	return median * Math.exp(spread * normal);
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
	return list
		.map((item) => ({ item, place: random() }))
		.sort((a, b) => a.place - b.place)
		.map(({ item }) => item);
}
