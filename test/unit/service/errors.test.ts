import { wordsFor, wordsForUnreadable } from '../../../service/errors';
import type { Reply } from '../../../service/http';

const create = { workflowId: 'wf', executionId: '' };
const check = { workflowId: 'wf', executionId: 'ex' };
const answer = (
	status: number,
	body: unknown = {},
	headers: Record<string, string> = {},
): Reply => ({ kind: 'answer', status, headers, body });
const silence = (code: string): Reply => ({ kind: 'noAnswer', code });

describe('the error message', () => {
	it.each<[string, Reply, typeof check, RegExp, RegExp]>([
		['a 401', answer(401), create, /does not accept the access token/, /Client Secret/],
		['a 403', answer(403), create, /may not use workflow "wf"/, /operator/],
		[
			'an unknown workflow',
			answer(404),
			create,
			/workflow "wf" was not found/,
			/Workflow parameter/,
		],
		['an unknown execution', answer(404), check, /"wf" has no execution "ex"/, /both IDs/],
		['a 413', answer(413), create, /too large/, /fewer or smaller/],
		['a 400', answer(400), create, /status 400/, /configured for/],
		['a 422', answer(422), create, /status 422/, /configured for/],
		['a 429', answer(429), create, /too many requests/, /later/],
		[
			'a redirect',
			answer(302, '', { location: 'https://elsewhere.example.com' }),
			create,
			/redirects/,
			/not followed/,
		],
		['a redirect to nowhere', answer(304), create, /redirects/, /base URL/],
		['a 502', answer(502), create, /status 502/, /later/],
		['any other status', answer(418), create, /status 418/, /base URL/],
		['a 500', answer(500), create, /status 500/, /later/],
		[
			'a name service that is down',
			silence('EAI_AGAIN'),
			create,
			/host name of the service could not be looked up/,
			/network/,
		],
		[
			'a host that is not found',
			silence('ENOTFOUND'),
			create,
			/host of the service was not found/,
			/base URL/,
		],
		[
			'Stop',
			silence('ERR_CANCELED'),
			create,
			/stopped while the service was asked/,
			/Nothing more/,
		],
		[
			'a document that cannot be read',
			silence('ENOENT'),
			create,
			/could not read the document/,
			/storage/,
		],
		[
			'a certificate that is not trusted',
			silence('CERT_HAS_EXPIRED'),
			create,
			/No secure connection/,
			/certificate/,
		],
		['a closed port', silence('ECONNREFUSED'), create, /Nothing answers/, /up/],
		[
			'a broken connection',
			silence('ECONNRESET'),
			create,
			/broke or timed out \(ECONNRESET\)/,
			/network/,
		],
		['silence', silence(''), create, /broke or timed out$/, /network/],
	])('says after %s what happened and what to do', (_, reply, subject, message, advice) => {
		expect(wordsFor(reply, subject)).toEqual({
			message: expect.stringMatching(message),
			advice: expect.stringMatching(advice),
		});
	});

	it('quotes nothing when the service gives no reason', () => {
		expect(wordsFor(answer(422, {}), create).advice).not.toMatch(/said/);
	});

	it('quotes the service', () => {
		expect(
			wordsFor(answer(422, { detail: [{ loc: ['body', 'files'], msg: 'field required' }] }), create)
				.advice,
		).toMatch(/The service said: "files: field required"$/);
	});

	it('is that of the token endpoint when there was no token', () => {
		const refusal: Reply = {
			kind: 'noToken',
			message: 'M',
			advice: 'A',
			passing: false,
			unreachable: false,
			retryAfterMilliseconds: undefined,
		};
		expect(wordsFor(refusal, create)).toEqual({ message: 'M', advice: 'A' });
	});

	it.each([
		[{ task: 1, state: 'x' }, /no status; its fields are: task, state/],
		[{}, /its fields are: none/],
		['<html>', /it is text instead of JSON/],
		[Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 1])), /f18, f19$/],
		[' ', /it is empty/],
		[null, /it is empty/],
		[undefined, /it is empty/],
	])('lists the fields of the unreadable answer %j', (body, message) => {
		expect(wordsForUnreadable(body, 'status').message).toMatch(message);
	});
});

describe('a connection that is not secure', () => {
	it.each([
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'EPROTO',
	])('is reported for the code %s', (code) =>
		expect(wordsFor(silence(code), create).message).toBe(
			`No secure connection to the service could be made (${code})`,
		),
	);
});
