import { pauseOf } from '../../../../nodes/DocumentWorkflow/connection/connect';
import { RunEnd, time } from '../../../../nodes/DocumentWorkflow/connection/time';
import { contextOf } from '../../support/context';
import { FakeClock } from '../../support/fakeClock';

afterEach(() => jest.restoreAllMocks());

/** The end of a run with another time. */
function endOfRun({
	isStopped = () => false,
	...other
}: Pick<typeof time, 'now' | 'sleep'> & { isStopped?: () => boolean }) {
	jest.spyOn(time, 'now').mockImplementation(other.now);
	jest.spyOn(time, 'sleep').mockImplementation(other.sleep);
	const signal = Object.defineProperty(new AbortController().signal, 'aborted', { get: isStopped });
	return { pause: pauseOf(new RunEnd(contextOf({ getExecutionCancelSignal: () => signal }))) };
}

/** A pause in fake time. Each sleep is up to 1 ms too short, as with timers of Node. */
function inFakeTime() {
	const fake = { now: 0, sleeps: 0, stopAt: Infinity };
	const { pause } = endOfRun({
		isStopped: () => fake.now >= fake.stopAt,
		now: () => fake.now,
		sleep: async (milliseconds) => {
			fake.sleeps++;
			fake.now += Math.max(milliseconds - 1, 1);
		},
	});
	return { fake, pause };
}

describe('A pause', () => {
	it.each([1, 499, 500, 501, 5_000, 3_600_000])(
		'ends after %d ms, at most 2 ms late',
		async (milliseconds) => {
			const { fake, pause } = inFakeTime();
			await pause(milliseconds);
			expect(fake.now).toBeGreaterThanOrEqual(milliseconds);
			expect(fake.now).toBeLessThanOrEqual(milliseconds + 2);
		},
	);

	it.each([0, -5])('does not sleep for %d ms', async (milliseconds) => {
		const { fake, pause } = inFakeTime();
		await pause(milliseconds);
		expect(fake.sleeps).toBe(0);
	});

	it('rejects within half a second of a stop, however long it would be', async () => {
		const { fake, pause } = inFakeTime();
		fake.stopAt = 60_123;
		await expect(pause(3_600_000)).rejects.toThrow('stopped');
		expect(fake.now).toBeLessThanOrEqual(60_123 + 500);
	});

	it('rejects at once after a stop, even if it has no length', async () => {
		const { fake, pause } = inFakeTime();
		fake.stopAt = 0;
		await expect(pause(60_000)).rejects.toThrow('stopped');
		await expect(pause(0)).rejects.toThrow('stopped');
		expect(fake.sleeps).toBe(0);
	});

	it.each([
		['back, as by a restored snapshot', -3_600_000, 5_000],
		['back a little, as by a time server', -1_500, 5_000],
		['ahead by less than what is left', 1_500, 3_500],
		['ahead by more than what is left', 3_600_000, 1_000],
	])('never sleeps longer than asked when the clock is set %s', async (_what, jump, slept) => {
		let passed = 0;
		const sleep = async (milliseconds: number) => void (passed += milliseconds);
		const now = () => 1e12 + passed + (passed >= 1_000 ? jump : 0);
		await endOfRun({ now, sleep }).pause(5_000);
		expect(passed).toBe(slept);
	});

	it('ends on time, and a stop ends a thousand long ones within half a second', async () => {
		let isStopped = false;
		const clock = new FakeClock();
		const { pause } = endOfRun({
			...{ sleep: clock.pause, now: clock.now },
			isStopped: () => isStopped,
		});
		const long = Promise.allSettled(Array.from({ length: 1_000 }, async () => pause(3_600_000)));
		await clock.passUntil(pause(100));
		expect(clock.now()).toBe(100);
		isStopped = true;
		const ends = await clock.passUntil(long);
		expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
		expect(clock.now()).toBeLessThanOrEqual(600);
	});
});
