import type { Reply } from '../../../service/http';
import {
	delayBeforeCheckingAgain,
	delayBeforeSendingAgain,
	isPassing,
	isRefused,
	pauseAskedFor,
	retryAfterOf,
} from '../../../service/retry';

const answer = (status: number, headers: Record<string, string> = {}): Reply => ({
	kind: 'answer',
	status,
	headers,
	body: {},
});
const silence = (code: string): Reply => ({ kind: 'noAnswer', code });
/** An answer with a 2xx status that broke off. */
const cut = (code: string): Reply => ({ kind: 'noAnswer', code, part: {} });
const noToken = (passing: boolean, retryAfterMilliseconds?: number): Reply => ({
	kind: 'noToken',
	message: 'm',
	advice: 'a',
	passing,
	unreachable: false,
	retryAfterMilliseconds,
});

const incomplete = <T extends Reply>(reply: T): T => ({ ...reply, isIncomplete: true });

const again = (reply: Reply, tries: number, now: number) =>
	delayBeforeSendingAgain(reply, { tries, evenIfUnknown: false, now });
const evenIfUnknown = (reply: Reply, tries: number, now: number) =>
	delayBeforeSendingAgain(reply, { tries, evenIfUnknown: true, now });

describe('a reply to a create', () => {
	it.each([
		['a 2xx', answer(201), false],
		['a redirect to a result', answer(303), false],
		['a redirect that a proxy answers', answer(302), false],
		['a redirect for good', answer(301), false],
		['a redirect for good during the upload', incomplete(answer(301)), true],
		['a redirect of the same request', answer(307), true],
		['a redirect of the same request for good', answer(308), true],
		['the last 3xx', answer(399), false],
		['a 400', answer(400), true],
		['a 401', answer(401), true],
		['a 422', answer(422), true],
		['a 429', answer(429), true],
		['a 503 with Retry-After', answer(503, { 'retry-after': '2' }), true],
		['a 503 with Retry-After 0', answer(503, { 'retry-after': '0' }), true],
		['a 503 without that', answer(503), false],
		['a 500', answer(500), false],
		['a 500 with Retry-After', answer(500, { 'retry-after': '2' }), false],
		['the last 2xx', answer(299), false],
		['the first 3xx', answer(300), false],
		['a status below 200', answer(199), false],
		['a 502', answer(502), false],
		['a request timeout of the service', answer(408), false],
		['a connection that was never made', silence('ECONNREFUSED'), true],
		['a certificate that is not trusted', silence('SELF_SIGNED_CERT_IN_CHAIN'), true],
		['a connection that broke', silence('ECONNRESET'), false],
		['a host that is not reached any more', silence('EHOSTUNREACH'), false],
		['a document that n8n cannot read', silence('ENOENT'), true],
		['a connection that broke during the upload', incomplete(silence('ECONNRESET')), true],
		['a 500 during the upload', incomplete(answer(500)), true],
		['a 2xx during the upload', incomplete(answer(200)), false],
		['a 2xx that breaks off', cut('ECONNRESET'), false],
		['a 2xx that breaks off during the upload', incomplete(cut('ECONNRESET')), false],
		['a 2xx that breaks off with an error of TLS', cut('EPROTO'), false],
		['a time limit', silence('ECONNABORTED'), false],
		['silence without a reason', silence(''), false],
		['no token', noToken(false), true],
	] as const)('shows, if it is %s, that nothing was started: %s', (_, reply, startedNothing) => {
		expect(isRefused(reply)).toBe(startedNothing);
	});
});

