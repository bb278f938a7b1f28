import fc from 'fast-check';
import { LifeTable } from '../../../service/lifeTable';
import type { Known, PollingPlan } from '../../../service/polling';
import { DEFAULT_PLAN, delayBeforeLook } from '../../../service/polling';

/** The times of the looks until `end`, in seconds, when nothing is seen but that the execution runs. The first is not put off by chance. */
function looksUntil(
	end: number,
	durations = new LifeTable(),
	plan = DEFAULT_PLAN,
	random = 0.5,
): number[] {
	const looks: number[] = [];
	for (let lastLook: number | undefined; ;) {
		const waited: number = lastLook ?? 0;
		lastLook =
			waited +
			delayBeforeLook(plan, {
				waited,
				lastLook,
				notBefore: 0,
				dueBy: Infinity,
				durations,
				random: lastLook === undefined ? 0 : random,
			});
		if (lastLook > end * 1000) return looks;
		looks.push(Math.round(lastLook / 1000));
	}
}

/** Twenty executions that took about so many seconds. */
function siblings(seconds: number): LifeTable {
	const table = new LifeTable();
	for (let execution = 0; execution < 20; execution++) {
		table.sawRunning(0, seconds * 980);
		table.sawEnded(seconds * 980, seconds * 1020);
	}
	return table;
}

const known = (more: Partial<Known>): Known => ({
	waited: 0,
	lastLook: undefined,
	notBefore: 0,
	dueBy: Infinity,
	durations: new LifeTable(),
	random: 0.5,
	...more,
});

describe('when to look next', () => {
	it('is 5 s after the start at first, then in proportion to the time waited, and closest together from 1 to 3 minutes', () => {
		expect(looksUntil(300)).toEqual([
			5, 13, 25, 40, 60, 69, 79, 89, 100, 112, 124, 137, 151, 165, 180, 194, 233, 278,
		]);
	});

	it('is about every minute after ten minutes', () => {
		const looks = looksUntil(1200).filter((look) => look > 600);
		expect(looks.slice(1).map((look, index) => look - (looks[index] ?? 0))).toEqual(
			Array(looks.length - 1).fill(57),
		);
	});

	it('is when siblings have ended, once it is known how long those took', () => {
		expect(looksUntil(160, siblings(150)).length).toBeLessThan(looksUntil(160).length / 2);
		expect(looksUntil(160, siblings(150)).filter((look) => look > 130).length).toBeGreaterThan(1);
		expect(looksUntil(30, siblings(20))).toEqual(expect.arrayContaining([20]));
	});

	it('is as late as can be while siblings that are far ahead still run', () => {
		const table = new LifeTable();
		for (let execution = 0; execution < 50; execution++) table.sawRunning(0, 400_000);
		expect(looksUntil(300, table)).toEqual([5, 62, 119, 176, 233, 290]);
	});

	it('is sooner or later by chance, so that not all look at the same moment', () => {
		const next = (random: number) =>
			delayBeforeLook(DEFAULT_PLAN, known({ waited: 100_000, lastLook: 100_000, random }));
		expect(next(0)).toBeLessThan(next(0.5) * 0.8);
		expect(next(1)).toBeGreaterThan(next(0.5) * 1.15);
	});

	it('is by chance up to a tenth later at first, and up to a tenth sooner where it would be at the latest', () => {
		const first = (random: number) => delayBeforeLook(DEFAULT_PLAN, known({ random }));
		expect([0, 0.5, 1].map(first)).toEqual([5_000, 5_250, 5_500]);
		const late = (plan: PollingPlan) =>
			[0, 0.5, 1].map((random) =>
				delayBeforeLook(plan, known({ waited: 1_200_000, lastLook: 1_200_000, random })),
			);
		expect(late(DEFAULT_PLAN)).toEqual([54_000, 57_000, 60_000]);
		expect(late({ ...DEFAULT_PLAN, firstMilliseconds: 60_000 })).toEqual([54_000, 57_000, 60_000]);
	});

	it('is when it is due, be it worth its cost or not, but no closer to the last than planned and no sooner than the service asks', () => {
		const due = (dueBy: number, more: Partial<Known> = {}) =>
			delayBeforeLook(
				DEFAULT_PLAN,
				known({ waited: 1_200_000, lastLook: 1_200_000, dueBy, ...more }),
			);
		expect(due(1_220_000)).toBe(20_000);
		expect(due(1_202_000)).toBe(5_000);
		expect(due(1_220_000, { notBefore: 1_290_000 })).toBe(90_000);
		expect(due(2_000_000)).toBe(due(Infinity));
	});

	it('is never at once after the last, however small the numbers of the plan', () => {
		const plan = { ...DEFAULT_PLAN, firstMilliseconds: 1, longestMilliseconds: 1 };
		expect(delayBeforeLook(plan, known({ random: 0 }))).toBe(1);
		for (const random of [0, 1])
			expect(delayBeforeLook(plan, known({ waited: 50, lastLook: 50, random }))).toBe(100);
	});

	it('is no sooner than the service asks, later than the longest interval too', () => {
		expect(
			delayBeforeLook(DEFAULT_PLAN, known({ waited: 5_000, lastLook: 5_000, notBefore: 125_000 })),
		).toBe(120_000);
		expect(delayBeforeLook(DEFAULT_PLAN, known({ notBefore: 9_000 }))).toBe(9_000);
	});

	it('is at the end of the time limit when the next look would come after it', () => {
		const plan = { ...DEFAULT_PLAN, timeoutMilliseconds: 7_000 };
		expect(delayBeforeLook(plan, known({ waited: 5_000, lastLook: 5_000 }))).toBe(2_000);
		expect(
			delayBeforeLook(plan, known({ waited: 5_000, lastLook: 5_000, notBefore: 60_000 })),
		).toBe(2_000);
		expect(delayBeforeLook(plan, known({ waited: 7_100, lastLook: 5_000 }))).toBe(0);
		expect(delayBeforeLook({ ...plan, timeoutMilliseconds: 3_000 }, known({}))).toBe(3_000);
		expect(delayBeforeLook(plan, known({ waited: 6_950, lastLook: 6_950 }))).toBe(50);
	});

	it('is with a later first look later throughout', () => {
		const looks = looksUntil(300, new LifeTable(), { ...DEFAULT_PLAN, firstMilliseconds: 30_000 });
		expect(looks[0]).toBe(30);
		expect(looks.length).toBeLessThan(looksUntil(300).length / 2);
	});
});

