import { Readable } from 'node:stream';
import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { answerOf, readAnswer, silenceOf, unlessAborted } from '../../../service/answer';
import { node } from '../support/context';

/** The error as n8n's helper of authenticated requests throws it. */
const asN8n = (error: unknown) => new NodeApiError(node, error as JsonObject);
const withCause = (cause: unknown) => new Error('wrapped', { cause });

describe('a response of n8n', () => {
	it('becomes an answer with header names in lower case', () => {
		expect(
			answerOf({
				statusCode: 202,
				headers: { 'Retry-After': 5, 'Set-Cookie': ['a', 'b'], Server: 'x' },
				body: { a: 1 },
			}),
		).toEqual({
			kind: 'answer',
			status: 202,
			headers: { 'retry-after': '5', 'set-cookie': 'a,b', server: 'x' },
			body: { a: 1 },
		});
	});

	it.each([[undefined], [null]])('may have headers that are %j', (headers) => {
		expect(answerOf({ statusCode: 200, headers })).toMatchObject({
			kind: 'answer',
			status: 200,
			headers: {},
		});
	});
});

describe('a streamed response', () => {
	const MAX_BYTES = 1000;
	/** Breaks off behind the texts. */
	async function* broken(...texts: string[]) {
		for (const text of texts) yield Buffer.from(text);
		throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
	}
	const response = (body: unknown, statusCode = 200) => ({ statusCode, headers: {}, body });
	const whole = (text: string) => Readable.from([Buffer.from(text)]);

	it.each<[string, string | undefined, number[], unknown]>([
		['in its character set', 'application/json; charset=ISO-8859-1', [0xfc], { a: 'ü' }],
		['in UTF-8 where it declares none', undefined, [0xc3, 0xbc], { a: 'ü' }],
		['as no JSON where its bytes are no text', 'application/json', [0xfc], '{"a":"\ufffd"}'],
		['as no JSON where nobody knows its character set', 'text/x; charset=no', [0x61], '{"a":"a"}'],
	])('is read %s', async (_how, type, letter, body) => {
		const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(letter), Buffer.from('"}')]);
		const headers = type === undefined ? {} : { 'Content-Type': type };
		const answer = { statusCode: 200, headers, body: Readable.from([bytes]) };
		expect(await readAnswer(answer, MAX_BYTES)).toMatchObject({ body });
	});

	it.each([
		['JSON', '{"id": 12345678901234567890}', { id: '12345678901234567890' }],
		['text', '<html>', '<html>'],
		['nothing', '', ''],
	])('is read completely, and parsed when it can be: %s', async (_, text, body) => {
		expect(await readAnswer(response(whole(text)), MAX_BYTES)).toEqual({
			kind: 'answer',
			status: 200,
			headers: {},
			body,
		});
	});

	it('keeps characters that two chunks share', async () => {
		const bytes = Buffer.from('"ü"');
		const body = Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]);
		expect(await readAnswer(response(body), MAX_BYTES)).toMatchObject({ body: 'ü' });
	});

	it('is no answer when it is larger than allowed, and is read no further', async () => {
		let chunks = 0;
		async function* endless() {
			for (;;) {
				chunks++;
				yield Buffer.alloc(300, ' ');
			}
		}
		expect(await readAnswer(response(endless()), MAX_BYTES)).toEqual({
			kind: 'noAnswer',
			code: 'ANSWER_TOO_LARGE',
			received: ' '.repeat(1200),
		});
		expect(chunks).toBe(4);
	});

	it('is no answer when it breaks off, and keeps its beginning', async () => {
		const cut = broken('{"workflow_execution_id": "e-1"', ', "status": "run');
		expect(await readAnswer(response(cut), MAX_BYTES)).toEqual({
			kind: 'noAnswer',
			code: 'ECONNRESET',
			received: '{"workflow_execution_id": "e-1", "status": "run',
		});
		const long = broken('x'.repeat(20_000));
		expect(await readAnswer(response(long), 1e6)).toMatchObject({
			received: 'x'.repeat(10_000),
		});
	});

	it('is an answer by its status alone when that is an error', async () => {
		expect(await readAnswer(response(broken('{"detail": "no'), 422), MAX_BYTES)).toMatchObject({
			kind: 'answer',
			status: 422,
			body: '{"detail": "no',
		});
	});

	it.each([
		['a list of 500,000', `[${'0,'.repeat(499_999)}0]`, 'answer'],
		['a longer list', `[${'0,'.repeat(500_000)}0]`, 'noAnswer'],
		['more fields of one row', `{"a":1${',"a":[]'.repeat(250_000)}}`, 'noAnswer'],
		['such signs in a text', `["\\"${'{[,'.repeat(1_000_000)}"]`, 'answer'],
	])(
		'may have 500,000 values, which are counted before it is parsed: %s',
		async (_, text, kind) => {
			expect(await readAnswer(response(whole(text)), 1e8)).toMatchObject({ kind });
		},
	);

	it('may be as large as allowed', async () => {
		expect(await readAnswer(response(whole(' '.repeat(1000))), MAX_BYTES)).toMatchObject({
			kind: 'answer',
		});
	});

	it.each([[{ a: 1 }], ['text'], [null], [undefined]])(
		'may be there already, where n8n simulates requests: %j',
		async (body) => {
			expect(await readAnswer(response(body), MAX_BYTES)).toMatchObject({ kind: 'answer', body });
		},
	);
});

