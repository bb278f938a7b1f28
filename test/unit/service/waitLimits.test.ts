import { DEFAULT_PLAN } from '../../../harness/defaultPlan';
import type { Execution } from '../../../service/contract';
import type { GetOutcome } from '../../../service/executions';
import { NOT_SENT_IN_TIME, type Reply, type ServiceRequest } from '../../../service/http';
import { judgeReply, type Wait, watch } from '../../../service/wait';

const answer = (status: number, body: unknown = {}): Reply => ({
	kind: 'answer',
	status,
	headers: {},
	body,
});
const silence = (code: string): Reply => ({ kind: 'noAnswer', code });
const noToken = (passing: boolean, endpoint?: 'silent' | 'late'): Reply => ({
	kind: 'noToken',
	message: 'M',
	advice: 'A',
	passing,
	endpoint,
});
const running = answer(200, { status: 'running' });

/** Watches a running execution for a time, and returns the checks with the seconds after which they were sent. */
async function checksOf(timeoutMilliseconds: number, reply = running) {
	const start = Date.parse('2026-01-01T00:00:00Z');
	let now = start;
	const checks: Array<{ at: number; notAfter?: number; timeout: number }> = [];
	const watched = await watch(
		{
			send: async ({ notAfter = Infinity, timeoutMilliseconds: timeout }: ServiceRequest) => {
				checks.push({ at: (now - start) / 1000, notAfter: (notAfter - start) / 1000, timeout });
				return reply;
			},
			pause: async (milliseconds) => void (now += milliseconds),
			now: () => now,
			...{ ...DEFAULT_PLAN, pauseAt: Infinity, isBatch: false, random: () => 0 },
		},
		{
			...{ workflowId: 'wf', executionId: 'ex', known: 'created', checks: 0, ...DEFAULT_PLAN },
			...{ since: start, until: start + timeoutMilliseconds },
		},
	);
	return { watched, checks };
}

describe('a check while waiting', () => {
	it('has a minute for its answer, later only the rest of the wait, and at its end five seconds', async () => {
		const { checks } = await checksOf(72_000);
		expect(checks.map(({ at, timeout }) => [at, timeout])).toEqual([
			[5, 60_000],
			[20, 52_000],
			[45, 27_000],
			[57, 15_000],
			[69, 5_000],
			[72, 5_000],
		]);
	});

	it('is not sent more than five seconds after the end of the wait', async () => {
		const { checks } = await checksOf(30_000);
		expect(new Set(checks.map(({ notAfter }) => notAfter))).toEqual(new Set([35]));
	});
});

const [HOUR, MINUTE] = [60 * 60_000, 60_000];
const [FOREVER, HALF_HOUR] = [Infinity, 30 * MINUTE];

const WAIT: Wait = {
	...{ workflowId: 'w', executionId: 'e', since: 0, until: HOUR, checks: 0, ...DEFAULT_PLAN },
};

/** How long a reply is tolerated, in milliseconds: the first second in which the same reply loses the wait. */
function toleratedFor(reply: Reply, known: Wait['known'], isAboutAnother = false): number {
	const refusal = { reply, fault: { message: 'M', advice: 'A' }, isAboutAnother };
	let wait: Wait = {
		...WAIT,
		known,
		until: 24 * HOUR,
	};
	for (let now = 0; now <= 2 * HOUR; now += 1_000) {
		const judged = judgeReply(wait, { ok: false, refusal }, now, now);
		if (judged.check.kind === 'lost') return now;
		({ wait } = judged);
	}
	return FOREVER;
}

