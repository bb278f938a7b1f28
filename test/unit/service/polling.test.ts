import { type Schedule, timeOfFirstCheck, timeOfNextCheck } from '../../../service/polling';
import { fc } from '../../properties';

const SCHEDULE: Schedule = {
	since: 0,
	until: 60 * 60_000,
	firstMilliseconds: 5_000,
	longestMilliseconds: 60_000,
	isBatch: false,
};

/** The times of the checks until `end`, in seconds, without jitter. */
function checksUntil(end: number, more: Partial<Schedule> = {}): number[] {
	const checks: number[] = [];
	const schedule = { ...SCHEDULE, ...more };
	let at = timeOfFirstCheck(schedule, 0);
	for (; at <= end * 1000; at = timeOfNextCheck(schedule, at, 0))
		checks.push(Math.round(at / 1000));
	return checks;
}

const nextAfter = (at: number, more: Partial<Schedule> = {}, random = 0) =>
	timeOfNextCheck({ ...SCHEDULE, ...more }, at, random);

describe('The next check', () => {
	it('comes after 5, 20 and 45 s, then every 12 s, then every minute', () => {
		expect(checksUntil(300)).toEqual([
			5, 20, 45, 57, 69, 81, 93, 105, 117, 129, 141, 153, 165, 177, 189, 201, 261,
		]);
	});

	it('comes after 30 % longer intervals in a run with several items, up to the maximum', () => {
		expect(checksUntil(130, { isBatch: true })).toEqual([5, 25, 57, 73, 88, 104, 119]);
		expect(nextAfter(1_200_000, { isBatch: true })).toBe(1_260_000);
	});

	it('comes randomly up to a tenth later the first time, and up to a tenth sooner afterwards', () => {
		const first = (random: number) => timeOfFirstCheck(SCHEDULE, random);
		expect([0, 0.5, 1].map(first)).toEqual([5_000, 5_250, 5_500]);
		const intervals = (at: number, more: Partial<Schedule> = {}) =>
			[0, 0.5, 1].map((random) => Math.round(nextAfter(at, more, random) - at));
		expect(intervals(100_000)).toEqual([12_000, 11_400, 10_800]);
		expect(intervals(1_200_000)).toEqual([60_000, 57_000, 54_000]);
		expect(intervals(100_000, { firstMilliseconds: 60_000 })).toEqual([60_000, 57_000, 54_000]);
	});

	it('comes within a minute while the execution is in doubt', () => {
		const long = { until: 86_400_000, longestMilliseconds: 3_600_000 };
		expect(nextAfter(20_000_000, long)).toBe(20_600_000);
		expect(nextAfter(20_000_000, { ...long, doubtedSince: 0 })).toBe(20_060_000);
		expect(
			nextAfter(20_000_000, { longestMilliseconds: 1, until: Infinity, doubtedSince: 0 }),
		).toBe(20_000_001);
	});

	it('comes no sooner than the service asks, even beyond the maximum interval', () => {
		expect(nextAfter(5_000, { notBefore: 125_000 })).toBe(125_000);
	});

	it('comes at the timeout when it would come after it', () => {
		expect(nextAfter(5_000, { until: 7_000 })).toBe(7_000);
		expect(nextAfter(5_000, { until: 7_000, notBefore: 60_000 })).toBe(7_000);
		expect(nextAfter(6_950, { until: 7_000 })).toBe(7_000);
		expect(timeOfFirstCheck({ ...SCHEDULE, until: 3_000 }, 1)).toBe(3_000);
	});

	it('comes later, or sooner, when the first check does', () => {
		expect(checksUntil(200, { firstMilliseconds: 30_000 })).toEqual([30, 60, 90, 120, 150, 180]);
		expect(checksUntil(60, { firstMilliseconds: 1_000 })).toEqual([1, 4, 16, 41, 53]);
	});

	it('comes at most the maximum interval after the last', () => {
		expect(checksUntil(60, { longestMilliseconds: 10_000 })).toEqual([5, 15, 25, 35, 45, 55]);
	});
});

const milliseconds = fc.integer({ min: 1, max: 10_000_000 });
const anySchedule: fc.Arbitrary<Schedule> = fc.record({
	since: fc.constant(0),
	until: milliseconds,
	firstMilliseconds: milliseconds,
	longestMilliseconds: milliseconds,
	isBatch: fc.boolean(),
	notBefore: fc.nat(12_000_000),
});
const anyShare = fc.double({ min: 0, max: 1, noNaN: true });

it('For any schedule and moment, the next check is within it, and respects the Retry-After up to the time limit', () => {
	fc.assert(
		fc.property(anySchedule, milliseconds, anyShare, (schedule, at, random) => {
			const { until, notBefore = 0 } = schedule;
			const { firstMilliseconds: first, longestMilliseconds: longest } = schedule;
			const earliest = at + 0.9 * Math.min(first, longest);
			const latest = Math.max(notBefore, at + longest);
			const next = timeOfNextCheck(schedule, at, random);
			expect(next).toBeGreaterThanOrEqual(Math.min(Math.max(earliest, notBefore), until));
			expect(next).toBeLessThanOrEqual(Math.min(latest, until));
		}),
	);
});
