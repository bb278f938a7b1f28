import type * as Continuation from '../../../../nodes/DocumentWorkflow/pausing/continuation';
import type { time as Time } from '../../../../nodes/DocumentWorkflow/connection/time';

/** A process whose clock moves only in sleeps, whose timers are late as long as it is busy. */
function processOf({ age, busyUntil }: { age: number; busyUntil: number }) {
	jest.resetModules();
	const { time } = jest.requireActual<{ time: typeof Time }>(
		'../../../../nodes/DocumentWorkflow/connection/time',
	);
	const { afterStart } = jest.requireActual<typeof Continuation>(
		'../../../../nodes/DocumentWorkflow/pausing/continuation',
	);
	let now = age;
	const sleeps: number[] = [];
	time.age = () => now;
	time.now = () => now;
	time.sleep = async (milliseconds) => {
		sleeps.push(now);
		now += milliseconds + (now < busyUntil ? 60 : 50);
		return new Promise(setImmediate);
	};
	return {
		after: async (pausedBy = 0) => afterStart(pausedBy),
		own: performance.timeOrigin,
		time,
		sleeps,
	};
}

describe('The first runs after a start of n8n that continue a pause', () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.5));
	afterEach(() => jest.restoreAllMocks());

	it.each([
		['of ten seconds', 10_000, 20_000, 22_000, 75_000 + 37_500],
		['of two minutes', 120_000, 120_000, 122_000, 142_200 + 37_500],
		['that keeps n8n busy for long', 10_000, 1e9, 100_000, 120_190 + 37_500],
	])(
		'wait for two seconds without a late timer after a start %s, and pause again',
		async (_start, age, busy, quiet, later) => {
			const { after, time } = processOf({ age, busyUntil: busy });
			expect(await after()).toBe(later);
			expect(time.age()).toBeGreaterThanOrEqual(quiet);
			expect(time.age()).toBeLessThan(quiet + 400);
		},
	);

	it('wait for two seconds without a new run', async () => {
		const { after, time } = processOf({ age: 10_000, busyUntil: 0 });
		const first = after();
		while (time.age() < 11_500) await new Promise(setImmediate);
		await Promise.all([after(), first]);
		expect(time.age()).toBeGreaterThanOrEqual(13_500);
		expect(time.age()).toBeLessThan(13_900);
	});

	it('wait together, and those that come later check', async () => {
		const start = { age: 10_000, busyUntil: 12_000 };
		const single = processOf(start);
		await single.after();
		const { after, sleeps } = processOf(start);
		const together = await Promise.all([after(), after(), after()]);
		expect(together.map((later) => typeof later)).toEqual(['number', 'number', 'number']);
		expect(sleeps).toEqual(single.sleeps);
		expect(await after()).toBeUndefined();
		expect(sleeps).toEqual(single.sleeps);
	});

	it.each([
		[200, 10_000],
		[10_000, 60_000],
	])('wait longer the more of them n8n has to mark: %d', async (runs, longer) => {
		const { after, time } = processOf({ age: 10_000, busyUntil: 0 });
		await Promise.all(Array.from({ length: runs }, async () => after()));
		expect(time.age() - 12_000 - longer).toBeGreaterThanOrEqual(0);
		expect(time.age() - 12_000 - longer).toBeLessThan(400);
	});

	it('check at once when they continue a pause of the same process', async () => {
		const { after, own, sleeps } = processOf({ age: 10_000, busyUntil: 12_000 });
		expect(await after(own)).toBeUndefined();
		expect(sleeps).toEqual([]);
		expect(await after()).toBeDefined();
	});

	it('check at once when n8n has run for more than five minutes', async () => {
		const { after, sleeps } = processOf({ age: 300_001, busyUntil: 0 });
		expect([await after(), await after()]).toEqual([undefined, undefined]);
		expect(sleeps).toEqual([]);
	});
});
