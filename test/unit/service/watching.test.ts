import type { Reply } from '../../../service/http';
import { History } from '../../../service/lifeTable';
import { Pace } from '../../../service/pace';
import type { PollingPlan } from '../../../service/polling';
import { DEFAULT_PLAN } from '../../../service/polling';
import type { Watched } from '../../../service/watching';
import { watchExecution } from '../../../service/watching';
import { FakeClock } from '../support/fakeClock';

const answer = (
	status: number,
	body: unknown = {},
	headers: Record<string, string> = {},
): Reply => ({ kind: 'answer', status, headers, body });
const running = answer(200, { status: 'running' });
const completed = answer(200, { status: 'completed', steps: [] });
const notFound = answer(404);
const times = (count: number, reply: Reply): Reply[] => Array<Reply>(count).fill(reply);

const START = Date.parse('2026-01-01T00:00:00Z');

interface Options {
	plan?: PollingPlan;
	isFresh?: boolean;
	history?: History;
	random?: () => number;
	untilSeen?: boolean;
	/** How long a look takes, in milliseconds. */
	lookTakes?: number;
}

/** Watches with a clock that only moves in pauses and looks; each look takes the next reply, the last one again and again. */
async function watch(
	replies: Reply[],
	{ lookTakes = 0, ...options }: Options = {},
): Promise<{ watched: Watched; looksAt: number[]; pauses: number[] }> {
	let now = START;
	const looksAt: number[] = [];
	const pauses: number[] = [];
	let draws = 0;
	const watched = await watchExecution({
		send: async () => {
			looksAt.push((now - START) / 1000);
			now += lookTakes;
			const reply = replies[Math.min(looksAt.length, replies.length) - 1];
			if (reply === undefined) throw new Error('no reply was scripted');
			return reply;
		},
		pause: async (milliseconds) => {
			pauses.push(milliseconds);
			now += milliseconds;
		},
		now: () => now,
		plan: DEFAULT_PLAN,
		workflowId: 'wf',
		executionId: 'ex',
		isFresh: true,
		// The first look is at the moment of the plan, no later look is out of the ordinary.
		random: () => (draws++ === 0 ? 0 : 0.5),
		...options,
	});
	return { watched, looksAt, pauses };
}

