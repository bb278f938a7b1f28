/** How often is looked, and how late an end is noticed, by the simulation of the benchmark. Looks and lags are averages. */
import { OTHER_DURATIONS, published, seeded } from '../../../benchmarks/simulation/durations';
import { measure } from '../../../benchmarks/simulation/measures';
import { watchBestPossible } from '../../../benchmarks/simulation/optimum';
import { PLAIN_RULE, RULES, watchByRule } from '../../../benchmarks/simulation/rules';
import { alone, staggered, together, watchBatches } from '../../../benchmarks/simulation/watches';

// A simulation of thousands of executions; on a busy machine it takes its time.
jest.setTimeout(120_000);

function drawn(count = 2_000) {
	const random = seeded(1);
	return { random, durations: published(count, random) };
}

describe('with durations as published', () => {
	it.each([
		['every 5 s', 42, 2.5],
		['5 s, × 1.5, up to 30 s', 10, 15],
		['15 % of the time waited, 5 to 60 s', 17, 9],
	])('a look %s takes %d looks and lags %d s, as is known', (name, looks, lag) => {
		const rule = RULES[name] ?? PLAIN_RULE;
		const measures = measure(watchByRule(drawn(20_000).durations, rule));
		expect(measures.looks).toBeCloseTo(looks, -0.3);
		expect(Math.abs(measures.lag - lag)).toBeLessThan(0.5);
	});

	it('one execution takes at most 16 looks, and the lag is at most 8 % of its duration', async () => {
		const { random, durations } = drawn();
		const { looks, ownLag } = measure(await watchBatches(alone(durations), random));
		expect(looks).toBeLessThanOrEqual(16);
		expect(ownLag).toBeLessThanOrEqual(0.08);
	});

	it('one of 50 that start together takes at most 8 looks, and the lag is at most 5 % of the duration', async () => {
		const { random, durations } = drawn();
		const { looks, lagToDuration } = measure(await watchBatches(together(durations, 50), random));
		expect(looks).toBeLessThanOrEqual(8);
		expect(lagToDuration).toBeLessThanOrEqual(0.05);
	});

	it('so does one of 50 that start as eight uploads at a time let them', async () => {
		const { random, durations } = drawn();
		const { looks, lagToDuration } = measure(
			await watchBatches(staggered(durations, 50, 8, random), random),
		);
		expect(looks).toBeLessThanOrEqual(8);
		expect(lagToDuration).toBeLessThanOrEqual(0.05);
	});

	it('no rule comes with 8 looks to 5 % of the duration of each: that takes more than 10', () => {
		const { durations } = drawn();
		expect(
			measure(watchBestPossible(durations, 8, (duration) => 1 / duration)).ownLag,
		).toBeGreaterThan(0.075);
		expect(
			measure(watchBestPossible(durations, 10, (duration) => 1 / duration)).ownLag,
		).toBeGreaterThan(0.05);
	});
});

describe('with other durations', () => {
	it.each(Object.entries(OTHER_DURATIONS))(
		'of %s neither one execution nor a batch takes more looks than by the plain rule, nor lags 5 s more',
		async (_name, draw) => {
			const random = seeded(1);
			const durations = draw(200, random);
			const plain = measure(watchByRule(durations, PLAIN_RULE));
			for (const batches of [alone(durations), together(durations, 50)]) {
				const { looks, lag } = measure(await watchBatches(batches, random));
				expect(looks).toBeLessThanOrEqual(plain.looks);
				expect(lag).toBeLessThanOrEqual(plain.lag + 5);
			}
		},
	);
});
