import type { Reply } from '../../../service/http';
import { DEFAULT_PLAN } from '../../../service/polling';
import type { Watched } from '../../../service/watching';
import { watchExecution } from '../../../service/watching';

const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}): Reply => ({ kind: 'answer', status, headers, body });
const running = answer(200, { status: 'running' });
const completed = answer(200, { status: 'completed', steps: [] });

const START = Date.parse('2026-01-01T00:00:00Z');

/** Watches with a clock that only moves in pauses; each look takes the next reply, the last one again and again. */
async function watch(replies: Reply[], plan = DEFAULT_PLAN, isFresh = true): Promise<{ watched: Watched; looksAt: number[] }> {
	let now = START;
	const looksAt: number[] = [];
	const watched = await watchExecution({
		send: async () => {
			looksAt.push((now - START) / 1000);
			const reply = replies[Math.min(looksAt.length, replies.length) - 1];
			if (reply === undefined) throw new Error('no reply was scripted');
			return reply;
		},
		pause: async (milliseconds) => void (now += milliseconds),
		now: () => now,
		plan,
		workflowId: 'wf',
		executionId: 'ex',
		isFresh,
	});
	return { watched, looksAt };
}

describe('watching an execution', () => {
	it('looks first after 5 s, then further and further apart, until it has ended', async () => {
		const { watched, looksAt } = await watch([running, running, running, completed]);
		expect(watched).toMatchObject({ end: 'finished', execution: { phase: 'completed' } });
		expect(looksAt).toEqual([5, 10, 15, 22.5]);
	});

	it('ends with a failed execution too', async () => {
		const { watched } = await watch([answer(200, { status: 'failed', error: 'broken file' })]);
		expect(watched).toMatchObject({ end: 'finished', execution: { phase: 'failed', failureReason: 'broken file' } });
	});

	it.each<[string, Reply]>([
		['a broken connection', { kind: 'noAnswer', code: 'ECONNRESET' }],
		['a 500', answer(500)],
		['a 503', answer(503)],
		['a 429', answer(429)],
		['a web page', answer(200, '<html>')],
		['an answer without a status', answer(200, {})],
		['a token endpoint that is busy', { kind: 'noToken', message: 'm', advice: 'a', passing: true, unreachable: false, retryAfterMilliseconds: undefined }],
		['a 404 right after the start', answer(404)],
	])('goes on after %s', async (_, reply) => {
		const { watched, looksAt } = await watch([reply, completed]);
		expect(watched.end).toBe('finished');
		expect(looksAt).toEqual([5, 10]);
	});

	const lost: Array<[string, Reply]> = [
		['a host that is not found', { kind: 'noAnswer', code: 'ENOTFOUND' }],
		['a certificate that is not trusted', { kind: 'noAnswer', code: 'CERT_HAS_EXPIRED' }],
		['a token endpoint that is not found', { kind: 'noToken', message: 'm', advice: 'a', passing: false, unreachable: true, retryAfterMilliseconds: undefined }],
	];

	it.each(lost)('goes on after %s once the service was reached', async (_, reply) => {
		expect((await watch([reply, completed])).watched.end).toBe('finished');
		expect((await watch([running, reply, completed], DEFAULT_PLAN, false)).watched.end).toBe('finished');
	});

	it.each(lost)('ends with %s when the service was never reached', async (_, reply) => {
		const { watched, looksAt } = await watch([reply, completed], DEFAULT_PLAN, false);
		expect(watched).toMatchObject({ end: 'lost', refusal: { reply } });
		expect(looksAt).toEqual([5]);
	});

	it('gives an execution that was not created just now ten seconds to be found', async () => {
		const { watched, looksAt } = await watch([answer(404)], DEFAULT_PLAN, false);
		expect(watched.end).toBe('lost');
		expect(looksAt).toEqual([5, 10]);
	});

	it('goes on after a fault that comes late', async () => {
		const { watched } = await watch([...Array<Reply>(6).fill(running), answer(500), completed]);
		expect(watched.end).toBe('finished');
	});

	it('comes back when the service asks', async () => {
		const { looksAt } = await watch([answer(429, {}, { 'retry-after': '60' }), running, completed]);
		expect(looksAt).toEqual([5, 65, 95]);
	});

	it.each<[string, Reply[]]>([
		['a 403', [answer(403)]],
		['a 401 that a new token did not mend', [answer(401)]],
		['a wrong secret', [{ kind: 'noToken', message: 'm', advice: 'a', passing: false, unreachable: false, retryAfterMilliseconds: undefined }]],
	])('ends with %s at once', async (_, replies) => {
		const { watched, looksAt } = await watch(replies);
		expect(watched).toMatchObject({ end: 'lost', refusal: { reply: replies[0] } });
		expect(looksAt).toEqual([5]);
	});

	it('gives an execution that is not found half a minute, no longer', async () => {
		const { watched, looksAt } = await watch([answer(404)]);
		expect(watched).toMatchObject({ end: 'lost', refusal: { reply: answer(404) } });
		expect(looksAt.at(-1)).toBeGreaterThanOrEqual(30);
		expect(looksAt.at(-2)).toBeLessThan(30);
	});

	it('looks a last time when the time is over, and says what it saw', async () => {
		const { watched, looksAt } = await watch([running], { ...DEFAULT_PLAN, timeoutMilliseconds: 12_000 });
		expect(looksAt).toEqual([5, 10, 12]);
		expect(watched).toMatchObject({ end: 'timeout', last: { status: 'running' }, lastRefusal: undefined });
	});

	it('says at the end of the time which look did not succeed', async () => {
		const { watched } = await watch([answer(503)], { ...DEFAULT_PLAN, timeoutMilliseconds: 6_000 });
		expect(watched).toMatchObject({ end: 'timeout', last: undefined, lastRefusal: { words: { message: expect.stringMatching(/503/) } } });
	});
});