describe('watching an execution', () => {
	it('looks first after 5 s, then further and further apart, until it has ended', async () => {
		const { watched, looksAt } = await watch([running, running, running, completed]);
		expect(watched).toMatchObject({ end: 'finished', execution: { phase: 'completed' } });
		expect(looksAt.map(Math.round)).toEqual([5, 13, 26, 42]);
	});

	it('says how long it was watched and how often it was looked at', async () => {
		expect((await watch([running, completed])).watched).toMatchObject({
			looks: 2,
			watchedMilliseconds: expect.closeTo(13_000, -3),
		});
		expect((await watch([answer(403)])).watched).toMatchObject({
			looks: 1,
			watchedMilliseconds: 5_000,
		});
		const plan = { ...DEFAULT_PLAN, timeoutMilliseconds: 12_000 };
		expect((await watch([running], { plan })).watched).toMatchObject({
			looks: 2,
			watchedMilliseconds: 12_000,
		});
	});

	it('ends with a failed execution too', async () => {
		const { watched } = await watch([answer(200, { status: 'failed', error: 'broken file' })]);
		expect(watched).toMatchObject({
			end: 'finished',
			execution: { phase: 'failed', failureReason: 'broken file' },
		});
	});

	it.each<[string, Reply]>([
		['a broken connection', { kind: 'noAnswer', code: 'ECONNRESET' }],
		['a 500', answer(500)],
		['a 503', answer(503)],
		['a 429', answer(429)],
		['a web page', answer(200, '<html>')],
		['an answer without a status', answer(200, {})],
		[
			'a token endpoint that is busy',
			{
				kind: 'noToken',
				message: 'm',
				advice: 'a',
				passing: true,
				unreachable: false,
				retryAfterMilliseconds: undefined,
			},
		],
		['a 404 right after the start', answer(404)],
	])('goes on after %s', async (_, reply) => {
		const { watched, looksAt } = await watch([reply, completed]);
		expect(watched.end).toBe('finished');
		expect(looksAt).toHaveLength(2);
		expect(looksAt[0]).toBe(5);
		expect(looksAt[1]).toBeCloseTo(13, -0.3);
	});

	const lost: Array<[string, Reply]> = [
		['a host that is not found', { kind: 'noAnswer', code: 'ENOTFOUND' }],
		['a certificate that is not trusted', { kind: 'noAnswer', code: 'CERT_HAS_EXPIRED' }],
		[
			'a token endpoint that is not found',
			{
				kind: 'noToken',
				message: 'm',
				advice: 'a',
				passing: false,
				unreachable: true,
				retryAfterMilliseconds: undefined,
			},
		],
	];

	it.each(lost)('goes on after %s once the service was reached', async (_, reply) => {
		expect((await watch([reply, completed])).watched.end).toBe('finished');
		expect((await watch([running, reply, completed], { isFresh: false })).watched.end).toBe(
			'finished',
		);
	});

	it.each(lost)('ends with %s when the service was never reached', async (_, reply) => {
		const { watched, looksAt } = await watch([reply, completed], { isFresh: false });
		expect(watched).toMatchObject({ end: 'lost', refusal: { reply } });
		expect(looksAt).toEqual([5]);
	});

	it('gives an execution that was not created just now ten seconds to be found', async () => {
		const { watched, looksAt } = await watch([answer(404)], { isFresh: false });
		expect(watched).toMatchObject({ end: 'lost', refusal: { reply: answer(404) } });
		expect(looksAt).toEqual([5, 10]);
	});

	it('goes on after a fault that comes late', async () => {
		const { watched } = await watch([...Array<Reply>(6).fill(running), answer(500), completed]);
		expect(watched.end).toBe('finished');
	});

	it('comes back when the service asks', async () => {
		const { looksAt } = await watch([answer(429, {}, { 'retry-after': '90' }), running, completed]);
		expect(looksAt.slice(0, 2)).toEqual([5, 95]);
		expect(looksAt[2]).toBeLessThan(125);
	});

	it.each<[string, Reply[]]>([
		['a 403', [answer(403)]],
		['a 401 that a new token did not mend', [answer(401)]],
		[
			'a wrong secret',
			[
				{
					kind: 'noToken',
					message: 'm',
					advice: 'a',
					passing: false,
					unreachable: false,
					retryAfterMilliseconds: undefined,
				},
			],
		],
	])('ends with %s at once', async (_, replies) => {
		const { watched, looksAt } = await watch(replies);
		expect(watched).toMatchObject({ end: 'lost', refusal: { reply: replies[0] } });
		expect(looksAt).toEqual([5]);
	});

	it('gives an execution that is not found half a minute, no longer', async () => {
		const { watched, looksAt } = await watch([answer(404)]);
		expect(watched).toMatchObject({ end: 'lost', refusal: { reply: answer(404) } });
		expect(looksAt.at(-1)).toBeCloseTo(35, 2);
		expect(looksAt.at(-2)).toBeLessThan(30);
	});

	it('looks a last time when the time is over, and says what it saw', async () => {
		const { watched, looksAt } = await watch([running], {
			plan: { ...DEFAULT_PLAN, timeoutMilliseconds: 16_000 },
		});
		expect(looksAt).toEqual([5, expect.closeTo(13, 0), 16]);
		expect(watched).toMatchObject({
			end: 'timeout',
			last: { status: 'running' },
			lastRefusal: undefined,
		});
	});

	it('says at the end of the time which look did not succeed', async () => {
		const { watched } = await watch([answer(503)], {
			plan: { ...DEFAULT_PLAN, timeoutMilliseconds: 6_000 },
		});
		expect(watched).toMatchObject({
			end: 'timeout',
			last: undefined,
			lastRefusal: { words: { message: expect.stringMatching(/503/) } },
		});
	});

	it('looks a last time too when the look before it outlasted the time', async () => {
		const { watched, looksAt } = await watch([running, running, completed], {
			plan: { ...DEFAULT_PLAN, timeoutMilliseconds: 50_000 },
			lookTakes: 20_000,
		});
		expect(looksAt).toEqual([5, expect.closeTo(40, -1), expect.closeTo(60, -1)]);
		expect(looksAt[1]).toBeLessThan(50);
		expect(watched.end).toBe('finished');
	});

	it('spaces looks that fail as the others', async () => {
		const { looksAt } = await watch([answer(429), answer(500), answer(200, '<html>'), completed]);
		expect(looksAt.map(Math.round)).toEqual([5, 13, 25, 40]);
	});

	it('does not leave open for longer than the grace whether there is such an execution, in a batch neither', async () => {
		const history = siblingsRunning(50, 300_000);
		expect((await watch([answer(404)], { history })).looksAt).toEqual([5, expect.closeTo(35, 2)]);
		expect((await watch([answer(404)], { history, isFresh: false })).looksAt).toEqual([5, 10]);
	});

	it('leaves the time of each look to chance anew', async () => {
		const drawn = [0, 0.5, 0, 0.5];
		const { looksAt } = await watch([running, running, running, completed], {
			random: () => drawn.shift() ?? 0,
		});
		expect(looksAt.map(Math.round).slice(0, 2)).toEqual([5, 13]);
		expect(looksAt[2]).toBeLessThan(23);
		expect(drawn).toEqual([]);
	});

	it('looks as rarely as else once the execution was found', async () => {
		const { looksAt } = await watch([answer(404), ...Array<Reply>(30).fill(running), completed]);
		expect((looksAt.at(-1) ?? 0) - (looksAt.at(-2) ?? 0)).toBeCloseTo(57, 0);
	});
});

