/** How many checks are needed, and how late an end is noticed, in the simulation of the benchmark. Both are averages. */
import { OTHER_DURATIONS, published, seeded } from '../../../benchmarks/simulation/durations';
import {
	measure,
	PAUSE_AFTER,
	RULES,
	watchByPackage,
	watchByRule,
} from '../../../benchmarks/simulation/watches';

function drawn(count = 2_000) {
	const random = seeded(1);
	return { random, durations: published(count, random) };
}

describe('with published durations', () => {
	it.each([
		['every 5 s', 42, 2.5],
		['5 s, × 1.5, up to 30 s', 10, 15],
		['15 % of the time waited, 5 to 60 s', 17, 9],
	] as const)('polling %s takes %d checks and lags %d s, as calculated', (name, checks, lag) => {
		const measures = measure(watchByRule(drawn(8_000).durations, RULES[name]));
		expect(measures.checks).toBeCloseTo(checks, -0.3);
		expect(Math.abs(measures.lag - lag)).toBeLessThan(0.5);
	});

	it.each([
		['one item', false, 11, 0.045],
		['each of several items', true, 9, 0.055],
	])(
		'%s takes few checks and is noticed soon (several: %s; at most %d checks, %d of the duration)',
		async (_, isBatch, mostChecks, mostLag) => {
			const { random, durations } = drawn();
			const { checks, lagToDuration } = measure(await watchByPackage(durations, isBatch, random));
			expect(checks).toBeLessThanOrEqual(mostChecks);
			expect(lagToDuration).toBeLessThanOrEqual(mostLag);
		},
	);
});

it('In production, where n8n pauses soon, a result of one to three minutes is noticed 20 s later on average', async () => {
	const { random, durations } = drawn();
	const usual = durations.filter((duration) => duration >= 60 && duration <= 180);
	const measures = measure(await watchByPackage(usual, false, random, PAUSE_AFTER.production));
	expect(measures.lag).toBeLessThanOrEqual(20);
	expect(measures.held).toBeLessThanOrEqual(20);
	expect(measures.pauses).toBeLessThanOrEqual(4);
});

it.each(Object.entries(OTHER_DURATIONS))(
	'With durations of %s, the package takes no more checks than polling after each 15 % of the time waited up to a minute, and lags at most 10 s more',
	async (_, draw) => {
		const random = seeded(1);
		const durations = draw(200, random);
		const plain = measure(watchByRule(durations, RULES['15 % of the time waited, 5 to 60 s']));
		for (const isBatch of [false, true]) {
			const { checks, lag } = measure(await watchByPackage(durations, isBatch, random));
			expect(checks).toBeLessThanOrEqual(plain.checks);
			expect(lag).toBeLessThanOrEqual(plain.lag + 10);
		}
	},
);