const milliseconds = fc.integer({ min: 1, max: 10_000_000 });
const anyPlan: fc.Arbitrary<PollingPlan> = fc.record({
	firstMilliseconds: milliseconds,
	longestMilliseconds: milliseconds,
	timeoutMilliseconds: milliseconds,
});

/** What a batch may have seen. */
const anyDurations = fc
	.array(
		fc.record({
			from: milliseconds,
			more: milliseconds,
			hasEnded: fc.boolean(),
			times: fc.integer({ min: 1, max: 20 }),
		}),
		{ maxLength: 5 },
	)
	.map((sights) => {
		const table = new LifeTable();
		for (const { from, more, hasEnded, times } of sights) {
			for (let execution = 0; execution < times; execution++) {
				if (hasEnded) table.sawEnded(from, from + more);
				else table.sawRunning(from, from + more);
			}
		}
		return table;
	});

const anyMoment = fc
	.record({
		lastLook: milliseconds,
		since: fc.nat(100_000),
		notBefore: fc.nat(12_000_000),
		dueBy: fc.option(milliseconds, { nil: Infinity }),
		durations: anyDurations,
		random: fc.double({ min: 0, max: 1, noNaN: true }),
	})
	.map(({ since, ...moment }) => ({ ...moment, waited: moment.lastLook + since }));

describe('the next look, whatever the plan and whatever is known,', () => {
	it('is never past the time limit, and when it is over at once', () => {
		fc.assert(
			fc.property(anyPlan, anyMoment, (plan, moment) => {
				const delay = delayBeforeLook(plan, moment);
				if (moment.waited >= plan.timeoutMilliseconds) expect(delay).toBe(0);
				else expect(moment.waited + delay).toBeLessThanOrEqual(plan.timeoutMilliseconds);
			}),
		);
	});

	/** A tenth is left to chance, and a tenth of a second is never gone below. */
	const shortestOf = ({ firstMilliseconds, longestMilliseconds }: PollingPlan) =>
		Math.max(100, Math.min(firstMilliseconds, 0.9 * longestMilliseconds));

	it('is before the time limit neither sooner than the service asks nor closer to the last than planned', () => {
		fc.assert(
			fc.property(anyPlan, anyMoment, (plan, moment) => {
				const look = moment.waited + delayBeforeLook(plan, moment);
				const shortest = shortestOf(plan);
				const earliest = Math.max(moment.notBefore, moment.lastLook + shortest);
				expect(look).toBeGreaterThanOrEqual(Math.min(earliest, plan.timeoutMilliseconds));
			}),
		);
	});

	it('is at most the longest interval after the last, unless the service asks for more', () => {
		fc.assert(
			fc.property(anyPlan, anyMoment, (plan, moment) => {
				const look = moment.waited + delayBeforeLook(plan, moment);
				expect(look).toBeLessThanOrEqual(
					Math.max(
						moment.waited,
						moment.notBefore,
						moment.lastLook + Math.max(100, plan.longestMilliseconds),
					),
				);
			}),
		);
	});

	it('comes: the looks reach the time limit in steps that can be counted', () => {
		fc.assert(
			fc.property(anyPlan, anyDurations, (plan, durations) => {
				let waited = delayBeforeLook(plan, known({ durations }));
				const most = plan.timeoutMilliseconds / shortestOf(plan) + 2;
				let looks = 1;
				for (; waited < plan.timeoutMilliseconds && looks < 1000; looks++)
					waited += delayBeforeLook(plan, known({ durations, waited, lastLook: waited }));
				expect(looks).toBeLessThanOrEqual(most);
			}),
		);
	});
});
