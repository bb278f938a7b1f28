import { setTimeout as sleep } from 'node:timers/promises';
import { pauseWith } from '../../../service/send';

/** A pause in fake time. Each sleep is up to 1 ms too short, as with timers of Node. */
function inFakeTime() {
	const fake = { now: 0, sleeps: 0, stopAt: Infinity };
	const time = {
		now: () => fake.now,
		sleep: async (milliseconds: number) => {
			fake.sleeps++;
			fake.now += Math.max(milliseconds - 1, 1);
		},
	};
	const pause = pauseWith(time, () => {
		if (fake.now >= fake.stopAt) throw new Error('stopped');
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

	it('ends on time in real time, and a stop ends a thousand long ones', async () => {
		let isStopped = false;
		const pause = pauseWith({ sleep, now: () => Date.now() }, () => {
			if (isStopped) throw new Error('stopped');
		});
		const begin = Date.now();
		const long = Promise.allSettled(Array.from({ length: 1_000 }, async () => pause(3_600_000)));
		await pause(100);
		expect(Date.now() - begin).toBeGreaterThanOrEqual(100);
		isStopped = true;
		const stoppedAt = Date.now();
		expect(new Set((await long).map(({ status }) => status))).toEqual(new Set(['rejected']));
		expect(Date.now() - stoppedAt).toBeLessThan(1_000);
	});
});
