import type { ServiceRequest } from '../../../service/http';
import { RateLimit } from '../../../service/rateLimit';
import { retryAfterOf } from '../../../service/http';
import { FakeClock, settled } from '../support/fakeClock';
import { answer, AnsweredQueue, busy, numbers, OK, opened, sender } from '../support/answeredQueue';
import { fc } from '../../properties';

describe('requests are sent', () => {
	it('in order, with no more in parallel than the limit', async () => {
		const { queue } = opened(2);
		await queue.ask('1', '2', '3', '4', '5');
		expect(queue.names).toEqual(['1', '2']);
		await queue.answer(OK, '2');
		expect(queue.names).toEqual(['1', '3']);
		await queue.answer(OK, '1', '3');
		expect(queue.names).toEqual(['4', '5']);
	});

	it('within five minutes when the clock is set back while they wait', async () => {
		const clock = new FakeClock();
		let jump = 0;
		const queue = new AnsweredQueue(clock, new RateLimit(clock.pause, () => clock.now() + jump), 1);
		await queue.ask('1', '2');
		await queue.answer(busy(10), '1');
		jump = -3_600_000;
		await clock.pass(10_000 + 5 * 60_000 - 1);
		expect(queue.names).toEqual([]);
		await clock.pass(1);
		expect(queue.names).toEqual(['2']);
	});

	it('after one before them stopped waiting', async () => {
		const clock = new FakeClock();
		let isStopped = false;
		const rateLimit = new RateLimit(
			async (milliseconds) =>
				isStopped ? Promise.reject(new Error('stopped')) : clock.pause(milliseconds),
			clock.now,
		);
		const queue = new AnsweredQueue(clock, rateLimit, 1);
		await queue.ask('1');
		await queue.answer(busy(10), '1');
		isStopped = true;
		await queue.ask('2', '3');
		expect(queue.failed).toHaveLength(2);
		isStopped = false;
		await clock.pass(10_000);
		await queue.ask('4');
		expect(queue.names).toEqual(['4']);
	});

	it('only after the caller has processed the reply before, because it may cancel the next', async () => {
		const clock = new FakeClock();
		let deal = () => undefined as void;
		const queue = new AnsweredQueue(
			clock,
			new RateLimit(clock.pause, clock.now),
			1,
			async () => new Promise((resolve) => (deal = resolve)),
		);
		await queue.ask('1', '2');
		await queue.answer(answer(422), '1');
		expect(queue.names).toEqual([]);
		deal();
		await settled();
		expect(queue.names).toEqual(['2']);
	});
});

describe('a request that is sent late', () => {
	/** The time limit with which a request is sent after a pause of 20 s. */
	async function timeoutOf(request: Partial<ServiceRequest>): Promise<number | undefined> {
		const clock = new FakeClock();
		const limits: number[] = [];
		const send = sender(
			new RateLimit(clock.pause, clock.now),
			1,
			async ({ timeoutMilliseconds }) => {
				limits.push(timeoutMilliseconds);
				return limits.length === 1 ? busy(20) : OK;
			},
		);
		void send({ kind: 'check', path: '1', timeoutMilliseconds: 60_000 });
		void send({ kind: 'check', path: '2', timeoutMilliseconds: 60_000, ...request });
		await clock.pass(100_000);
		return limits[1];
	}

	it('has no more time than is left until its answer must be there', async () => {
		expect(await timeoutOf({ notAfter: 23_999 })).toBe(4_000);
	});

	it('has its own time limit when more time is left', async () => {
		expect(await timeoutOf({ notAfter: 200_000, timeoutMilliseconds: 7_000 })).toBe(7_000);
		expect(await timeoutOf({})).toBe(60_000);
	});

	it('has a time limit even at the last moment, because zero would mean none', async () => {
		expect(await timeoutOf({ notAfter: 20_000 })).toBe(1);
	});
});

it('While the service asks for a long pause, each refusal has the rest of its Retry-After', async () => {
	const { clock, queue } = opened();
	await queue.ask('1', '2');
	await queue.answer(busy(600), '1');
	await clock.pass(1_000);
	await queue.answer(busy(400), '2');
	const secondsLeft = async (name: string) => {
		await queue.ask(name);
		const reply = queue.replies.get(name);
		return reply === undefined ? undefined : retryAfterOf(reply, clock.now());
	};
	expect(await secondsLeft('3')).toBe(599_000);
	await clock.pass(299_000);
	expect(await secondsLeft('4')).toBe(300_000);
	await clock.pass(299_500);
	expect(await secondsLeft('5')).toBe(1_000);
	expect(queue.left).toHaveLength(2);
});

