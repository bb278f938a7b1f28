import { DEFAULT_PLAN } from '../../../harness/defaultPlan';
import type { Reply, ServiceRequest } from '../../../service/http';
import { mayPass, watchExecution } from '../../../service/watching';

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
	const watched = await watchExecution({
		send: async ({ notAfter = () => Infinity, timeoutMilliseconds: timeout }: ServiceRequest) => {
			checks.push({ at: (now - start) / 1000, notAfter: (notAfter() - start) / 1000, timeout });
			return reply;
		},
		pause: async (milliseconds) => void (now += milliseconds),
		now: () => now,
		plan: { ...DEFAULT_PLAN, timeoutMilliseconds },
		workflowId: 'wf',
		executionId: 'ex',
		isFresh: true,
		random: () => 0,
	});
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

	it('is the last one when it gets the answer of another execution', async () => {
		const other = answer(200, { status: 'running', execution_id: 'ex-2' });
		const { watched, checks } = await checksOf(60_000, other);
		expect(watched).toMatchObject({ end: 'lost', refusal: { isAboutAnother: true } });
		expect(checks).toHaveLength(1);
	});
});

describe('another check', () => {
	it.each<[string, boolean, boolean, Reply]>([
		['a busy service', true, true, answer(429)],
		['a success that cannot be read', true, true, answer(200)],
		['a broken connection', true, true, silence('ECONNRESET')],
		['a rejected token', false, false, answer(401)],
		['a host that is not found', true, false, silence('ENOTFOUND')],
		['an answer that is too large', false, false, silence('ANSWER_TOO_LARGE')],
		['a token endpoint that is not reached', true, false, noToken(false, 'silent')],
		['a token endpoint that takes too long', true, false, noToken(false, 'late')],
		['a token endpoint that is busy', true, true, noToken(true)],
		['a wrong secret', false, false, noToken(false)],
	])(
		'after %s may help a wait that reached the service before: %s, and any other: %s',
		(_, onceReached, otherwise, reply) => {
			const refusal = { reply, words: { message: 'M', advice: 'A' } };
			expect([mayPass(refusal, true), mayPass(refusal, false)]).toEqual([onceReached, otherwise]);
		},
	);

	it('never helps after the answer of another execution', () => {
		const refusal = { reply: running, words: { message: 'M', advice: 'A' } };
		expect(mayPass({ ...refusal, isAboutAnother: true }, true)).toBe(false);
	});
});
