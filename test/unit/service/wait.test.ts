import type { Reply } from '../../../service/http';
import { RateLimit } from '../../../service/rateLimit';
import { DEFAULT_PLAN, type PollingPlan } from '../../../harness/defaultPlan';
import { type Progress, type Wait, watch as watchExecution } from '../../../service/wait';
import { sender } from '../support/answeredQueue';
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
	isBatch?: boolean;
	pauseAt?: number;
	random?: () => number;
	/** What is known of the wait before. */
	before?: Partial<Wait>;
	/** Duration of a check, in milliseconds. */
	checkTakes?: number;
}

/** Watches with a clock that moves only in pauses and checks. Each check gets the next reply; the last one repeats. */
async function watch(
	replies: Reply[],
	{ checkTakes = 0, plan = DEFAULT_PLAN, isFresh = true, before, ...options }: Options = {},
): Promise<{ watched: Progress; checksAt: number[]; seconds: number }> {
	let now = START;
	const checksAt: number[] = [];
	const watched = await watchExecution(
		{
			send: async () => {
				checksAt.push((now - START) / 1000);
				now += checkTakes;
				const reply = replies[Math.min(checksAt.length, replies.length) - 1];
				if (reply === undefined) throw new Error('no reply was scripted');
				return reply;
			},
			pause: async (milliseconds) => {
				now += milliseconds;
			},
			now: () => now,
			...{ pauseAt: Infinity, isBatch: false, random: () => 0 },
			...options,
		},
		{
			...{ workflowId: 'wf', executionId: 'ex', checks: 0, ...plan },
			...(isFresh ? { known: 'created', status: 'running' } : {}),
			...{ since: START, until: START + plan.timeoutMilliseconds },
			...before,
		},
	);
	return { watched, checksAt, seconds: (now - START) / 1000 };
}

