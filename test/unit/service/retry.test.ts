import type { Reply } from '../../../service/http';
import type { Cause } from '../../../service/retry';
import { retryAfterOf } from '../../../service/http';
import {
	delayBeforeCheckingAgain,
	delayBeforeSendingAgain,
	effectOf,
	pauseForAll,
} from '../../../service/retry';

const answer = (status: number, headers: Record<string, string> = {}): Reply => ({
	kind: 'answer',
	status,
	headers,
	body: {},
});
const asking = (status: number, retryAfter: string) =>
	answer(status, { 'retry-after': retryAfter });
const silence = (code: string): Reply => ({ kind: 'noAnswer', code });
/** An answer with a 2xx status that broke off. */
const cut = (code: string): Reply => ({ kind: 'noAnswer', code, received: '' });
const noToken = (passing: boolean, more: object = {}): Reply => ({
	kind: 'noToken',
	message: 'm',
	advice: 'a',
	passing,
	...more,
});
const incomplete = <T extends Reply>(reply: T): T => ({ ...reply, isIncomplete: true });

const again = (reply: Reply, tries = 1, now = 0) => delayBeforeSendingAgain(reply, tries, now);
const checkAgain = (reply: Reply, tries = 1) => delayBeforeCheckingAgain(reply, tries, 0);

const SOON = 1_000;
const NEVER = undefined;

/** Whether the request may have done something, and when a create and a check are sent again. */
type Row = [
	what: string,
	reply: Reply,
	mayHaveActed: boolean,
	create: number | undefined,
	check: number | undefined,
];

describe('What a reply means for its request', () => {
	it.each<Row>([
		['a 2xx', answer(201), true, NEVER, SOON],
		['the last 2xx', answer(299), true, NEVER, SOON],
		['a 2xx during the upload', incomplete(answer(200)), true, NEVER, SOON],
		['a 2xx that breaks off', cut('ECONNRESET'), true, NEVER, SOON],
		['a 2xx that breaks off during the upload', incomplete(cut('EPIPE')), true, NEVER, SOON],
		['a 2xx that breaks off with an error of TLS', cut('EPROTO'), true, NEVER, NEVER],
		['a status below 200', answer(199), true, NEVER, NEVER],
		['the first 3xx', answer(300), true, NEVER, NEVER],
		['a redirect for good', answer(301), true, NEVER, NEVER],
		['a redirect during the upload', incomplete(answer(301)), false, NEVER, NEVER],
		['a redirect that a proxy answers', answer(302), true, NEVER, NEVER],
		['a redirect to a result', answer(303), true, NEVER, NEVER],
		['a redirect of the same request', answer(307), false, NEVER, NEVER],
		['a redirect of the same request for good', answer(308), false, NEVER, NEVER],
		['the last 3xx', answer(399), true, NEVER, NEVER],
		['a 400', answer(400), false, NEVER, NEVER],
		['a 401, which was answered with a new token', answer(401), false, NEVER, NEVER],
		['a 403', answer(403), false, NEVER, NEVER],
		['a 404', answer(404), false, NEVER, NEVER],
		['a request timeout', answer(408), true, NEVER, SOON],
		['a 422', answer(422), false, NEVER, NEVER],
		['a 429', answer(429), false, SOON, SOON],
		['a 429 with Retry-After', asking(429, '7'), false, 7_000, 7_000],
		['a 429 that asks for 5 minutes', asking(429, '300'), false, 300_000, 300_000],
		['a 429 that asks for more', asking(429, '301'), false, NEVER, NEVER],
		['the last 4xx', answer(499), false, NEVER, NEVER],
		['a 500', answer(500), true, NEVER, SOON],
		['a 500 with Retry-After', asking(500, '3'), true, NEVER, 3_000],
		['a 500 with a long Retry-After', asking(500, '301'), true, NEVER, NEVER],
		['a 500 during the upload', incomplete(answer(500)), false, SOON, SOON],
		['a 502', answer(502), true, NEVER, SOON],
		['a 503', answer(503), true, NEVER, SOON],
		['a 503 with Retry-After', asking(503, '2'), false, 2_000, 2_000],
		['a 503 with Retry-After 0', asking(503, '0'), false, SOON, SOON],
		['a 503 with an unreadable Retry-After', asking(503, 'soon'), true, NEVER, SOON],
		['a status that HTTP does not have', answer(NaN), true, NEVER, NEVER],
		['a connection that was never made', silence('ECONNREFUSED'), false, SOON, SOON],
		['a name service that is down', silence('EAI_AGAIN'), false, SOON, SOON],
		['a host that does not exist', silence('ENOTFOUND'), false, NEVER, NEVER],
		['an invalid URL', silence('ERR_INVALID_URL'), false, NEVER, NEVER],
		['a handshake that fails', silence('EPROTO'), false, NEVER, NEVER],
		['a certificate that has expired', silence('CERT_HAS_EXPIRED'), false, NEVER, NEVER],
		['no trust', silence('SELF_SIGNED_CERT_IN_CHAIN'), false, NEVER, NEVER],
		['another error of TLS', silence('ERR_SSL_BAD_RECORD'), true, NEVER, SOON],
		['a document that n8n cannot read', silence('ENOENT'), false, NEVER, NEVER],
		['an error of the disk', silence('EIO'), false, NEVER, NEVER],
		['a request that was not sent in time', silence('NOT_SENT_IN_TIME'), false, SOON, SOON],
		['an answer that is too large', silence('ANSWER_TOO_LARGE'), true, NEVER, NEVER],
		['a connection that broke', silence('ECONNRESET'), true, NEVER, SOON],
		['one that broke during the upload', incomplete(silence('EPIPE')), false, SOON, SOON],
		['a host that is not reached any more', silence('EHOSTUNREACH'), true, NEVER, SOON],
		['a time limit', silence('ECONNABORTED'), true, NEVER, SOON],
		['silence without a reason', silence(''), true, NEVER, SOON],
		['a token endpoint that is busy', noToken(true), false, SOON, SOON],
		['one that is not reached', noToken(true, { endpoint: 'silent' }), false, SOON, SOON],
		['one that took its whole time', noToken(true, { endpoint: 'late' }), false, NEVER, NEVER],
		['a wrong secret', noToken(false), false, NEVER, NEVER],
	])('is said for %s', (_, reply, mayHaveActed, create, check) => {
		expect([effectOf(reply).mayHaveActed, again(reply), checkAgain(reply)]).toEqual([
			mayHaveActed,
			create,
			check,
		]);
	});

	it('names the causes of silence', () => {
		const causes: Array<[string, Cause]> = [
			['ECONNREFUSED', 'connectionRefused'],
			['EAI_AGAIN', 'lookupFailed'],
			['ENOTFOUND', 'unknownHost'],
			['ERR_INVALID_URL', 'broken'],
			['EPROTO', 'insecure'],
			['ERR_SSL_BAD_RECORD', 'insecure'],
			['EACCES', 'unreadableFile'],
			['NOT_SENT_IN_TIME', 'notSent'],
			['ANSWER_TOO_LARGE', 'tooLarge'],
			['ERR_CANCELED', 'stopped'],
			['ECONNRESET', 'broken'],
			['', 'broken'],
		];
		expect(causes.map(([code]) => effectOf({ kind: 'noAnswer', code }).cause)).toEqual(
			causes.map(([, cause]) => cause),
		);
	});

	it('does not pass for a success', () => {
		expect([answer(200), answer(500)].map((reply) => effectOf(reply).mayPass)).toEqual([
			false,
			true,
		]);
	});

	it('is a pause for all requests when the service is too busy', () => {
		const replies = [asking(429, '7'), answer(429), asking(429, '0'), asking(503, '3')];
		expect(replies.map((reply) => pauseForAll(reply, 0))).toEqual([7_000, 1_000, 1_000, 3_000]);
		const others = [answer(503), asking(500, '3'), noToken(true, { retryAfterMilliseconds: 9 })];
		expect(others.map((reply) => pauseForAll(reply, 0))).toEqual([NEVER, NEVER, NEVER]);
	});
});

