import { Readable } from 'node:stream';
import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { findRefusal, TokenExchangeError } from '../../../credentials/token';
import { postInTime } from '../../../service/token';
import { node } from '../support/context';
import { settled } from '../support/fakeClock';

const refusal = {
	kind: 'noToken',
	message: 'M',
	advice: 'A',
	passing: true,
} as const;

describe('a refusal of the token endpoint', () => {
	it("survives n8n's error around it, and its words are where n8n shows them", () => {
		const thrown: unknown = new TokenExchangeError(refusal);
		const error = new NodeApiError(node, thrown as JsonObject);
		expect(findRefusal(error)).toEqual(refusal);
		expect(error).toMatchObject({ message: 'M', description: 'A' });
	});

	it('has no tag of the endpoint where any node of n8n shows it', () => {
		const quoting = { ...refusal, message: '<a>M', advice: '<a>A' };
		const error = new NodeApiError(node, new TokenExchangeError(quoting) as unknown as JsonObject);
		expect(error).toMatchObject({ message: '‹a›M', description: '‹a›A' });
	});

	it.each([
		[undefined],
		[null],
		['text'],
		[{ context: {} }],
		[{ context: { data: { refusal: 'x' } } }],
		[{ context: { data: { refusal: { kind: 'noAnswer' } } } }],
	])('is not found in any other error (%j)', (error) => {
		expect(findRefusal(error)).toBeUndefined();
	});
});

describe('a call of the token endpoint', () => {
	let late = new AbortController();
	let hasEnded = false;
	afterAll(() => (hasEnded = true));
	let timeout: jest.SpyInstance;
	beforeEach(() => {
		late = new AbortController();
		timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
	});
	afterEach(() => jest.restoreAllMocks());

	/** An answer that goes on, a space at a time, until the test has ended. */
	async function* dripping() {
		while (!hasEnded) {
			yield Buffer.from(' ');
			await settled();
		}
	}

	it.each([
		['whose answer drips', async () => ({ statusCode: 200, headers: {}, body: dripping() })],
		['that has no answer', async () => new Promise(() => undefined)],
	])('ends at its limit: one %s', async (_, post) => {
		const reply = postInTime(post)({ url: 'https://api.example.com/token', body: {} });
		await settled();
		late.abort();
		expect(await reply).toEqual({ kind: 'noAnswer', code: 'ECONNABORTED' });
		expect(timeout).toHaveBeenCalledWith(30_000);
	});

	it('that n8n aborted at the limit is called late, not stopped', async () => {
		const aborted = Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
		late.abort();
		const post = postInTime(async () => Promise.reject(aborted));
		expect(await post({ url: 'https://api.example.com/token', body: {} })).toEqual({
			kind: 'noAnswer',
			code: 'ECONNABORTED',
		});
	});
});

describe('an answer of the token endpoint', () => {
	it('is none when the endpoint cannot be reached, with the error code', async () => {
		const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
		const post = postInTime(async () => Promise.reject(refused));
		expect(await post({ url: 'https://api.example.com/token', body: {} })).toEqual({
			kind: 'noAnswer',
			code: 'ECONNREFUSED',
		});
	});

	it('is none when it breaks off or is too large', async () => {
		async function* broken() {
			yield Buffer.from('{"access_token": "a.b.c"');
			throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
		}
		const answers: Array<[AsyncIterable<Buffer>, string]> = [
			[broken(), 'ECONNRESET'],
			[Readable.from([Buffer.alloc(1_000_001, ' ')]), 'ANSWER_TOO_LARGE'],
		];
		for (const [body, code] of answers) {
			const post = postInTime(async () => ({ statusCode: 200, headers: {}, body }));
			expect(await post({ url: 'https://api.example.com/token', body: {} })).toMatchObject({
				kind: 'noAnswer',
				code,
			});
		}
	});
});