describe('an execution that is not found', () => {
	const later = { ...DEFAULT_PLAN, firstMilliseconds: 30_000 };
	const busyFor = (seconds: number) => answer(429, {}, { 'retry-after': String(seconds) });

	it.each<[string, Reply[], Options]>([
		['after it was seen running', [...times(5, running), notFound, completed], {}],
		[
			'after it was seen running, which was created by another run',
			[...times(5, running), notFound, completed],
			{ isFresh: false },
		],
		['when the service has not answered before', [busyFor(60), notFound, completed], {}],
		[
			'when the service has not answered before, of another run',
			[busyFor(60), notFound, completed],
			{ isFresh: false },
		],
		['by a first look that comes late', [notFound, completed], { plan: later }],
		[
			'by a first look that comes late, of another run',
			[notFound, completed],
			{ plan: later, isFresh: false },
		],
		[
			'twice, and seen running in between',
			[notFound, ...times(5, running), notFound, completed],
			{},
		],
	])('once is looked at again: %s', async (_, replies, options) => {
		const { watched, looksAt } = await watch(replies, options);
		expect(watched).toMatchObject({ end: 'finished', execution: { phase: 'completed' } });
		expect(looksAt).toHaveLength(replies.length);
	});

	it.each([
		[30, true],
		[10, false],
	])(
		'is lost after %d s without it, counted from the first look that missed it (created just now: %s)',
		async (grace, isFresh) => {
			const { watched, looksAt } = await watch([...times(5, running), notFound], { isFresh });
			expect(watched).toMatchObject({
				end: 'lost',
				refusal: { reply: notFound },
				last: { status: 'running' },
			});
			const missed = looksAt.slice(5).map((look) => look - (looksAt[5] ?? 0));
			expect(missed.at(-1)).toBeCloseTo(grace, 2);
			expect(missed.length).toBeGreaterThan(1);
		},
	);

	it('is neither found nor lost by looks that show nothing of it', async () => {
		const { watched, looksAt } = await watch([
			notFound,
			busyFor(1),
			answer(500),
			answer(200, '<html>'),
			notFound,
		]);
		expect(watched).toMatchObject({ end: 'lost', last: undefined });
		expect(looksAt).toHaveLength(5);
		expect(looksAt.at(-1)).toBeGreaterThanOrEqual((looksAt[0] ?? 0) + 30);
	});

	it('is not looked at more often than else while it cannot be told whether it is there', async () => {
		const { looksAt } = await watch([notFound, ...times(20, answer(503)), completed]);
		const { looksAt: asElse } = await watch([...times(21, answer(503)), completed]);
		expect(looksAt.at(-1)).toBe(asElse.at(-1));
	});

	it('is looked at every two seconds or so before a pause, until it is seen or the grace is over', async () => {
		const plan = {
			firstMilliseconds: 2_000,
			longestMilliseconds: 5_000,
			timeoutMilliseconds: 60_000,
		};
		const seen = await watch([notFound, running], { plan, isFresh: false, untilSeen: true });
		expect(seen.watched).toMatchObject({ end: 'timeout', last: { status: 'running' }, looks: 2 });
		expect(seen.looksAt).toEqual([0, expect.closeTo(2, 0)]);
		const unknown = await watch([notFound], { plan, isFresh: false, untilSeen: true });
		expect(unknown.watched).toMatchObject({ end: 'lost', last: undefined });
		expect(unknown.looksAt.at(-1)).toBeGreaterThanOrEqual(10);
		expect(unknown.looksAt.at(-1)).toBeLessThan(12);
	});
});

it('A wait that is lost says what was seen last', async () => {
	expect((await watch([answer(200, { status: 'queued' }), answer(403)])).watched).toMatchObject({
		end: 'lost',
		last: { status: 'queued' },
	});
	expect((await watch([answer(403)])).watched).toMatchObject({ end: 'lost', last: undefined });
});

