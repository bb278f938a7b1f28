import type { Subject } from '../../../service/errors';
import { NOT_SENT_IN_TIME } from '../../../service/http';
import {
	describeReply,
	describeAnother,
	describeSilence,
	describeUnreadable,
} from '../../../service/errors';
import type { Answer, NoAnswer, Reply } from '../../../service/http';

const create = { kind: 'create', workflowId: 'wf', documents: 'none' } as const;
const check = { kind: 'check', workflowId: 'wf', executionId: 'ex' } as const;
const answer = (
	status: number,
	body: unknown = {},
	headers: Record<string, string> = {},
): Answer => ({ kind: 'answer', status, headers, body });
const silence = (code: string): NoAnswer => ({ kind: 'noAnswer', code });

describe('the error message', () => {
	it.each<[string, Reply, Subject, RegExp, RegExp]>([
		['a 401', answer(401), create, /rejected the access token/, /Client Secret/],
		['a 403', answer(403), create, /has no access to workflow "wf"/, /operator/],
		['a 403 of a check', answer(403), check, /has no access to workflow "wf"/, /operator/],
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
				/another source under 'Documents'.*File Access Fields/,
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
		['a 422 of a check', answer(422), check, /rejected the IDs \(status 422\)/, /Workflow "wf"/],
		['a 413 of a check', answer(413), check, /status 413/, /Base URL/],
		['a 429', answer(429), create, /too busy/, /later/],
		[
			'a redirect',
			answer(300),
			create,
			/redirects to another URL \(status 300\)/,
			/^Check the Base URL in the credential. Redirects are not followed, because the token is only for this host$/,
		],
		['a status that is no answer', answer(199), create, /answered with status 199$/, /Base URL/],
		['a 502', answer(502), create, /status 502/, /later/],
		['any other status', answer(418), create, /status 418/, /Base URL/],
		['a 500', answer(500), create, /status 500/, /later/],
		['no name service', silence('EAI_AGAIN'), create, /could not be looked up/, /network/],
		['an unknown host', silence('ENOTFOUND'), create, /service was not found/, /Base URL/],
		['Stop', silence('ERR_CANCELED'), create, /stopped during a request/, /Nothing more/],
		['a document that is gone', silence('ENOENT'), create, /could not read/, /storage/],
		['a 402', answer(402), create, /asks for a payment/, /operator/],
		[
			'a proxy',
			answer(407, '<p>'),
			create,
			/^The proxy .* rejected/,
			/^Nothing .*HTTPS_PROXY.* The proxy said/,
		],
		[
			'a page in place of JSON',
			answer(503, '<p>'),
			create,
			/^The service, or a proxy before it, answered with status 503$/,
			/^Try again later. The service, or a proxy before it, said: "a page instead of JSON"$/,
		],
		[
			'an unknown host of the service',
			{ ...silence('ENOTFOUND'), baseUrl: 'https://api.example.com', peer: 'api.example.com' },
			create,
			/^The host api.example.com was not found /,
			/typos/,
		],
		[
			'a service that is down',
			{ ...silence('ECONNREFUSED'), baseUrl: 'https://api.example.com', peer: 443 },
			create,
			/^Nothing answers at api.example.com /,
			/^Nothing was sent. When the service answers again, choose Retry/,
		],
		[
			'a closed port',
			{ ...silence('ECONNREFUSED'), baseUrl: 'https://api.example.com:81', peer: 81 },
			create,
			/^Nothing answers at api.example.com:81 /,
			/^Nothing was sent. When the service answers again, choose Retry/,
		],
		[
			'a service of this machine that is down',
			{ ...silence('ECONNREFUSED'), baseUrl: 'http://127.0.0.1', peer: 80 },
			create,
			/^Nothing answers at 127.0.0.1 /,
			/choose Retry/,
		],
		...([80, 3128, 443] as const).map((peer): [string, Reply, Subject, RegExp, RegExp] => [
			`a closed proxy at port ${peer}`,
			{
				...silence('ECONNREFUSED'),
				baseUrl: `https://api.example.com${peer === 443 ? ':444' : ''}`,
				peer,
			},
			create,
			new RegExp(`^The proxy .* port ${peer} `),
			/^Nothing was sent to .*HTTPS_PROXY/,
		]),
		[
			'a proxy that does not exist',
			{ ...silence('ENOTFOUND'), baseUrl: 'https://api.example.com', peer: 'proxy.example.com' },
			create,
			/^The proxy of your n8n server, proxy\.example\.com, was not found /,
			/^Nothing was sent to api.example.com.*HTTPS_PROXY/,
		],
		[
			'a broken connection',
			silence('ECONNRESET'),
			create,
			/broke or timed out \(ECONNRESET\)/,
			/network/,
		],
		['silence', silence(''), create, /broke or timed out$/, /network/],
	])('says after %s what happened and what to do', (_, reply, subject, message, advice) => {
		expect(describeReply(reply, subject)).toEqual({
			message: expect.stringMatching(message),
			advice: expect.stringMatching(advice),
		});
	});

	it('quotes nothing when the service gives no reason', () => {
		expect(describeReply(answer(422, {}), create).advice).not.toMatch(/said/);
	});

	it('quotes the service', () => {
		expect(
			describeReply(
				answer(422, { detail: [{ loc: ['body', 'files'], msg: 'field required' }] }),
				create,
			).advice,
		).toMatch(/The service said: "files: field required"$/);
	});

	it('is that of the token endpoint when there was no token', () => {
		const refusal: Reply = {
			kind: 'noToken',
			message: 'M',
			advice: 'A',
			passing: false,
		};
		expect(describeReply(refusal, create)).toEqual({ message: 'M', advice: 'A' });
	});

	it('of a check gives no advice about documents', () => {
		for (const status of [400, 404, 413, 415, 422])
			expect(describeReply(answer(status), check).advice).not.toMatch(/document/i);
	});

	it('shows no secret of the request, however the service quotes it', () => {
		const secrets = ['opaque-token-1', 'S3cret-"\\-Value'];
		const said = { ...answer(422, { detail: { input: secrets } }), secrets };
		expect(describeReply(said, create).advice).not.toMatch(/opaque|S3cret|Value/);
		expect(describeUnreadable(said, 'status').advice).not.toMatch(/opaque|S3cret|Value/);
	});

	it('about an unreadable answer says that something else may have answered, or whom to tell', () => {
		expect(describeUnreadable(answer(200), 'status').advice).toBe(
			'Check the Base URL in the credential: a proxy or another service may have answered. If your service did, report the fields of its answer to the maintainers of this package',
		);
	});

	it('about the answer of another execution names both, and why its data is not returned', () => {
		expect(describeAnother(check, { workflowId: 'wf-2', executionId: 'ex-2' })).toEqual({
			message:
				'The service returned another execution: "ex-2" of workflow "wf-2", and not "ex" of workflow "wf"',
			advice:
				'Its data is not returned, because it may belong to another case. Enter the IDs exactly as the service shows them, not a name of the workflow. If they are correct, report this to the service operator',
		});
	});

	it('shows how an unreadable answer begins', () => {
		const message = (body: unknown) => describeUnreadable(answer(200, body), 'status').message;
		expect(message({ run: 'r-1', token: 'abc' })).toMatch(
			/ It is: {"run":"r-1","token":"\[secret\]"}$/,
		);
	});

	it.each([
		[{ task: 1, state: 'x' }, /no status; its fields are: task, state/],
		[{}, /it is empty$/],
		['<html>', /it is no JSON object. It is: <html>$/],
		[
			Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 1])),
			/f18, f19\. It is: \{"f0":1,/,
		],
		[null, /it is empty$/],
		['', /it is empty$/],
	])('lists the fields of the unreadable answer %j', (body, message) => {
		expect(describeUnreadable({ ...answer(200), body }, 'status').message).toMatch(message);
	});
});

