import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

import { answerOf, silenceOf } from '../../../credentials/reply';

const node: INode = {
	id: '1',
	name: 'N',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
/** The error as n8n's helper of authenticated requests throws it. */
const asN8n = (error: unknown) => new NodeApiError(node, error as JsonObject);
const withCause = (cause: unknown) => new Error('wrapped', { cause });

describe('a response of n8n', () => {
	it('becomes an answer with header names in lower case', () => {
		expect(
			answerOf({
				statusCode: 202,
				headers: { 'Retry-After': 5, 'Set-Cookie': ['a', 'b'], odd: {} },
				body: { a: 1 },
			}),
		).toEqual({
			kind: 'answer',
			status: 202,
			headers: { 'retry-after': '5', 'set-cookie': 'a,b' },
			body: { a: 1 },
		});
	});

	it.each([[undefined], [null], ['text']])('may have headers that are %j', (headers) => {
		expect(answerOf({ statusCode: 200, headers })).toMatchObject({
			kind: 'answer',
			status: 200,
			headers: {},
		});
	});
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

	it('is searched to a limited depth', () => {
		const circle: { cause?: unknown } = {};
		circle.cause = circle;
		expect(silenceOf(circle)).toEqual({ kind: 'noAnswer', code: '' });
	});
});
