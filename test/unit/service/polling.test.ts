import type { Checked, PollingPlan } from '../../../service/polling';
import { timeOfFirstCheck, timeOfNextCheck } from '../../../service/polling';
import { fc } from '../../properties';

const checked = (more: Partial<Checked>): Checked => ({
	since: 0,
	at: 0,
	isBatch: false,
	random: 0,
	...more,
});

const PLAN: PollingPlan = {
	firstMilliseconds: 5_000,
	longestMilliseconds: 60_000,
	timeoutMilliseconds: 60 * 60_000,
};

/** The times of the checks until `end`, in seconds, by default without jitter. */
function checksUntil(end: number, plan = PLAN, more: Partial<Checked> = {}): number[] {
	const checks: number[] = [];
	let at = timeOfFirstCheck(plan, 0);
	for (; at <= end * 1000; at = timeOfNextCheck(plan, checked({ ...more, at })))
		checks.push(Math.round(at / 1000));
	return checks;
}

describe('The next check', () => {
	it('comes after 5, 20 and 45 s, then every 12 s, then every minute', () => {
		expect(checksUntil(300)).toEqual([
			5, 20, 45, 57, 69, 81, 93, 105, 117, 129, 141, 153, 165, 177, 189, 201, 261,
		]);
	});

	it('comes after 30 % longer intervals in a run with several items, up to the maximum', () => {
		expect(checksUntil(130, PLAN, { isBatch: true })).toEqual([5, 25, 57, 73, 88, 104, 119]);
		const late = checked({ at: 1_200_000, isBatch: true });
		expect(timeOfNextCheck(PLAN, late)).toBe(1_260_000);
	});

	it('comes randomly up to a tenth later the first time, and up to a tenth sooner afterwards', () => {
		const first = (random: number) => timeOfFirstCheck(PLAN, random);
		expect([0, 0.5, 1].map(first)).toEqual([5_000, 5_250, 5_500]);
		const intervals = (at: number, plan: PollingPlan) =>
			[0, 0.5, 1].map((random) => Math.round(timeOfNextCheck(plan, checked({ at, random })) - at));
		expect(intervals(100_000, PLAN)).toEqual([12_000, 11_400, 10_800]);
		expect(intervals(1_200_000, PLAN)).toEqual([60_000, 57_000, 54_000]);
		expect(intervals(100_000, { ...PLAN, firstMilliseconds: 60_000 })).toEqual([
			60_000, 57_000, 54_000,
		]);
	});

	it('comes when it is due, but never before the minimum interval or the Retry-After', () => {
		const due = (dueBy: number, more: Partial<Checked> = {}) =>
			timeOfNextCheck(PLAN, checked({ at: 1_200_000, dueBy, ...more }));
		expect(due(1_220_000)).toBe(1_220_000);
		expect(due(1_202_000)).toBe(1_205_000);
		expect(due(1_220_000, { notBefore: 1_290_000 })).toBe(1_290_000);
		expect(due(2_000_000)).toBe(1_260_000);
	});

	it('comes at the timeout when it would come after it', () => {
		const plan = { ...PLAN, timeoutMilliseconds: 7_000 };
		expect(timeOfNextCheck(plan, checked({ at: 5_000 }))).toBe(7_000);
		expect(timeOfNextCheck(plan, checked({ at: 5_000, notBefore: 60_000 }))).toBe(7_000);
		expect(timeOfNextCheck(plan, checked({ at: 6_950 }))).toBe(7_000);
		expect(timeOfFirstCheck({ ...plan, timeoutMilliseconds: 3_000 }, 1)).toBe(3_000);
	});

	it('comes later, or sooner, when the first check does', () => {
		expect(checksUntil(200, { ...PLAN, firstMilliseconds: 30_000 })).toEqual([
			30, 60, 90, 120, 150, 180,
		]);
		expect(checksUntil(60, { ...PLAN, firstMilliseconds: 1_000 })).toEqual([1, 4, 16, 41, 53]);
	});
});

const milliseconds = fc.integer({ min: 1, max: 10_000_000 });
const anyPlan: fc.Arbitrary<PollingPlan> = fc.record({
	firstMilliseconds: milliseconds,
	longestMilliseconds: milliseconds,
	timeoutMilliseconds: milliseconds,
});
const anyMoment = fc.record({
	since: fc.constant(0),
	at: milliseconds,
	isBatch: fc.boolean(),
	notBefore: fc.nat(12_000_000),
	dueBy: fc.option(milliseconds, { nil: Infinity }),
	random: fc.double({ min: 0, max: 1, noNaN: true }),
});

it('For any plan and moment, the next check is within the plan, and respects the Retry-After up to the timeout', () => {
	fc.assert(
		fc.property(anyPlan, anyMoment, (plan, moment) => {
			const { firstMilliseconds: first, longestMilliseconds: longest } = plan;
			const { at, notBefore } = moment;
			const earliest = at + Math.max(100, 0.9 * Math.min(first, longest));
			const latest = Math.max(notBefore, at + Math.max(100, longest));
			const next = timeOfNextCheck(plan, moment);
			const timeout = plan.timeoutMilliseconds;
			expect(next).toBeGreaterThanOrEqual(Math.min(Math.max(earliest, notBefore), timeout));
			expect(next).toBeLessThanOrEqual(Math.min(latest, timeout));
		}),
	);
});
