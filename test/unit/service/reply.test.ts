import { answerOf, bareReplyOfError, replyOfError } from '../../../service/reply';
import { TokenExchangeError } from '../../../service/token';

const refusal = { kind: 'noToken', message: 'M', advice: 'A', passing: true, retryAfterMilliseconds: undefined } as const;
const withCause = (cause: unknown) => new Error('wrapped', { cause });

describe('a response of n8n', () => {
	it('is an answer with header names in lower case', () => {
		expect(answerOf({ statusCode: 202, headers: { 'Retry-After': 5, 'Set-Cookie': ['a', 'b'], odd: {} }, body: { a: 1 } })).toEqual({
			kind: 'answer',
			status: 202,
			headers: { 'retry-after': '5', 'set-cookie': 'a,b' },
			body: { a: 1 },
		});
	});

	it('may come without headers', () => {
		expect(answerOf({ statusCode: 200 })).toEqual({ kind: 'answer', status: 200, headers: {}, body: undefined });
	});
});

describe('an error of n8n', () => {
	const axiosError = () => ({
		code: 'ERR_BAD_REQUEST',
		config: { headers: { Authorization: 'Bearer x' } },
		response: { status: 429, headers: { 'Retry-After': '2' }, data: { detail: 'slow down' }, config: {} },
	});

	it('stands for the answer of the service, found through its causes, without the request', () => {
		const reply = replyOfError(withCause(withCause(axiosError())));
		expect(reply).toEqual({ kind: 'answer', status: 429, headers: { 'retry-after': '2' }, body: { detail: 'slow down' } });
	});

	it('stands for a refusal of the token endpoint where that is the cause', () => {
		expect(replyOfError(withCause(new TokenExchangeError(refusal)))).toBe(refusal);
		expect(bareReplyOfError(new TokenExchangeError(refusal))).toEqual({ kind: 'noAnswer', code: '' });
	});

	it('stands for silence otherwise, with the code nearest to the surface', () => {
		expect(replyOfError(withCause(Object.assign(withCause({ code: 'EINNER' }), { code: 'ECONNRESET' })))).toEqual({
			kind: 'noAnswer',
			code: 'ECONNRESET',
		});
		expect(bareReplyOfError({ code: 'ENOTFOUND' })).toEqual({ kind: 'noAnswer', code: 'ENOTFOUND' });
	});

	it.each([[undefined], [null], ['text'], [{ code: 7 }], [{ response: {} }], [{ response: { status: 0 } }]])('may be anything: %j', (thrown) => {
		expect(replyOfError(thrown)).toEqual({ kind: 'noAnswer', code: '' });
	});

	it('is not looked into for ever', () => {
		const circle: { cause?: unknown } = {};
		circle.cause = circle;
		expect(replyOfError(circle)).toEqual({ kind: 'noAnswer', code: '' });
	});
});
