import type { Reply } from '../../../service/http';
import { Outage } from '../../../service/outage';
import { RateLimit } from '../../../service/rateLimit';
import { pauseWith, sendWith } from '../../../service/send';
import { answer, OK } from '../support/answeredQueue';
import { FakeClock, settled } from '../support/fakeClock';

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

	it.each([
		['back, as by a restored snapshot', -3_600_000, 5_000],
		['back a little, as by a time server', -1_500, 5_000],
		['ahead by less than what is left', 1_500, 3_500],
		['ahead by more than what is left', 3_600_000, 1_000],
	])('never sleeps longer than asked when the clock is set %s', async (_what, jump, slept) => {
		let passed = 0;
		const sleep = async (milliseconds: number) => void (passed += milliseconds);
		const now = () => 1e12 + passed + (passed >= 1_000 ? jump : 0);
		await pauseWith({ now, sleep }, () => undefined)(5_000);
		expect(passed).toBe(slept);
	});

	it('ends on time, and a stop ends a thousand long ones within half a second', async () => {
		let isStopped = false;
		const clock = new FakeClock();
		const pause = pauseWith({ sleep: clock.pause, now: clock.now }, () => {
			if (isStopped) throw new Error('stopped');
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

const POST = { method: 'POST', path: '1', timeoutMilliseconds: 1 } as const;

it('A check does not wait for creates, nor a create for checks', async () => {
	const { pause, now } = new FakeClock();
	const rateLimit = new RateLimit(pause, now);
	const sent: string[] = [];
	const send = sendWith({
		...{ rateLimit, pause, outage: new Outage(now), onOutage: () => undefined },
		queues: {
			create: rateLimit.queue(1),
			check: rateLimit.queue(1),
		},
		continueOrThrow: () => undefined,
		transmit: async ({ kind }) => {
			sent.push(kind);
			return new Promise(() => undefined);
		},
		afterReply: async () => Promise.resolve(),
	});
	for (const kind of ['create', 'create', 'check', 'check'] as const) void send({ ...POST, kind });
	await settled();
	expect(sent.sort()).toEqual(['check', 'create']);
});

describe('A request', () => {
	/** What happens to a request that gets a reply or an error, in order. */
	async function steps(
		outcome: Reply | Error,
		{ notAfter = Infinity, isStopped = false } = {},
	): Promise<string[]> {
		const { pause, now } = new FakeClock();
		const rateLimit = new RateLimit(pause, now);
		const queue = rateLimit.queue(1);
		const done: string[] = [];
		const leave = queue.leave.bind(queue);
		queue.leave = () => {
			done.push('its place is free');
			leave();
		};
		const send = sendWith({
			...{ rateLimit, pause, outage: new Outage(now), onOutage: () => done.push('creates wait') },
			queues: { create: queue, check: queue },
			continueOrThrow: () => {
				if (isStopped) throw new Error('stopped');
			},
			transmit: async () => {
				done.push('sent');
				if (outcome instanceof Error) throw outcome;
				return outcome;
			},
			afterReply: async () => void done.push('its reply is processed'),
		});
		const record = {
			sent: () => done.push('recorded'),
			refused: () => done.push('recorded as refused'),
		};
		await send({ ...POST, kind: 'create', notAfter, record }).catch((error: unknown) =>
			done.push(String(error)),
		);
		await settled();
		return done;
	}

	it('is recorded before it is sent, and its place is free once its reply is processed', async () => {
		const processed = ['its reply is processed', 'its place is free'];
		expect(await steps(OK)).toEqual(['recorded', 'sent', ...processed]);
		expect(await steps(answer(500))).toEqual(['recorded', 'sent', 'creates wait', ...processed]);
	});

	it.each<[string, Reply]>([
		['a rejection', answer(422)],
		['a connection that was never made', { kind: 'noAnswer', code: 'ECONNREFUSED' }],
	])('is recorded as refused after %s, which started nothing', async (_, reply) => {
		expect(await steps(reply)).toEqual([
			'recorded',
			'sent',
			'recorded as refused',
			'its reply is processed',
			'its place is free',
		]);
	});

	it('that is rejected frees its place at once, and is not recorded as refused', async () => {
		expect(await steps(new Error('over'))).toEqual([
			'recorded',
			'sent',
			'its place is free',
			'Error: over',
		]);
	});

	it('is neither recorded nor sent after a stop, or too late', async () => {
		expect(await steps(OK, { isStopped: true })).toEqual(['its place is free', 'Error: stopped']);
		expect(await steps(OK, { notAfter: -1 })).toEqual(['its place is free']);
	});
});
