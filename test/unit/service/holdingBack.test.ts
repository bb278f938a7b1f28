import type { Reply } from '../../../service/http';
import { NOT_SENT_IN_TIME } from '../../../service/pace';
import { answer, AnsweredLane, busy, numbers, OK, opened } from '../support/answeredLane';

describe('when the service is too busy', () => {
	it.each<[string, Reply, number]>([
		['a 429 with Retry-After', busy(3), 3000],
		['a 429 with a date', busy('Thu, 01 Jan 1970 00:00:07 GMT'), 7000],
		['a 429 that does not say how long', busy(), 1000],
		['a 429 that asks for five minutes', busy(300), 300_000],
		['a 503 with Retry-After', answer(503, { 'retry-after': '2' }), 2000],
	])('nothing leaves after %s until then, in either lane', async (_, reply, milliseconds) => {
		const { clock, pace, lane } = opened();
		const other = new AnsweredLane(clock, pace, 4);
		await lane.ask(...numbers(5));
		await lane.answer(reply, '1');
		await other.ask('a');
		await lane.answer(OK, '2', '3', '4');
		await clock.pass(milliseconds - 1);
		expect([lane.left.length, other.left.length]).toEqual([4, 0]);
		await clock.pass(1);
		expect([lane.left.slice(4), other.left]).toEqual([
			[['5', milliseconds]],
			[['a', milliseconds]],
		]);
	});

	it.each<[string, Reply]>([
		['a 503 that does not say when to come again', answer(503)],
		['a 500', answer(500, { 'retry-after': '5' })],
		['a connection that broke', { kind: 'noAnswer', code: 'ECONNRESET' }],
		[
			'a token that is not to be had',
			{
				kind: 'noToken',
				message: '',
				advice: '',
				passing: true,
				unreachable: false,
				retryAfterMilliseconds: 5000,
			},
		],
	])('it is not said by %s', async (_, reply) => {
		const { lane } = opened(1);
		await lane.ask('1', '2');
		await lane.answer(reply, '1');
		expect(lane.names).toEqual(['2']);
	});

	it('the longest of several times counts, also for those that wait already', async () => {
		const { clock, lane } = opened(4);
		await lane.ask(...numbers(6));
		await lane.answer(busy(2), '1');
		await lane.answer(busy(1), '2');
		await lane.answer(OK, '3');
		await clock.pass(1000);
		await lane.answer(busy(5), '4');
		await clock.pass(4999);
		expect(lane.left).toHaveLength(4);
		await clock.pass(1);
		expect(lane.left.slice(4).sort()).toEqual([
			['5', 6000],
			['6', 6000],
		]);
	});

	it('half as many are under way at the same time afterwards, and no fewer for all that had left before', async () => {
		const { clock, lane } = opened(8);
		await lane.ask(...numbers(20));
		await clock.pass(10);
		await lane.answer(busy(1), ...numbers(8));
		await clock.pass(1000);
		expect(lane.names).toEqual(numbers(4, 9));
	});

	it('half as many are under way in the other lane, too', async () => {
		const { clock, pace, lane } = opened(8);
		const other = new AnsweredLane(clock, pace, 6);
		await clock.pass(10);
		await lane.ask('1');
		await lane.answer(busy(1), '1');
		await other.ask(...numbers(10));
		await clock.pass(1000);
		expect(other.names).toEqual(numbers(3));
	});

	it('again half as many, but never none', async () => {
		const { clock, lane } = opened(8);
		await lane.ask(...numbers(40));
		for (const expected of [4, 2, 1, 1]) {
			await clock.pass(10);
			await lane.answer(busy(1), ...lane.names);
			await clock.pass(1000);
			expect(lane.names).toHaveLength(expected);
		}
	});

	it.each([
		['a 429', busy(301), busy(1)],
		['a 503', answer(503, { 'retry-after': '86400' }), answer(503, { 'retry-after': '86100' })],
	])(
		'nothing waits for longer than five minutes: until then its answer, %s, is given without asking again',
		async (_, reply, afterFiveMinutes) => {
			const { clock, pace, lane } = opened();
			const other = new AnsweredLane(clock, pace, 4);
			await lane.ask('1', '2', '3');
			await lane.answer(reply, '1');
			await lane.answer(OK, '2');
			await clock.pass(300_000);
			await lane.ask('4');
			await other.ask('a');
			expect([lane.replies.get('4'), other.replies.get('a')]).toEqual([
				afterFiveMinutes,
				afterFiveMinutes,
			]);
			expect([lane.left.length, other.left.length]).toEqual([3, 0]);
			await clock.pass(86_100_000);
			await lane.ask('5');
			expect(lane.names).toEqual(['3', '5']);
		},
	);

	it('a request that need not leave any more by then does not, and nothing waits for it longer', async () => {
		const { clock, lane } = opened(4);
		await lane.ask('1');
		await lane.answer(busy(60), '1');
		await lane.askNotAfter(20_000, '2');
		await lane.askNotAfter(60_000, '3');
		await clock.pass(20_000);
		expect(lane.replies.has('2')).toBe(false);
		await clock.pass(1);
		expect(lane.replies.get('2')).toEqual({ kind: 'noAnswer', code: 'NOT_SENT_IN_TIME' });
		await clock.pass(39_999);
		expect(lane.left).toEqual([
			['1', 0],
			['3', 60_000],
		]);
		await lane.askNotAfter(59_999, '4');
		expect(lane.replies.get('4')).toEqual(NOT_SENT_IN_TIME);
	});
});
