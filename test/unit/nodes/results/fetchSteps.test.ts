import { Readable } from 'node:stream';

import {
	delayBeforeRetry,
	fetchSteps,
	NOT_FETCHED_IN_TIME,
} from '../../../../nodes/DocumentWorkflow/results/fetchSteps';
import type { JsonRecord } from '../../../../service/contract';
import type { Reply } from '../../../../service/http';
import { Lane } from '../../../../service/pace';
import { contextOf, errorWith } from '../../support/context';
import { executionOf } from './support';

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

interface Stored {
	chunks: Iterable<Buffer>;
	headers?: Record<string, string>;
}

const stored = (text: string, headers: Record<string, string> = {}): Stored => ({
	chunks: [Buffer.from(text)],
	headers,
});

/** The unchanged data of a step at an address, from a storage with this answer. */
async function fetchedFrom({ chunks, headers = {} }: Stored, url = 'https://files.example.com/1') {
	const httpRequest = async () => ({ statusCode: 200, headers, body: Readable.from(chunks) });
	return fetchFrom(httpRequest, url);
}

async function fetchFrom(httpRequest: () => Promise<unknown>, url = 'https://files.example.com/1') {
	const context = contextOf({ helpers: { httpRequest } });
	const connection = { fetching: new Lane(1), isLocal: true, pause: async () => undefined };
	const execution = executionOf({ steps: [{ step_name: 's', data: { url } }] });
	const { fetched } = await fetchSteps(context, connection, 3, execution, []);
	return fetched.s as JsonRecord;
}

const refusal = (reason: string) =>
	errorWith({
		itemIndex: 3,
		message: `The data of step "s" could not be downloaded: ${reason}`,
		description: "Use Get Execution with the executionId for a new URL, or remove 'Download Data'",
	});
/** White space of so many megabytes, in chunks that share their memory. */
const chunksOf = (megabytes: number) => Array<Buffer>(megabytes).fill(Buffer.alloc(1_000_000, ' '));

describe('The data at an address', () => {
	it('may begin with a byte order mark', async () => {
		expect(await fetchedFrom(stored('\uFEFF{"data": []}'))).toEqual({ data: [] });
	});

	it('keeps all digits of its numbers, as an answer of the service does', async () => {
		const answer = stored('{"data": [{"id": 12345678901234567890, "paid": 12.5}]}');
		expect(await fetchedFrom(answer)).toEqual({
			data: [{ id: '12345678901234567890', paid: 12.5 }],
		});
	});

	it('is read with usual numbers beyond 20 MB, because exact ones would take long', async () => {
		const json = Buffer.from('[12345678901234567890]');
		expect(await fetchedFrom({ chunks: [...chunksOf(19), json] })).toEqual([
			'12345678901234567890',
		]);
		expect(await fetchedFrom({ chunks: [...chunksOf(20), json] })).toEqual([12345678901234567000]);
		const bom = Buffer.from('\uFEFF');
		expect(await fetchedFrom({ chunks: [bom, ...chunksOf(20), json] })).toHaveLength(1);
		await expect(fetchedFrom({ chunks: chunksOf(21) })).rejects.toEqual(refusal('it is not JSON'));
	});

	it('may be announced with 100 MB', async () => {
		const answer = stored('{"data": []}', { 'content-length': '100000000' });
		expect(await fetchedFrom(answer)).toEqual({ data: [] });
	});

	it.each<[string, string, Stored]>([
		['a page', 'it is not JSON', stored('<html>Sign in</html>')],
		['nothing', 'it is not JSON', stored('')],
		[
			'deep lists',
			'it is nested too deeply to be read',
			stored('['.repeat(2_000) + ']'.repeat(2_000)),
		],
		[
			'an announced length',
			'it is larger than 100 MB',
			stored('{}', { 'Content-Length': '100000001' }),
		],
		['101 MB', 'it is larger than 100 MB', { chunks: chunksOf(101) }],
	])('is refused with the reason and what to do: for %s, %s', async (_, reason, answer) => {
		await expect(fetchedFrom(answer)).rejects.toEqual(refusal(reason));
	});

	it('is refused when it does not arrive in time', async () => {
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
		const httpRequest = async () => Promise.reject(new Error('canceled'));
		await expect(fetchFrom(httpRequest)).rejects.toEqual(
			refusal('it did not arrive within 60 seconds'),
		);
		expect(timeout).toHaveBeenCalledWith(60_000);
		jest.restoreAllMocks();
	});
});