it('However many waits there are and whatever the service does, the last is over five seconds after its time', async () => {
	const clock = new FakeClock();
	const send = new Pace(clock.pause, clock.now, async () => Promise.resolve()).limited(
		1,
		async ({ timeoutMilliseconds }) => {
			await clock.pause(timeoutMilliseconds);
			return { kind: 'noAnswer', code: 'ECONNABORTED' };
		},
	);
	const plan = { ...DEFAULT_PLAN, timeoutMilliseconds: 30_000 };
	const waits = ['1', '2', '3'].map(async (executionId) =>
		watchExecution({
			send,
			pause: clock.pause,
			now: clock.now,
			plan,
			workflowId: 'wf',
			executionId,
			isFresh: true,
		}).then(({ end }) => ({ end, at: clock.now() })),
	);
	await clock.pass(200_000);
	for (const { end, at } of await Promise.all(waits)) {
		expect(end).toBe('timeout');
		expect(at).toBeGreaterThanOrEqual(30_000);
		expect(at).toBeLessThanOrEqual(35_001);
	}
});

describe('watching the executions of a batch', () => {
	it('takes fewer looks when it is known how long others took', async () => {
		const history = new History();
		const replies = [...Array<Reply>(9).fill(running), completed];
		const { looksAt } = await watch(replies);
		for (let sibling = 0; sibling < 10; sibling++) await watch(replies, { history });
		const { looksAt: later } = await watch(replies, { history });
		expect(later.filter((look) => look < 60).length).toBeLessThan(
			looksAt.filter((look) => look < 60).length,
		);
	});

	it('tells the others both of executions that run and of executions that ended', async () => {
		const [ranOn, ended] = [new History(), new History()];
		await watch([running, answer(403)], { history: ranOn });
		await watch([running, completed], { history: ended });
		const hazardAt = (history: History, age: number) =>
			[...history.of('wf').spans(age, age + 1)][0]?.hazard ?? 0;
		const unknown = hazardAt(new History(), 3_000);
		expect(hazardAt(ranOn, 3_000)).toBeLessThan(unknown);
		expect(hazardAt(ended, 3_000)).toBeLessThan(unknown);
		expect(hazardAt(ended, 8_000)).toBeGreaterThan(hazardAt(ranOn, 8_000) * 2);
	});

	it('learns nothing from a look that failed', async () => {
		const history = new History();
		await watch([answer(503), answer(403)], { history });
		const hazards = (of: History) => [...of.of('wf').spans(0, 100_000)].map(({ hazard }) => hazard);
		expect(hazards(history)).toEqual(hazards(new History()));
	});

	it('keeps the workflows apart', async () => {
		const history = siblingsRunning(50, 300_000, 'another');
		expect((await watch([running, running, completed], { history })).looksAt[1]).toBeCloseTo(13, 0);
	});

	it('thinks over meanwhile when to look, without looking: alone it sleeps until then', async () => {
		const { pauses, looksAt } = await watch([...Array<Reply>(12).fill(running), completed], {
			history: new History(),
		});
		expect(looksAt).toHaveLength(13);
		expect(pauses.length).toBeGreaterThan(20);
		expect(Math.max(...pauses)).toBeLessThan(20_000);
		expect((await watch([...Array<Reply>(12).fill(running), completed])).pauses).toHaveLength(13);
	});

	it('looks sooner on the news that another has ended', async () => {
		const history = siblingsRunning(20, 20_000);
		let now = START;
		let looks = 0;
		await watchExecution({
			send: async () => (++looks === 1 ? running : completed),
			pause: async (milliseconds) => {
				now += milliseconds;
				if (now - START > 24_000 && now - START < 27_000)
					for (let sibling = 0; sibling < 10; sibling++) history.of('wf').sawEnded(20_000, 25_000);
			},
			now: () => now,
			plan: DEFAULT_PLAN,
			workflowId: 'wf',
			executionId: 'ex',
			isFresh: true,
			random: () => 0.5,
			history,
		});
		expect(now - START).toBeLessThan(30_000);
		expect(
			(await watch([running, completed], { history: siblingsRunning(20, 20_000) })).looksAt[1],
		).toBeGreaterThan(30);
	});
});

function siblingsRunning(count: number, age: number, workflowId = 'wf'): History {
	const history = new History();
	for (let sibling = 0; sibling < count; sibling++) history.of(workflowId).sawRunning(0, age);
	return history;
}