describe('The delays between tries', () => {
	it('double up to half a minute, for five tries, or for ten creates when the service is too busy', () => {
		const tries = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
		const five = [1_000, 2_000, 4_000, 8_000, ...Array<undefined>(6)];
		const ten = [...five.slice(0, 4), 16_000, 30_000, 30_000, 30_000, 30_000, undefined];
		for (const reply of [silence('ECONNREFUSED'), asking(503, '0'), noToken(true)])
			expect(tries.map((count) => again(reply, count))).toEqual(five);
		expect(tries.map((count) => checkAgain(answer(429), count))).toEqual(five);
		expect(tries.map((count) => again(answer(429), count))).toEqual(ten);
	});

	it.each([
		['no seconds', '0'],
		['a date that is past', 'Wed, 31 Dec 1969 23:59:58 GMT'],
		['the date of now', 'Thu, 01 Jan 1970 00:00:00 GMT'],
	])('are the same after a Retry-After of %s', (_, text) => {
		expect([1, 2, 10].map((count) => again(asking(429, text), count))).toEqual([1000, 2000, NEVER]);
		expect([1, 2, 5].map((count) => again(asking(503, text), count))).toEqual([1000, 2000, NEVER]);
	});

	it('are what the token endpoint asks for', () => {
		const asked = (retryAfterMilliseconds: number) => noToken(true, { retryAfterMilliseconds });
		expect([again(asked(3_000)), again(asked(0))]).toEqual([3_000, SOON]);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');

	it.each([
		['5', 5000],
		[' 0.5 ', 500],
		['0.0001', 1],
		['0', 0],
		['1.25', 1250],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Thu, 01 Jan 2026 00:00:00 GMT', 0],
		['Wed, 31 Dec 2025 23:59:00 GMT', 0],
		['', undefined],
		['soon', undefined],
		['Monday', undefined],
		['about 5', undefined],
		['5 minutes', undefined],
	])(
		'of %j is read as %s ms; a try that it lets be at once waits as long as any other',
		(text, read) => {
			expect(retryAfterOf(asking(429, text), now)).toBe(read);
			expect(again(asking(429, text), 1, now)).toBe((read ?? 0) || SOON);
		},
	);

	it.each([
		['Thu, 01 Jan 2026 01:00:00 GMT', 30_000],
		['yesterday', 3_630_000],
	])('counts from the time that the service says, if it says one: %s', (date, read) => {
		const headers = { 'retry-after': 'Thu, 01 Jan 2026 01:00:30 GMT', date };
		expect(retryAfterOf(answer(429, headers), now)).toBe(read);
	});

	it.each(['9'.repeat(25), '1e400', '1e25', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
		'is at most a day: %s',
		(text) => {
			expect(retryAfterOf(asking(503, text), 0)).toBe(24 * 60 * 60_000);
			expect(effectOf(asking(503, text)).mayHaveActed).toBe(false);
			expect(again(asking(429, text))).toBeUndefined();
		},
	);

	it('is unknown without an answer', () => {
		expect(retryAfterOf(answer(429), now)).toBeUndefined();
		expect(retryAfterOf(silence('ECONNRESET'), now)).toBeUndefined();
	});
});