describe('a connection that is not secure', () => {
	it.each([
		['CERT_HAS_EXPIRED', /has expired\. Ask the service operator to renew it$/],
		['CERT_REVOKED', /^Nothing was sent\. Check the Base URL.*ask the service operator$/],
		['CERT_NOT_YET_VALID', /not valid yet\. Check the clock/],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			/self-signed\. Ask the service operator for its file.*ask your IT.*NODE_EXTRA_CA_CERTS/,
		],
		['ERR_TLS_CERT_ALTNAME_INVALID', /for another host\. Check the Base URL/],
		['SELF_SIGNED_CERT_IN_CHAIN', /does not know the issuer.*NODE_EXTRA_CA_CERTS/],
		['UNABLE_TO_GET_ISSUER_CERT', /does not know the issuer.*your IT/],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /does not know the issuer.*NODE_EXTRA_CA_CERTS/],
		[
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			/does not know the issuer.*operator to send all certificates/,
		],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /operator.*client certificate/],
		['ERR_SSL_WRONG_VERSION_NUMBER', /^Check the Base URL/],
		['EPROTO', /^Nothing was sent\. Check the Base URL.*may not use HTTPS there/],
	])('is reported for the code %s, with its cure', (code, advice) =>
		expect(describeReply(silence(code), create)).toEqual({
			message: `No secure connection to the service could be made (${code})`,
			advice: expect.stringMatching(advice),
		}),
	);
});

describe('the message about a request without an answer', () => {
	it.each([
		['ANSWER_TOO_LARGE', 'The answer of api.example.com is too large'],
		['ENOTFOUND', 'The host api.example.com was not found (ENOTFOUND)'],
		['EAI_AGAIN', 'The host name api.example.com could not be looked up (EAI_AGAIN)'],
		['ECONNREFUSED', 'Nothing answers at api.example.com (ECONNREFUSED)'],
		['EPROTO', 'No secure connection to api.example.com could be made (EPROTO)'],
		['ECONNRESET', 'The connection to api.example.com broke or timed out (ECONNRESET)'],
	])('names the host after %s', (code, named) => {
		expect(describeSilence({ ...silence(code), baseUrl: 'https://api.example.com' }).message).toBe(
			named,
		);
	});

	it('says that nothing was sent', () => {
		const ending = 'could not be sent in time, because the service was silent or too busy';
		expect(describeReply(NOT_SENT_IN_TIME, check)).toEqual({
			message: `The request ${ending}`,
			advice: 'Try again later',
		});
	});

	it('says how large an answer may be', () => {
		expect(describeSilence(silence('ANSWER_TOO_LARGE')).advice).toBe(
			'Check the Base URL in the credential. The node reads results of up to 100 MB and 500,000 values, and other answers of up to 1 MB',
		);
	});
});
