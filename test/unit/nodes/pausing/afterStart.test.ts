import type * as AfterStart from '../../../../nodes/DocumentWorkflow/pausing/afterStart';
import type { time as Time } from '../../../../nodes/DocumentWorkflow/connection/time';

/** A process whose clock moves only in sleeps, and which is busy for some time. */
function processOf({ age, busyUntil }: { age: number; busyUntil: number }) {
	jest.resetModules();
	const { time } = jest.requireActual<{ time: typeof Time }>(
		'../../../../nodes/DocumentWorkflow/connection/time',
	);
	const { afterStart, PROCESS } = jest.requireActual<typeof AfterStart>(
		'../../../../nodes/DocumentWorkflow/pausing/afterStart',
	);
	let now = age;
	time.age = () => now;
	time.now = () => now;
	time.sleep = async (milliseconds) => Promise.resolve(void (now += milliseconds));
	const looks: number[] = [];
	const eventLoop = {
		eventLoopUtilization: (since?: object) => {
			if (since === undefined) looks.push(now);
			return { utilization: now <= busyUntil ? 0.9 : 0.05 };
		},
	};
	return {
		after: async (pausedBy = 0) => afterStart(pausedBy, eventLoop),
		own: PROCESS,
		time,
		looks,
	};
}

describe('The first runs after a start of n8n that continue a pause', () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.5));
	afterEach(() => jest.restoreAllMocks());

	it.each([
		['of ten seconds', 10_000, 20_000, 20_200, 75_000 + 37_500],
		['of two minutes', 120_000, 120_000, 120_300, 140_300 + 37_500],
		['that keeps n8n busy for long', 10_000, 1e9, 40_000, 75_000 + 37_500],
	])('wait for the end of a start %s, and pause again', async (_start, age, busy, idle, later) => {
		const { after, time } = processOf({ age, busyUntil: busy });
		expect(await after()).toBe(later);
		expect(time.age()).toBeGreaterThanOrEqual(idle);
		expect(time.age()).toBeLessThan(idle + 300);
	});

	it('wait together, with one look, and those that come later check', async () => {
		const start = { age: 10_000, busyUntil: 12_000 };
		const single = processOf(start);
		await single.after();
		const { after, looks } = processOf(start);
		const together = await Promise.all([after(), after(), after()]);
		expect(together.map((later) => typeof later)).toEqual(['number', 'number', 'number']);
		const count = looks.length;
		expect(looks).toEqual(single.looks);
		expect(await after()).toBeUndefined();
		expect(looks).toHaveLength(count);
	});

	it('check at once when they continue a pause of the same process', async () => {
		const { after, own, looks } = processOf({ age: 10_000, busyUntil: 12_000 });
		expect(await after(own)).toBeUndefined();
		expect(looks).toEqual([]);
		expect(await after()).toBeDefined();
	});

	it('check at once when n8n has run for more than five minutes', async () => {
		const { after, looks } = processOf({ age: 300_001, busyUntil: 0 });
		expect([await after(), await after()]).toEqual([undefined, undefined]);
		expect(looks).toEqual([]);
	});
});