describe('watching an execution', () => {
	it('checks after 5, 20 and 45 s, then every 12 s, until it has ended', async () => {
		const { watched, checksAt } = await watch([running, running, running, completed]);
		expect(watched).toMatchObject({
			check: { kind: 'finished', execution: { phase: 'completed' } },
		});
		expect(checksAt).toEqual([5, 20, 45, 57]);
	});

	it('counts its checks', async () => {
		expect((await watch([running, completed])).watched.wait.checks).toBe(2);
		expect((await watch([answer(403)], { isFresh: false })).watched.wait.checks).toBe(1);
	});

	it('ends with a failed execution too', async () => {
		const { watched } = await watch([answer(200, { status: 'failed', error: 'broken file' })]);
		expect(watched).toMatchObject({
			check: { kind: 'finished', execution: { phase: 'failed', failureReason: 'broken file' } },
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
			},
		],
		['a 404 right after the start', answer(404)],
	])('continues after %s', async (_, reply) => {
		const { watched, checksAt } = await watch([reply, completed]);
		expect(watched.check.kind).toBe('finished');
		expect(checksAt).toEqual([5, 20]);
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
				endpoint: 'silent',
			},
		],
	];

	it.each(lost)('continues after %s once the service was reached', async (_, reply) => {
		expect((await watch([reply, completed])).watched.check.kind).toBe('finished');
		expect((await watch([running, reply, completed], { isFresh: false })).watched.check.kind).toBe(
			'finished',
		);
	});

	it.each(lost)('ends with %s when the service was never reached', async (_, reply) => {
		const { watched, checksAt } = await watch([reply, completed], { isFresh: false });
		expect(watched).toMatchObject({ check: { kind: 'lost', refusal: { reply } } });
		expect(checksAt).toEqual([5]);
	});

	it('tolerates 404 for ten seconds when only the ID was entered', async () => {
		const { watched, checksAt } = await watch([answer(404)], { isFresh: false });
		expect(watched).toMatchObject({ check: { kind: 'lost', refusal: { reply: answer(404) } } });
		expect(checksAt).toEqual([5, 20]);
	});

	it('checks again when the service asks for it', async () => {
		const { checksAt } = await watch([
			answer(429, {}, { 'retry-after': '90' }),
			running,
			completed,
		]);
		expect(checksAt.slice(0, 2)).toEqual([5, 95]);
		expect(checksAt[2]).toBeLessThan(125);
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
				},
			],
		],
	])('ends with %s at once when only the ID was entered', async (_, replies) => {
		const { watched, checksAt } = await watch(replies, { isFresh: false });
		expect(watched).toMatchObject({ check: { kind: 'lost', refusal: { reply: replies[0] } } });
		expect(checksAt).toEqual([5]);
	});

	it('tolerates 404 for half a minute, up to the next check', async () => {
		const { watched, checksAt } = await watch([answer(404)]);
		expect(watched).toMatchObject({ check: { kind: 'lost', refusal: { reply: answer(404) } } });
		expect(checksAt).toEqual([5, 20, 45]);
	});

	it('checks a last time at the timeout, and reports that status', async () => {
		const { watched, checksAt } = await watch([running], {
			plan: { ...DEFAULT_PLAN, timeoutMilliseconds: 26_000 },
		});
		expect(checksAt).toEqual([5, 20, 26]);
		expect(watched).toMatchObject({ wait: { status: 'running' } });
		expect(watched.check).toEqual({ kind: 'over' });
	});

	it('reports at the timeout which check failed', async () => {
		const { watched } = await watch([answer(503)], {
			plan: { ...DEFAULT_PLAN, timeoutMilliseconds: 6_000 },
		});
		expect(watched).toMatchObject({
			check: { kind: 'over', refusal: { fault: { message: expect.stringMatching(/503/) } } },
		});
	});

	it('checks a last time even if the check before lasted beyond the timeout', async () => {
		const { watched, checksAt } = await watch([running, running, completed], {
			plan: { ...DEFAULT_PLAN, timeoutMilliseconds: 55_000 },
			checkTakes: 20_000,
		});
		expect(checksAt).toEqual([5, 50, 70]);
		expect(watched.check.kind).toBe('finished');
	});

	it('spaces failed checks like others', async () => {
		const { checksAt } = await watch([answer(429), answer(500), answer(200, '<html>'), completed]);
		expect(checksAt).toEqual([5, 20, 45, 57]);
	});

	it('randomizes a part of each interval', async () => {
		const drawn = [0, 0.5, 0, 1];
		const { checksAt } = await watch([running, running, running, completed], {
			random: () => drawn.shift() ?? 0,
		});
		expect(checksAt).toEqual([5, 19.25, 44.25, 55.05]);
		expect(drawn).toEqual([]);
	});

	it('checks less often in a run with several items', async () => {
		const { checksAt } = await watch([running, running, running, completed], { isBatch: true });
		expect(checksAt).toEqual([5, 24.5, 57, 72.6]);
	});

	it('checks at the usual intervals once the execution was found', async () => {
		const plan = { ...DEFAULT_PLAN, longestMilliseconds: 60_000 };
		const { checksAt } = await watch([answer(404), ...Array<Reply>(30).fill(running), completed], {
			plan,
		});
		expect((checksAt.at(-1) ?? 0) - (checksAt.at(-2) ?? 0)).toBe(60);
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
		['by a first check that comes late', [notFound, completed], { plan: later }],
		[
			'by a first check that comes late, of another run',
			[notFound, completed],
			{ plan: later, isFresh: false },
		],
		[
			'twice, and seen running in between',
			[notFound, ...times(5, running), notFound, completed],
			{},
		],
	])('is checked again: %s', async (_, replies, options) => {
		const { watched, checksAt } = await watch(replies, options);
		expect(watched).toMatchObject({
			check: { kind: 'finished', execution: { phase: 'completed' } },
		});
		expect(checksAt).toHaveLength(replies.length);
	});

	it.each<[string, Reply, boolean]>([
		['it is not found', notFound, true],
		['it is not found, which another run created', notFound, false],
		['the client may not see it', answer(403), true],
		['the token is rejected', answer(401), true],
	])(
		'is lost after half an hour of refusals once it was found: %s',
		async (_, refusal, isFresh) => {
			const { watched, checksAt } = await watch([...times(5, running), refusal], { isFresh });
			expect(watched).toMatchObject({
				wait: { status: 'running' },
				check: { kind: 'lost', refusal: { reply: refusal } },
			});
			const missed = checksAt.slice(5).map((check) => check - (checksAt[5] ?? 0));
			expect(missed.at(-1)).toBeGreaterThanOrEqual(30 * 60);
			expect(missed.at(-1)).toBeLessThan(31 * 60);
			expect(missed.length).toBeGreaterThan(1);
		},
	);

	it('is not lost by two answers that cannot be read with hours of a fault of the service between them', async () => {
		const page = answer(200, '<html>');
		const { watched } = await watch([running, page, ...times(60, answer(503)), page, completed]);
		expect(watched.check.kind).toBe('finished');
	});

	it('is lost at once by the answer about another execution, also once it was found', async () => {
		const other = answer(200, { status: 'completed', workflow_execution_id: 'other' });
		const { watched, checksAt } = await watch([running, other]);
		expect(watched).toMatchObject({ check: { kind: 'lost', refusal: { isAboutAnother: true } } });
		expect(checksAt).toHaveLength(2);
	});

	it('is neither found nor lost by failed checks, after which its half minute begins again', async () => {
		const { watched, checksAt } = await watch([
			notFound,
			busyFor(1),
			answer(500),
			answer(200, '<html>'),
			notFound,
		]);
		expect(watched.check.kind).toBe('lost');
		expect(checksAt).toEqual([5, 20, 45, 57, 69, 81, 93]);
	});

	it('is checked at the usual intervals while it is unknown whether it exists', async () => {
		const { checksAt } = await watch([notFound, ...times(20, answer(503)), completed]);
		const { checksAt: otherwise } = await watch([...times(21, answer(503)), completed]);
		expect(checksAt.at(-1)).toBe(otherwise.at(-1));
	});
});

