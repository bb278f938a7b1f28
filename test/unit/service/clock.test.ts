import { setTimeout as sleepFor } from 'node:timers/promises';
import fc from 'fast-check';
import { Clock } from '../../../service/clock';
import { Heap } from '../../../service/heap';

/** A clock on real time that counts its timers. */
function realClock() {
	const timers = { running: 0, most: 0, set: 0 };
	const stop: { reason: string | undefined } = { reason: undefined };
	const clock = new Clock({
		sleep: async (milliseconds) => {
			timers.set++;
			timers.most = Math.max(timers.most, ++timers.running);
			await sleepFor(milliseconds);
			timers.running--;
		},
		now: () => performance.now(),
		whyNotToGoOn: () => stop.reason,
		refusal: (reason) => new Error(`Refused: ${String(reason)}`),
	});
	return { clock, timers, stop };
}

async function timeOf(work: Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work.catch(() => undefined);
	return performance.now() - start;
}

describe('a clock for many waits', () => {
	it('ends each wait when its time is over', async () => {
		const { clock } = realClock();
		const ended: number[] = [];
		await Promise.all(
			[700, 100, 300].map(async (milliseconds) => {
				const time = await timeOf(clock.pause(milliseconds));
				ended.push(milliseconds);
				expect(time).toBeGreaterThanOrEqual(milliseconds - 1);
				expect(time).toBeLessThan(milliseconds + 400);
			}),
		);
		expect(ended).toEqual([100, 300, 700]);
	});

	it('does not wait for no time', async () => {
		const { clock, timers } = realClock();
		await clock.pause(0);
		await clock.pause(-5);
		expect(timers.set).toBe(0);
	});

	it('holds one timer for a thousand waits, sets few of them, and none when nobody waits', async () => {
		const { clock, timers } = realClock();
		await Promise.all(Array.from({ length: 1000 }, () => clock.pause(1_200)));
		expect(timers.most).toBe(1);
		expect(timers.set).toBeLessThanOrEqual(100);
		expect(timers.running).toBe(0);
		await clock.pause(10);
		expect(timers.running).toBe(0);
	});

	it('does not keep a short wait that comes later until a long timer rings', async () => {
		const { clock } = realClock();
		const long = clock.pause(600);
		expect(await timeOf(clock.pause(50))).toBeLessThan(400);
		await long;
	});

	it('refuses all waits within a second of the reason, also those that would take an hour, and then holds no timer', async () => {
		const { clock, timers, stop } = realClock();
		const waits = Promise.allSettled(
			Array.from({ length: 1000 }, (_, number) => clock.pause(number * 3_600)),
		);
		await sleepFor(100);
		stop.reason = 'stopped';
		expect(await timeOf(waits)).toBeLessThan(1_000);
		const refused = (await waits).filter((wait) => wait.status === 'rejected');
		expect(refused.length).toBeGreaterThan(990);
		expect(refused.map(({ reason }) => String(reason))).toEqual(
			Array(refused.length).fill('Error: Refused: stopped'),
		);
		await sleepFor(50);
		expect(timers.running).toBe(0);
	});

	it('refuses a wait at once when there is a reason already', async () => {
		const { clock, timers, stop } = realClock();
		stop.reason = 'stopped';
		await expect(clock.pause(60_000)).rejects.toThrow('Refused: stopped');
		await expect(clock.pause(0)).rejects.toThrow('Refused: stopped');
		expect(timers.set).toBe(0);
	});

	it('ends any waits, begun at any time, no sooner and at most 25 ms later than asked for', async () => {
		const waits = fc.array(
			fc.record({ begun: fc.nat(3_000), length: fc.integer({ min: 1, max: 3_000 }) }),
			{ maxLength: 30 },
		);
		await fc.assert(
			fc.asyncProperty(waits, async (planned) => {
				const time = new VirtualTime();
				const clock = new Clock({
					sleep: time.sleep,
					now: () => time.now,
					whyNotToGoOn: () => undefined,
					refusal: () => new Error('refused'),
				});
				const late: number[] = [];
				for (const { begun, length } of planned) {
					void time.sleep(begun).then(async () => {
						await clock.pause(length);
						late.push(time.now - begun - length);
					});
				}
				await time.pass();
				expect(late).toHaveLength(planned.length);
				for (const milliseconds of late) {
					expect(milliseconds).toBeGreaterThanOrEqual(0);
					expect(milliseconds).toBeLessThanOrEqual(25);
				}
			}),
			{ numRuns: 50 },
		);
	});

	it('wakes few times for ten thousand waits that end one shortly after the other', async () => {
		const { clock, timers } = realClock();
		await Promise.all(
			Array.from({ length: 10_000 }, (_, number) => clock.pause(1_000 - number / 10)),
		);
		expect(timers.set).toBeLessThanOrEqual(120);
		expect(timers.most).toBeLessThanOrEqual(21);
	});
});

/** Time that passes when `pass` lets it, until nothing sleeps any more. */
class VirtualTime {
	now = 0;

	private readonly sleepers = new Heap<{ until: number; wake: () => void }>(
		(a, b) => a.until < b.until,
	);

	readonly sleep = (milliseconds: number): Promise<void> =>
		new Promise((wake) => this.sleepers.push({ until: this.now + milliseconds, wake }));

	async pass(): Promise<void> {
		for (let next = this.sleepers.pop(); next !== undefined; next = this.sleepers.pop()) {
			this.now = next.until;
			next.wake();
			await new Promise(setImmediate);
		}
	}
}