describe('a Retry-After in the past', () => {
	it.each([
		['a 429 with no seconds', busy(0)],
		['a 429 with a date that is past', busy('Wed, 31 Dec 1969 23:59:58 GMT')],
		['a 503 with no seconds', answer(503, { 'retry-after': '0' })],
	])('pauses all requests as long as no Retry-After: %s', async (_, reply) => {
		const { clock, queue } = opened(4);
		await queue.ask(...numbers(8));
		await queue.answer(reply, '1');
		await queue.answer(OK, '2', '3', '4');
		await clock.pass(999);
		expect(queue.left).toHaveLength(4);
		await clock.pass(1);
		expect(queue.left.slice(4)).toEqual([
			['5', 1000],
			['6', 1000],
		]);
	});
});

describe('the number of parallel requests', () => {
	/** A queue of eight that was halved to four. */
	async function cut() {
		const { clock, queue } = opened(8);
		await queue.ask(...numbers(200));
		await clock.pass(10);
		await queue.answer(busy(1), '1');
		return { clock, queue };
	}

	it('grows by about one for each round of successes, up to the limit', async () => {
		const { clock, queue } = await cut();
		await queue.answer(busy(1), ...numbers(7, 2));
		await clock.pass(1000);
		const rounds: number[] = [];
		for (let round = 0; round < 7; round++) {
			rounds.push(queue.names.length);
			await queue.answer(OK, ...queue.names);
		}
		expect(rounds[0]).toBe(4);
		for (const [index, width] of rounds.entries())
			if (index > 0) expect(width - (rounds[index - 1] ?? 0)).toBeGreaterThanOrEqual(0);
		for (const [index, width] of rounds.entries())
			if (index > 0) expect(width - (rounds[index - 1] ?? 0)).toBeLessThanOrEqual(1);
		expect(rounds.at(-1)).toBe(8);
	});

	it('does not grow by requests that were sent before it was halved', async () => {
		const { clock, queue } = await cut();
		await queue.answer(OK, ...numbers(7, 2));
		await clock.pass(1000);
		expect(queue.names).toHaveLength(4);
	});

	it('does not grow by errors of the service', async () => {
		const { clock, queue } = await cut();
		await queue.answer(busy(1), ...numbers(7, 2));
		await clock.pass(1000);
		for (let round = 0; round < 5; round++) await queue.answer(answer(500), ...queue.names);
		expect(queue.names).toHaveLength(4);
	});
});

it('Whatever the service answers, each request is sent once, in order, within the limit, and none during a pause', async () => {
	const reply = fc.oneof(
		{ weight: 6, arbitrary: fc.constant(OK) },
		fc.constant(busy()),
		fc.nat({ max: 9 }).map(busy),
		fc.constant(answer(500)),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 6 }),
			fc.array(fc.tuple(reply, fc.nat({ max: 3000 })), { maxLength: 30 }),
			async (most, replies) => {
				const clock = new FakeClock();
				const rateLimit = new RateLimit(clock.pause, clock.now);
				let underWay = 0;
				let openAt = 0;
				const left: number[] = [];
				const send = sender(rateLimit, most, async ({ path }) => {
					expect(clock.now()).toBeGreaterThanOrEqual(openAt);
					expect(++underWay).toBeLessThanOrEqual(most);
					// Paused requests have entered the queue already, and are all sent at once.
					for (let earlier = 0; earlier <= Number(path) - most; earlier++)
						expect(left).toContain(earlier);
					left.push(Number(path));
					const [given, milliseconds] = replies[Number(path)] ?? [OK, 0];
					await clock.pause(milliseconds);
					underWay--;
					const seconds =
						given.kind === 'answer' && given.status === 429
							? Number(given.headers['retry-after'] ?? 0) || 1
							: 0;
					openAt = Math.max(openAt, clock.now() + seconds * 1000);
					return given;
				});
				const all = Promise.all(
					replies.map(async (_, index) =>
						send({ kind: 'check', path: String(index), timeoutMilliseconds: 1 }),
					),
				);
				await clock.pass(1_000_000);
				expect(await all).toEqual(replies.map(([given]) => given));
				expect(left.sort((a, b) => a - b)).toEqual(replies.map((_, index) => index));
			},
		),
	);
});