describe('an error of n8n', () => {
	it('means that there was no answer, and keeps the error code', () => {
		expect(
			silenceOf(asN8n(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))),
		).toEqual({ kind: 'noAnswer', code: 'ECONNRESET' });
		expect(silenceOf({ code: 'ENOTFOUND' })).toEqual({ kind: 'noAnswer', code: 'ENOTFOUND' });
	});

	it('may have that code only as httpCode, as on n8n 1', () => {
		expect(silenceOf({ httpCode: 'ECONNREFUSED' })).toEqual({
			kind: 'noAnswer',
			code: 'ECONNREFUSED',
		});
	});

	it.each([
		['the port', { code: 'ECONNREFUSED', port: 3128 }, 3128],
		['the host name', { code: 'ENOTFOUND', hostname: 'proxy.example.com' }, 'proxy.example.com'],
		['a port of several', { code: 'ECONNREFUSED', errors: [{ port: 3128 }, { port: 3128 }] }, 3128],
	])('may have %s that could not be reached', (_what, fields, peer) => {
		const refused = Object.assign(new Error('connect'), fields);
		expect(silenceOf(asN8n(withCause(refused)))).toEqual({
			kind: 'noAnswer',
			code: fields.code,
			peer,
		});
	});

	it('may have it in its causes, of which the outermost counts', () => {
		expect(
			silenceOf(withCause(Object.assign(withCause({ code: 'EINNER' }), { code: 'EOUTER' }))),
		).toEqual({ kind: 'noAnswer', code: 'EOUTER' });
	});

	it('has no code when the only code is the status of a truncated answer', () => {
		expect(silenceOf({ httpCode: '200', cause: { code: 'ECONNRESET' } })).toEqual({
			kind: 'noAnswer',
			code: 'ECONNRESET',
		});
		expect(silenceOf({ httpCode: '200' })).toEqual({ kind: 'noAnswer', code: '' });
	});

	it.each([
		[undefined],
		[null],
		['text'],
		[{ code: 7 }],
		[{ code: '' }],
		[{ context: {} }],
		[{ context: { data: { refusal: 'x' } } }],
	])('may be any value: %j', (thrown) => {
		expect(silenceOf(thrown)).toEqual({ kind: 'noAnswer', code: '' });
	});

	it('is searched to the sixth error', () => {
		const within = (causes: number): unknown =>
			causes === 0 ? { code: 'ECONNRESET' } : { cause: within(causes - 1) };
		expect(silenceOf(within(5)).code).toBe('ECONNRESET');
		expect(silenceOf(within(6)).code).toBe('');
	});

	it('is searched to a limited depth', () => {
		const circle: { cause?: unknown } = {};
		circle.cause = circle;
		expect(silenceOf(circle)).toEqual({ kind: 'noAnswer', code: '' });
	});
});

describe('work that may be aborted', () => {
	it('gives its result, and leaves nothing at the signal', async () => {
		const { signal } = new AbortController();
		const removed = jest.spyOn(signal, 'removeEventListener');
		const added = jest.spyOn(signal, 'addEventListener');
		const work = new Promise((resolve) => setImmediate(() => resolve('done')));
		expect(await unlessAborted(signal, work, 'instead')).toBe('done');
		expect(removed.mock.calls).toEqual(added.mock.calls);
		expect(removed).toHaveBeenCalledTimes(1);
	});

	it('gives the other result when the signal aborts, also before it', async () => {
		const endless = new Promise<string>(() => undefined);
		expect(await unlessAborted(AbortSignal.abort(), endless, 'instead')).toBe('instead');
	});
});