it('A lost wait has the last known status', async () => {
	const other = answer(200, { status: 'completed', workflow_execution_id: 'other' });
	const { watched } = await watch([answer(200, { status: 'queued' }), other]);
	expect(watched).toMatchObject({ wait: { status: 'queued' }, check: { kind: 'lost' } });
});

it('A wait whose clock jumps beyond its end during a check is checked once more', async () => {
	const jump = 25 * 60 * 60_000;
	const { watched, checksAt } = await watch([running, completed], { checkTakes: jump });
	expect(watched.check.kind).toBe('finished');
	expect(checksAt).toHaveLength(2);
	const still = await watch([running], { checkTakes: jump });
	expect(still.watched.check.kind).toBe('over');
	expect(still.checksAt).toHaveLength(2);
});

it('A wait stays open when n8n pauses, with a last check at that time', async () => {
	const { watched, checksAt } = await watch([running], { pauseAt: START + 20_000 });
	expect(checksAt).toEqual([5, 20]);
	expect(watched).toMatchObject({ wait: { known: 'found' }, check: { kind: 'again' } });
});

it('Any number of waits ends within five seconds after the timeout, and counts only checks that were sent', async () => {
	const clock = new FakeClock();
	let sent = 0;
	const send = sender(new RateLimit(clock.pause, clock.now), 1, async ({ timeoutMilliseconds }) => {
		sent++;
		await clock.pause(timeoutMilliseconds);
		return { kind: 'noAnswer', code: 'ECONNABORTED' };
	});
	const waits = ['1', '2', '3'].map(async (executionId) =>
		watchExecution(
			{
				...{ send, pause: clock.pause, now: clock.now },
				...{ pauseAt: Infinity, isBatch: false },
			},
			{
				...{ workflowId: 'wf', executionId, known: 'created' },
				...{ since: 0, until: 30_000, checks: 0, ...DEFAULT_PLAN },
			},
		).then(({ wait: { checks }, check: { kind } }) => ({ kind, checks, at: clock.now() })),
	);
	await clock.pass(200_000);
	const ended = await Promise.all(waits);
	expect(ended.reduce((sum, { checks }) => sum + checks, 0)).toBe(sent);
	for (const { kind, at } of ended) {
		expect(kind).toBe('over');
		expect(at).toBeGreaterThanOrEqual(30_000);
		expect(at).toBeLessThanOrEqual(35_001);
	}
});
