import {
	delayBeforeRetry,
	NOT_FETCHED_IN_TIME,
} from '../../../../nodes/DocumentWorkflow/results/fetchSteps';
import type { Reply } from '../../../../service/http';

const answer = (status: number, retryAfter?: string): Reply => ({
	kind: 'answer',
	status,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	body: '',
});
const silence = (code: string): Reply => ({ kind: 'noAnswer', code });
const NOW = Date.parse('2026-01-01T00:00:00Z');
const delay = (reply: Reply, tries = 1, pausedMilliseconds = 0) =>
	delayBeforeRetry(reply, { tries, pausedMilliseconds }, NOW);

describe('An address is tried again', () => {
	it.each([
		['a 408', answer(408)],
		['a 429', answer(429)],
		['a 500', answer(500)],
		['a 503', answer(503)],
		['a connection that broke', silence('ECONNRESET')],
		['a connection that nobody took', silence('ECONNREFUSED')],
		['no answer that has a name', silence('')],
	])('after %s, at most twice, with a longer delay before the second time', (_what, reply) => {
		expect([1, 2, 3].map((tries) => delay(reply, tries))).toEqual([1_000, 3_000, undefined]);
	});

	it.each([
		['7', 7_000],
		['10', 10_000],
		['11', undefined],
		['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
		['Thu, 01 Jan 2026 00:01:00 GMT', undefined],
	])('after the Retry-After %s has passed, unless it is too long', (retryAfter, milliseconds) => {
		for (const status of [429, 503]) expect(delay(answer(status, retryAfter))).toBe(milliseconds);
	});

	it.each(['0', 'Thu, 01 Jan 2026 00:00:00 GMT', 'Wed, 31 Dec 2025 23:59:58 GMT'])(
		'with the usual delays after a Retry-After of %s, which is in the past',
		(retryAfter) => {
			expect([1, 2, 3].map((tries) => delay(answer(503, retryAfter), tries))).toEqual([
				1_000,
				3_000,
				undefined,
			]);
		},
	);

	it('only while all pauses of its execution are at most ten seconds', () => {
		expect(delay(answer(503), 1, 9_000)).toBe(1_000);
		expect(delay(answer(503), 1, 9_001)).toBeUndefined();
		expect(delay(answer(429, '5'), 2, 6_000)).toBeUndefined();
	});
});

it.each([
	['success', answer(200)],
	['an address elsewhere', answer(302)],
	['a request that is not understood', answer(400)],
	['an address that has expired', answer(403)],
	['data that is gone', answer(404)],
	['a host that does not exist', silence('ENOTFOUND')],
	['a certificate that nobody vouches for', silence('DEPTH_ZERO_SELF_SIGNED_CERT')],
	['data that took too long', NOT_FETCHED_IN_TIME],
])('An address is not tried again after %s', (_what, reply) => {
	expect(delay(reply)).toBeUndefined();
});