describe('sending a create again', () => {
	it.each([
		['429', answer(429)],
		['a connection that was never made', silence('ECONNREFUSED')],
		['a token endpoint that is busy', noToken(true)],
		['a connection that broke during the upload', incomplete(silence('EPIPE'))],
		['a 500 during the upload', incomplete(answer(500))],
	])('happens after %s, with a doubled delay each time', (_, reply) => {
		expect([1, 2, 3, 4].map((tries) => again(reply, tries, 0))).toEqual([1000, 2000, 4000, 8000]);
	});

	it('ends after five tries, or after ten when the service is too busy', () => {
		expect([4, 5].map((tries) => again(silence('ECONNREFUSED'), tries, 0))).toEqual([
			8000,
			undefined,
		]);
		expect([4, 5].map((tries) => again(answer(503, { 'retry-after': '1' }), tries, 0))).toEqual([
			1000,
			undefined,
		]);
		expect([9, 10].map((tries) => again(answer(429), tries, 0))).toEqual([30_000, undefined]);
	});

	it('waits at most half a minute without a Retry-After', () => {
		expect([5, 6, 7, 8].map((tries) => again(answer(429), tries, 0))).toEqual([
			16_000, 30_000, 30_000, 30_000,
		]);
	});

	it('waits as long as the service asks', () => {
		expect(again(answer(429, { 'retry-after': '7' }), 1, 0)).toBe(7000);
		expect(again(noToken(true, 3000), 1, 0)).toBe(3000);
	});

	it.each([
		['no seconds', '0'],
		['a date that is past', 'Wed, 31 Dec 1969 23:59:58 GMT'],
		['the date of now', 'Thu, 01 Jan 1970 00:00:00 GMT'],
	])('waits as without a Retry-After when it is %s', (_, text) => {
		expect(
			[1, 2, 3, 10].map((tries) => again(answer(429, { 'retry-after': text }), tries, 0)),
		).toEqual([1000, 2000, 4000, undefined]);
		expect([1, 2, 5].map((tries) => again(answer(503, { 'retry-after': text }), tries, 0))).toEqual(
			[1000, 2000, undefined],
		);
		expect(
			[1, 2].map((tries) => evenIfUnknown(answer(500, { 'retry-after': text }), tries, 0)),
		).toEqual([1000, 2000]);
	});

	it('waits as without a Retry-After when that of the token endpoint is over', () => {
		expect([1, 2].map((tries) => again(noToken(true, 0), tries, 0))).toEqual([1000, 2000]);
	});

	it('waits up to five minutes', () => {
		expect(again(answer(429, { 'retry-after': '300' }), 1, 0)).toBe(300_000);
	});

	it('does not wait for a Retry-After of more than five minutes', () => {
		expect(again(answer(429, { 'retry-after': '301' }), 1, 0)).toBeUndefined();
	});

	it.each([
		['an unknown outcome', answer(500)],
		['a broken connection', silence('ECONNRESET')],
		['a final rejection', answer(422)],
		['a 401, which was answered with a new token already', answer(401)],
		['a host that does not exist', silence('ENOTFOUND')],
		['a document that n8n cannot read', silence('ENOENT')],
		['a wrong secret', noToken(false)],
		['success', answer(200)],
	])('never happens after %s', (_, reply) => {
		expect(again(reply, 1, 0)).toBeUndefined();
	});
});

describe('sending a create again after an unknown outcome', () => {
	it.each([
		['a 500', answer(500)],
		['a broken connection', silence('ECONNRESET')],
		['a 503 without Retry-After', answer(503)],
	])('happens after %s for five tries, with a doubled delay each time', (_, reply) => {
		expect([1, 2, 3, 4, 5].map((tries) => evenIfUnknown(reply, tries, 0))).toEqual([
			1000,
			2000,
			4000,
			8000,
			undefined,
		]);
	});

	it('waits as long as the service asks, up to five minutes', () => {
		expect(
			[3, 300, 301].map((seconds) =>
				evenIfUnknown(answer(500, { 'retry-after': String(seconds) }), 1, 0),
			),
		).toEqual([3000, 300_000, undefined]);
	});

	it.each([
		['a 429', answer(429)],
		['a 422', answer(422)],
		['a connection that was never made', silence('ECONNREFUSED')],
		['a document that n8n cannot read', silence('EIO')],
		['a missing token', noToken(true)],
	])('is the same as otherwise after %s, which was not accepted', (_, reply) =>
		expect(evenIfUnknown(reply, 1, 0)).toBe(again(reply, 1, 0)),
	);
});

