import type { Subject } from '../../../service/errors';
import { wordsFor, wordsForUnreadable } from '../../../service/errors';
import type { Answer, Reply } from '../../../service/http';

const create: Subject = { workflowId: 'wf', executionId: '' };
const check = { workflowId: 'wf', executionId: 'ex' };
const answer = (
	status: number,
	body: unknown = {},
	headers: Record<string, string> = {},
): Answer => ({ kind: 'answer', status, headers, body });
const silence = (code: string): Reply => ({ kind: 'noAnswer', code });

describe('the error message', () => {
	it.each<[string, Reply, Subject, RegExp, RegExp]>([
		['a 401', answer(401), create, /rejected the access token/, /Client Secret/],
		['a 403', answer(403), create, /has no access to workflow "wf"/, /operator/],
		[
			'an unknown workflow',
			answer(404),
			create,
			/workflow "wf" was not found/,
			/'Workflow'.*deleted or renamed, or belong to another account/,
		],
		[
			'an unknown execution',
			answer(404),
			check,
			/"wf" has no execution "ex"/,
			/both IDs.*deleted or renamed/,
		],
		['a 413', answer(413), create, /too large/, /fewer or smaller/],
		...[400, 415, 422].flatMap((status): Array<[string, Reply, Subject, RegExp, RegExp]> => [
			[
				`a ${status} for files`,
				answer(status),
				{ ...create, documents: 'files' },
				new RegExp(`rejected the request \\(status ${status}\\)`),
				/'Files From URLs' under 'Documents'/,
			],
			[
				`a ${status} for addresses`,
				answer(status),
				{ ...create, documents: 'urls' },
				/rejected the request/,
				/'Files From Input' under 'Documents'.*File Access Fields/,
			],
			[
				`a ${status} for text inputs alone`,
				answer(status),
				{ ...create, documents: 'none' },
				/rejected the request/,
				/under 'Documents'.*text inputs/,
			],
		]),
		['a 400 of a check', answer(400), check, /rejected the IDs/, /Execution ID "ex"/],
		['a 413 of a check', answer(413), check, /status 413/, /Base URL/],
		['a 429', answer(429), create, /too busy/, /later/],
		[
			'a redirect',
			answer(302, '', { location: 'https://elsewhere.example.com' }),
			create,
			/redirects/,
			/not followed/,
		],
		['a redirect to nowhere', answer(304), create, /redirects/, /Base URL/],
		['a 502', answer(502), create, /status 502/, /later/],
		['any other status', answer(418), create, /status 418/, /Base URL/],
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
			/Base URL/,
		],
		['Stop', silence('ERR_CANCELED'), create, /stopped during a request/, /Nothing more/],
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
		['a closed port', silence('ECONNREFUSED'), create, /Nothing answers/, /running/],
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

	it('of a check gives no advice about documents', () => {
		for (const status of [400, 404, 413, 415, 422])
			expect(wordsFor(answer(status), check).advice).not.toMatch(/document/i);
	});

	it('shows no secret of the request, however the service quotes it', () => {
		const secrets = ['opaque-token-1', 'S3cret-"\\-Value'];
		const said = { ...answer(422, { detail: { input: secrets } }), secrets };
		expect(wordsFor(said, create).advice).not.toMatch(/opaque|S3cret|Value/);
		expect(wordsForUnreadable(said, 'status').advice).not.toMatch(/opaque|S3cret|Value/);
	});

	it('shows how an unreadable answer begins', () => {
		const message = (body: unknown) => wordsForUnreadable(answer(200, body), 'status').message;
		expect(message({ run: 'r-1', token: 'abc' })).toMatch(
			/ It is: {"run":"r-1","token":"\[secret\]"}$/,
		);
		expect(message('')).toMatch(/it is empty$/);
	});

	it.each([
		[{ task: 1, state: 'x' }, /no status; its fields are: task, state/],
		[{}, /its fields are: none/],
		['<html>', /it is text instead of JSON/],
		[
			Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 1])),
			/f18, f19\. It is: \{"f0":1,/,
		],
		[' ', /it is empty/],
		[null, /it is empty/],
		[undefined, /it is empty/],
	])('lists the fields of the unreadable answer %j', (body, message) => {
		expect(wordsForUnreadable({ ...answer(200), body }, 'status').message).toMatch(message);
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
