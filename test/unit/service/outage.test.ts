import type { Reply } from '../../../service/http';
import { Outage } from '../../../service/outage';
import { answer, OK } from '../support/answeredQueue';
import { FakeClock } from '../support/fakeClock';

const PAGE: Reply = {
	...{ kind: 'answer', status: 200, headers: {} },
	body: '<title>Maintenance</title>',
};

const NO_TOKEN: Reply = {
	...{ kind: 'noToken', message: '', advice: '' },
	passing: true,
};

/** The times in seconds at which a service that answers again after so many seconds is asked, and when a create may be sent. */
async function asked(outage: Outage, clock: FakeClock, seconds: number, creates = 1) {
	const [begin, times] = [clock.now(), [] as number[]];
	const passed = () => (clock.now() - begin) / 1_000;
	const ask = async () => {
		times.push(passed());
		return Promise.resolve(passed() < seconds ? answer(503) : answer(404));
	};
	const all = Array.from({ length: creates }, async () => outage.over(ask, clock.pause));
	await clock.passUntil(Promise.all(all));
	return { times, over: passed() };
}

describe('After a create of unknown outcome', () => {
	it.each<[string, Reply]>([
		['a 503 that asks for no pause', answer(503)],
		['a 500', answer(500)],
		['a broken connection', { kind: 'noAnswer', code: 'ECONNRESET' }],
		['a page with status 200', PAGE],
		['no token, because the token endpoint fails', { ...NO_TOKEN, endpoint: 'failed' }],
	])('such as %s, the next creates wait until the service answers', async (_, reply) => {
		const clock = new FakeClock();
		const outage = new Outage(clock.now);
		outage.learn(reply);
		expect(await asked(outage, clock, 60)).toEqual({
			times: [0, 1, 3, 7, 15, 25, 35, 45, 55, 65],
			over: 65,
		});
		expect(await asked(outage, clock, 60)).toEqual({ times: [], over: 0 });
	});

	it('all creates that wait share the questions', async () => {
		const clock = new FakeClock();
		const outage = new Outage(clock.now);
		outage.learn(answer(503));
		expect((await asked(outage, clock, 10, 50)).times).toEqual([0, 1, 3, 7, 15]);
	});

	it('they wait two minutes at most, and again after the next one that fails', async () => {
		const clock = new FakeClock();
		const outage = new Outage(clock.now);
		for (let round = 0; round < 2; round++) {
			outage.learn(answer(503));
			const { over } = await asked(outage, clock, Infinity);
			expect(over).toBeGreaterThanOrEqual(120);
			expect(over).toBeLessThanOrEqual(130);
		}
	});

	it('they wait no longer when a create that was under way fails too', async () => {
		const clock = new FakeClock();
		const outage = new Outage(clock.now);
		outage.learn(answer(503));
		await clock.pass(100_000);
		outage.learn(answer(503));
		expect((await asked(outage, clock, Infinity)).over).toBeLessThanOrEqual(30);
	});

	it('they wait once for a token', async () => {
		const clock = new FakeClock();
		const outage = new Outage(clock.now);
		for (const longest of [130, 0]) {
			outage.learn({ ...NO_TOKEN, endpoint: 'failed' });
			const { over } = await asked(outage, clock, Infinity);
			expect(over).toBeLessThanOrEqual(longest);
		}
	});

	it('they wait on after a reply that is no answer of the service', async () => {
		const clock = new FakeClock();
		const outage = new Outage(clock.now);
		outage.learn(answer(503));
		const replies: Reply[] = [
			{ kind: 'noAnswer', code: 'ECONNREFUSED' },
			answer(429),
			answer(502),
			PAGE,
			answer(403),
		];
		const over = outage.over(async () => Promise.resolve(replies.shift() ?? OK), clock.pause);
		await clock.passUntil(over);
		expect(replies).toEqual([]);
		expect(clock.now()).toBe(15_000);
	});
});

it.each<[string, Reply]>([
	['a success', OK],
	['a rejection', answer(422)],
	['a 429, which has a pause of its own', answer(429)],
	['a 503 with Retry-After', answer(503, { 'retry-after': '1' })],
	['a stop of its run', { kind: 'noAnswer', code: 'ERR_CANCELED' }],
	['a connection that was never made', { kind: 'noAnswer', code: 'ECONNREFUSED' }],
	['no token for another reason', NO_TOKEN],
])('After %s, nothing waits', async (_, reply) => {
	const clock = new FakeClock();
	const outage = new Outage(clock.now);
	outage.learn(reply);
	expect(await asked(outage, clock, Infinity)).toEqual({ times: [], over: 0 });
});

it('An answer to a create of another run ends the outage, and no reply without one', async () => {
	const clock = new FakeClock();
	const outage = new Outage(clock.now);
	outage.learn(answer(503));
	outage.learn({ kind: 'noAnswer', code: 'ECONNREFUSED' });
	expect((await asked(outage, clock, 5)).over).toBe(7);
	outage.learn(answer(503));
	outage.learn(OK);
	expect((await asked(outage, clock, 5)).over).toBe(0);
});

it('A stop ends the wait within half a second, also while a question of another run has no answer', async () => {
	const clock = new FakeClock();
	const outage = new Outage(clock.now);
	outage.learn(answer(503));
	void outage.over(async () => new Promise(() => undefined), clock.pause);
	const stopped = outage.over(
		async () => Promise.resolve(OK),
		async (milliseconds) => {
			await clock.pause(milliseconds);
			throw new Error('stopped');
		},
	);
	await expect(clock.passUntil(stopped)).rejects.toThrow('stopped');
	expect(clock.now()).toBeLessThanOrEqual(500);
});

it('Nothing waits when the clock was set back', async () => {
	const clock = new FakeClock();
	let ahead = 3_600_000;
	const outage = new Outage(() => clock.now() + ahead);
	outage.learn(answer(503));
	ahead = 0;
	expect(await asked(outage, clock, Infinity)).toEqual({ times: [], over: 0 });
});