describe('a failed check', () => {
	it.each([
		[answer(408), true],
		[answer(429), true],
		[answer(500), true],
		[answer(401), false],
		[answer(403), false],
		[answer(422), false],
		[silence('ECONNRESET'), true],
		[silence('ECONNREFUSED'), true],
		[silence('ENOTFOUND'), false],
		[silence('CERT_HAS_EXPIRED'), false],
		[noToken(true), true],
		[noToken(false), false],
	])('may succeed later after %j: %s', (reply, passing) => {
		expect(isPassing(reply)).toBe(passing);
	});
});

describe('a check that is repeated', () => {
	it.each<[string, Reply, number | undefined]>([
		['a 429', answer(429), 1000],
		['a 500', answer(500), 1000],
		['a broken connection', silence('ECONNRESET'), 1000],
		['a success that cannot be read', answer(200), 1000],
		['a strange answer of a trusted token endpoint', noToken(true), 1000],
		['a Retry-After', answer(429, { 'retry-after': '7' }), 7000],
		['a long Retry-After', answer(429, { 'retry-after': '301' }), undefined],
		['a 404', answer(404), undefined],
		['a wrong secret', noToken(false), undefined],
		['an answer that is too large', silence('ANSWER_TOO_LARGE'), undefined],
	])('after %s', (_, reply, delay) => {
		expect(delayBeforeCheckingAgain(reply, 1, 0)).toBe(delay);
	});

	it('waits longer each time, and gives up after five tries', () => {
		const delays = [1, 2, 3, 4, 5].map((tries) => delayBeforeCheckingAgain(answer(500), tries, 0));
		expect(delays).toEqual([1000, 2000, 4000, 8000, undefined]);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');

	it.each([
		['5', 5000],
		[' 0.5 ', 500],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Wed, 31 Dec 2025 23:59:00 GMT', 0],
		['', undefined],
		['soon', undefined],
		['Monday', undefined],
		['about 5', undefined],
		['5 minutes', undefined],
		['1.25', 1250],
	])('is read from %j as %s ms', (text, expected) => {
		expect(retryAfterOf(answer(429, { 'retry-after': text }), now)).toBe(expected);
	});

	it.each([
		['5', 5000],
		['0.0001', 1],
		['0', undefined],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Thu, 01 Jan 2026 00:00:00 GMT', undefined],
		['Wed, 31 Dec 2025 23:59:00 GMT', undefined],
		['soon', undefined],
	])('asks with %j for a pause of %s ms', (text, expected) => {
		expect(pauseAskedFor(answer(429, { 'retry-after': text }), now)).toBe(expected);
	});

	it.each(['9'.repeat(25), '1e400', '1e25', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
		'is at most a day: %s',
		(text) => {
			const day = 24 * 60 * 60_000;
			const reply = answer(503, { 'retry-after': text });
			expect(retryAfterOf(reply, 0)).toBe(day);
			expect(isRefused(reply)).toBe(true);
			expect(again(answer(429, { 'retry-after': text }), 1, 0)).toBeUndefined();
		},
	);

	it.each([
		['an hour behind', now - 3_600_000],
		['right', now],
		['an hour ahead', now + 3_600_000],
	])('counts a date from the time of the answer, with a clock of n8n that is %s', (_, clock) => {
		const headers = {
			date: 'Thu, 01 Jan 2026 00:00:00 GMT',
			'retry-after': 'Thu, 01 Jan 2026 00:00:02 GMT',
		};
		expect(retryAfterOf(answer(429, headers), clock)).toBe(2_000);
		expect(again(answer(429, headers), 1, 0)).toBe(2_000);
		const unreadable = answer(429, { ...headers, date: 'today' });
		expect(retryAfterOf(unreadable, now)).toBe(2_000);
	});

	it('is unknown without an answer', () => {
		expect(retryAfterOf(answer(429), now)).toBeUndefined();
		expect(retryAfterOf(silence('ECONNRESET'), now)).toBeUndefined();
		expect(pauseAskedFor(silence('ECONNRESET'), now)).toBeUndefined();
	});
});
