import type { Reply } from '../../../service/http';
import { NOT_SENT_IN_TIME } from '../../../service/http';
import { answer, AnsweredQueue, busy, numbers, OK, opened } from '../support/answeredQueue';

describe('when the service is too busy,', () => {
	it.each<[string, Reply, number]>([
		['a 429 with Retry-After', busy(3), 3000],
		['a 429 with a date', busy('Thu, 01 Jan 1970 00:00:07 GMT'), 7000],
		['a 429 without Retry-After', busy(), 1000],
		['a 429 that asks for five minutes', busy(300), 300_000],
		['a 503 with Retry-After', answer(503, { 'retry-after': '2' }), 2000],
	])(
		'nothing is sent in any queue until the end of the pause after %s',
		async (_, reply, milliseconds) => {
			const { clock, rateLimit, queue } = opened();
			const other = new AnsweredQueue(clock, rateLimit, 4);
			await queue.ask(...numbers(5));
			await queue.answer(reply, '1');
			await other.ask('a');
			await queue.answer(OK, '2', '3', '4');
			await clock.pass(milliseconds - 1);
			expect([queue.left.length, other.left.length]).toEqual([4, 0]);
			await clock.pass(1);
			expect([queue.left.slice(4), other.left]).toEqual([
				[['5', milliseconds]],
				[['a', milliseconds]],
			]);
		},
	);

	it.each<[string, Reply]>([
		['a 503 without Retry-After', answer(503)],
		['a 500', answer(500, { 'retry-after': '5' })],
		['a connection that broke', { kind: 'noAnswer', code: 'ECONNRESET' }],
		[
			'a missing token',
			{
				kind: 'noToken',
				message: '',
				advice: '',
				passing: true,
				retryAfterMilliseconds: 5000,
			},
		],
	])('requests are still sent after %s, which does not mean that it is busy', async (_, reply) => {
		const { queue } = opened(1);
		await queue.ask('1', '2');
		await queue.answer(reply, '1');
		expect(queue.names).toEqual(['2']);
	});

	it('the longest of several pauses counts, also for requests that are already waiting', async () => {
		const { clock, queue } = opened(4);
		await queue.ask(...numbers(6));
		await queue.answer(busy(2), '1');
		await queue.answer(busy(1), '2');
		await queue.answer(OK, '3');
		await clock.pass(1000);
		await queue.answer(busy(5), '4');
		await clock.pass(4999);
		expect(queue.left).toHaveLength(4);
		await clock.pass(1);
		expect(queue.left.slice(4).sort()).toEqual([
			['5', 6000],
			['6', 6000],
		]);
	});

	it('half as many requests run in parallel afterwards, and requests sent before do not halve it again', async () => {
		const { clock, queue } = opened(8);
		await queue.ask(...numbers(20));
		await clock.pass(10);
		await queue.answer(busy(1), ...numbers(8));
		await clock.pass(1000);
		expect(queue.names).toEqual(numbers(4, 9));
	});

	it('half as many requests run in the other queue too', async () => {
		const { clock, rateLimit, queue } = opened(8);
		const other = new AnsweredQueue(clock, rateLimit, 6);
		await clock.pass(10);
		await queue.ask('1');
		await queue.answer(busy(1), '1');
		await other.ask(...numbers(10));
		await clock.pass(1000);
		expect(other.names).toEqual(numbers(3));
	});

	it('the number of parallel requests is halved each time, but never to zero', async () => {
		const { clock, queue } = opened(8);
		await queue.ask(...numbers(40));
		for (const expected of [4, 2, 1, 1]) {
			await clock.pass(10);
			await queue.answer(busy(1), ...queue.names);
			await clock.pass(1000);
			expect(queue.names).toHaveLength(expected);
		}
	});

	it.each([
		['a 429', busy(301), busy(1)],
		['a 503', answer(503, { 'retry-after': '86400' }), answer(503, { 'retry-after': '86100' })],
	])(
		'requests do not wait longer than five minutes: until then they get its answer, %s, without being sent',
		async (_, reply, afterFiveMinutes) => {
			const { clock, rateLimit, queue } = opened();
			const other = new AnsweredQueue(clock, rateLimit, 4);
			await queue.ask('1', '2', '3');
			await queue.answer(reply, '1');
			await queue.answer(OK, '2');
			await clock.pass(300_000);
			await queue.ask('4');
			await other.ask('a');
			expect([queue.replies.get('4'), other.replies.get('a')]).toEqual([
				afterFiveMinutes,
				afterFiveMinutes,
			]);
			expect([queue.left.length, other.left.length]).toEqual([3, 0]);
			await clock.pass(86_100_000);
			await queue.ask('5');
			expect(queue.names).toEqual(['3', '5']);
		},
	);

	it('a request that would be too late after the pause is not sent, and ends at its limit', async () => {
		const { clock, queue } = opened(4);
		await queue.ask('1');
		await queue.answer(busy(60), '1');
		await queue.askNotAfter(20_000, '2');
		await queue.askNotAfter(60_000, '3');
		await clock.pass(20_000);
		expect(queue.replies.has('2')).toBe(false);
		await clock.pass(1);
		expect(queue.replies.get('2')).toEqual({ kind: 'noAnswer', code: 'NOT_SENT_IN_TIME' });
		await clock.pass(39_999);
		expect(queue.left).toEqual([
			['1', 0],
			['3', 60_000],
		]);
		await queue.askNotAfter(59_999, '4');
		expect(queue.replies.get('4')).toEqual(NOT_SENT_IN_TIME);
	});
});