describe('The rule for failed checks', () => {
	const page = '<html>Not here</html>' as unknown as object;

	it.each<[string, Reply, number, number, number]>([
		['a broken connection', silence('ECONNRESET'), FOREVER, FOREVER, FOREVER],
		['a busy service', answer(429), FOREVER, FOREVER, FOREVER],
		['a request that took too long', answer(408), FOREVER, FOREVER, FOREVER],
		['a fault of the service', answer(500), FOREVER, FOREVER, FOREVER],
		['a token endpoint that is busy', noToken(true), FOREVER, FOREVER, FOREVER],
		['a success that is empty', answer(200, ''), HALF_HOUR, HALF_HOUR, HALF_HOUR],
		['a success with a page', answer(200, page), HALF_HOUR, HALF_HOUR, HALF_HOUR],
		['a success without a status', answer(200), HALF_HOUR, HALF_HOUR, HALF_HOUR],
		['a redirect', answer(302, page), FOREVER, FOREVER, 0],
		['the page of a gateway', answer(403, page), FOREVER, FOREVER, 0],
		['the page of a gateway with 404', answer(404, page), FOREVER, FOREVER, 10_000],
		['a host that is not found', silence('ENOTFOUND'), FOREVER, FOREVER, 0],
		['a certificate that has expired', silence('CERT_HAS_EXPIRED'), FOREVER, FOREVER, 0],
		['a token endpoint not reached', noToken(false, 'silent'), FOREVER, FOREVER, 0],
		['a token endpoint too slow', noToken(false, 'late'), FOREVER, FOREVER, 0],
		['404', answer(404), HALF_HOUR, 30_000, 10_000],
		['401 with each token', answer(401), HALF_HOUR, HALF_HOUR, 0],
		['403', answer(403), HALF_HOUR, HALF_HOUR, 0],
		['409', answer(409), HALF_HOUR, HALF_HOUR, 0],
		['a status that HTTP does not have', answer(999), FOREVER, FOREVER, FOREVER],
		['an answer that is too large', silence('ANSWER_TOO_LARGE'), HALF_HOUR, HALF_HOUR, 0],
		['a wrong secret', noToken(false), HALF_HOUR, HALF_HOUR, 0],
	])(
		'tolerates %s, if the execution was found, was created, or only has an ID that was entered',
		(_, reply, found, created, entered) => {
			expect([
				toleratedFor(reply, 'found'),
				toleratedFor(reply, 'created'),
				toleratedFor(reply, undefined),
			]).toEqual([found, created, entered]);
		},
	);

	it('tolerates no answer about another execution', () => {
		for (const known of ['found', 'created', undefined] as const)
			expect(toleratedFor(running, known, true)).toBe(0);
	});

	it('counts from the first doubtful reply in a row: a network fault or a reply that finds the execution ends the row', () => {
		const refused = {
			ok: false,
			refusal: { reply: answer(403), fault: { message: '', advice: '' } },
		};
		const fault = { ...refused, refusal: { ...refused.refusal, reply: answer(500) } };
		const unsent = { ...refused, refusal: { ...refused.refusal, reply: NOT_SENT_IN_TIME } };
		const execution = { status: 'running', phase: 'running' } as Execution;
		const steps: Array<[object, number | undefined]> = [
			[fault, undefined],
			[refused, 1_000],
			[unsent, 1_000],
			[fault, undefined],
			[refused, 4_000],
			[{ ok: true, execution }, undefined],
			[refused, 6_000],
		];
		let wait: Wait = { ...WAIT, known: 'found' };
		steps.forEach(([found, doubtedSince], index) => {
			const now = index * 1_000;
			({ wait } = judgeReply(wait, found as GetOutcome, now, now));
			expect(wait.doubtedSince).toBe(doubtedSince);
		});
		expect(wait).toMatchObject({ known: 'found', status: 'running', checks: 6 });
	});

	it('asks for no check before the service allows it', () => {
		const asking = { ...answer(503), headers: { 'retry-after': '90' } } as Reply;
		const judged = (reply: Reply) => {
			const refusal = { reply, fault: { message: '', advice: '' } };
			return judgeReply({ ...WAIT, known: 'found' }, { ok: false, refusal }, 0, 5_000).wait;
		};
		expect(judged(asking)).toMatchObject({ notBefore: 95_000 });
		expect(judged(answer(403))).toMatchObject({ notBefore: undefined });
		const found = { ok: true, execution: { status: 'running', phase: 'running' } } as GetOutcome;
		expect(judgeReply(judged(asking), found, 0, 5_000).wait.notBefore).toBeUndefined();
	});

	it('says that an execution has ended when the reply has come, or when it was seen before', () => {
		const execution = { status: 'completed', phase: 'completed' } as Execution;
		const endOf = (before: Wait) =>
			judgeReply(before, { ok: true, execution }, 1_000, 5_000).wait.endedAt;
		expect([endOf(WAIT), endOf({ ...WAIT, endedAt: 500 })]).toEqual([5_000, 500]);
	});

	it.each<[string, boolean, string, 'finished' | 'again']>([
		['a held execution', true, 'paused', 'finished'],
		['a held execution', false, 'paused', 'again'],
		['a running execution', true, 'running', 'again'],
	])(
		'for %s, when its wait ends with that (%s), is: "%s" is %s',
		(_, endsWhenHeld, status, kind) => {
			const execution = { status, phase: 'running' } as Execution;
			expect(judgeReply({ ...WAIT, endsWhenHeld }, { ok: true, execution }, 0, 0).check.kind).toBe(
				kind,
			);
		},
	);
});

it('A wait is not checked after n8n has to pause, and has its last check at that time', async () => {
	const checks: number[] = [];
	const watchUntil = async (pauseAt: number) => {
		let now = 10_000;
		const { check } = await watch(
			{
				send: async () => Promise.resolve((checks.push(now), running)),
				pause: async (milliseconds) => void (now += milliseconds),
				now: () => now,
				...{ ...DEFAULT_PLAN, pauseAt, isBatch: false, random: () => 0 },
			},
			{ ...WAIT, since: 10_000, known: 'created' },
		);
		return check.kind;
	};
	expect(await watchUntil(10_000)).toBe('again');
	expect(checks).toEqual([]);
	expect(await watchUntil(18_000)).toBe('again');
	expect(checks).toEqual([15_000, 18_000]);
});

it('A wait stays open without another check when one could not be sent before the pause', async () => {
	let sent = 0;
	const { wait, check } = await watch(
		{
			send: async () => {
				sent++;
				return Promise.resolve(NOT_SENT_IN_TIME);
			},
			pause: async () => Promise.resolve(),
			now: () => 26_000,
			...{ ...DEFAULT_PLAN, pauseAt: 27_000, isBatch: false },
		},
		{ ...WAIT, known: 'created' },
	);
	expect([sent, wait.checks, check.kind]).toEqual([1, 0, 'again']);
});

it('sends one more check after a jump of the clock, and reports each check', async () => {
	let now = 0;
	const left: number[] = [];
	const told: Array<[number, string]> = [];
	await watch(
		{
			send: async ({ notAfter = Infinity }) => {
				left.push(notAfter - now);
				now += 25 * HOUR;
				return Promise.resolve(running);
			},
			pause: async () => Promise.resolve(),
			now: () => now,
			...{ ...DEFAULT_PLAN, pauseAt: Infinity, isBatch: false },
			tell: ({ checks }, { check: { kind } }) => void told.push([checks, kind]),
		},
		{ ...WAIT, until: 24 * HOUR },
	);
	expect(left).toEqual([24 * HOUR + 5_000, 5_000]);
	expect(told).toEqual([
		[0, 'again'],
		[1, 'over'],
	]);
});
