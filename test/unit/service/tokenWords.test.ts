import type { Answer, NoAnswer } from '../../../service/http';
import { refusedExchange, refusedSetting } from '../../../service/tokenWords';
import { answer, settings, START } from '../support/tokens';

const refuse = (reply: Answer | NoAnswer, isTrusted = false) =>
	refusedExchange(reply, settings, START, isTrusted);
const typed = (type: string, body: unknown): Answer => answer(200, body, { 'content-type': type });

describe('A wrong setting', () => {
	it('says what to do, does not pass, and says nothing about the service', () => {
		expect(refusedSetting('Client ID is missing', 'Enter it')).toEqual({
			kind: 'noToken',
			message: 'Client ID is missing',
			advice: 'Enter it',
			passing: false,
		});
	});
});

describe('An answer that a token endpoint would not give', () => {
	it.each<[string, Answer, string]>([
		['a redirect', answer(300, ''), 'it redirects with status 300'],
		['another redirect', answer(399, ''), 'it redirects with status 399'],
		['another path', answer(404, {}), 'status 404 for the token request'],
		['another method', answer(405, {}), 'status 405 for the token request'],
		['a record without a token', answer(200, {}), 'no access_token in the answer'],
		['a list', typed('application/json', []), 'no access_token in the answer'],
		['a number', typed('application/json', 7), 'no access_token in the answer'],
		[
			'JSON that was cut',
			typed('application/json', '{"a'),
			'the answer is not JSON: application/json',
		],
		['a page', typed('text/html; a=b', '<p>'), 'the answer is not JSON: text/html; a=b'],
		['nothing', answer(200, ''), 'the answer is not JSON: no type'],
		['no body', answer(204, undefined), 'no access_token in the answer'],
	])('means a wrong address, with what it was: %s', (_what, reply, words) => {
		expect(refuse(reply)).toMatchObject({
			message: `api.example.com is not a document workflow service (${words})`,
			advice:
				'Check the Base URL in the credential: enter the URL of the API without /api/v1, not the URL of the dashboard',
			passing: false,
		});
	});

	it('shows no secret in its type', () => {
		const { clientSecret } = settings;
		const { message } = refuse(typed(`text/${clientSecret}`, '<p>'));
		expect(message).toContain('(the answer is not JSON: text/[secret])');
	});

	it('passes when the endpoint has returned tokens before', () => {
		expect(refuse(answer(404, {}), true)).toMatchObject({
			message:
				'The token endpoint of api.example.com returned no token (status 404 for the token request)',
			advice: 'Try again later. It has returned tokens for this credential before',
			passing: true,
		});
	});
});

describe('A refusal of the token endpoint', () => {
	it.each([
		[200, 'invalid_client', 'The service rejected Client ID and Client Secret'],
		[400, 'invalid_client', 'The service rejected Client ID and Client Secret'],
		[200, 'invalid_grant', 'The service rejected Client ID and Client Secret'],
		[200, 'unauthorized_client', 'Access to the service is denied'],
		[400, 'invalid_scope', 'Access to the service is denied'],
		[200, 'access_denied', 'Access to the service is denied'],
		[401, 'unsupported_grant_type', 'Client ID or Client Secret is malformed'],
		[200, 'invalid_request', 'Client ID or Client Secret is malformed'],
		[200, 'constructor', 'api.example.com is not a document workflow service'],
	])('with status %s and the error %s of OAuth is named by that', (status, error, message) => {
		expect(refuse(answer(status, { error })).message).toContain(message);
	});

	it('may come from a proxy when it is a page', () => {
		expect(refuse(answer(403, '<p>')).advice).toBe(
			'Ask the service operator to give your Client ID access. If they have, ask your IT whether a proxy blocks this host. The service, or a proxy before it, said: "a page instead of JSON"',
		);
		expect(refuse(answer(502, '<p>')).message).toMatch(/^The service, or a proxy before it, answ/);
	});

	it.each([
		[
			400,
			'Client ID or Client Secret is malformed',
			'Copy both again as the service operator gave them to you, without extra characters',
		],
		[
			401,
			'The service rejected Client ID and Client Secret',
			'Check both in the credential. They must belong to the selected environment',
		],
		[
			403,
			'Access to the service is denied',
			'Ask the service operator to give your Client ID access. If they have, ask your IT whether a proxy blocks this host',
		],
		[408, 'The service answered with status 408', 'Try again later'],
		[
			422,
			'Client ID or Client Secret is malformed',
			'Copy both again as the service operator gave them to you, without extra characters',
		],
		[
			402,
			'The service asks for a payment (status 402)',
			'Ask the service operator: your account may have no credit left',
		],
		[
			407,
			'The proxy of your n8n server rejected the request (status 407)',
			'Nothing was sent to the service. Ask your IT to enter user name and password of the proxy in HTTPS_PROXY of your n8n server, as http://user:password@host:port, and to restart n8n',
		],
		[429, 'The service is too busy (status 429)', 'Try again in a minute'],
		[503, 'The service answered with status 503', 'Try again later'],
	])('with status %s says what happened and what to do', (status, message, advice) => {
		expect(refuse(answer(status, {}))).toMatchObject({ message, advice });
		expect(refuse(answer(status, { detail: 'no such client' }))).toMatchObject({
			message,
			advice: `${advice}. The ${status === 407 ? 'proxy' : 'service'} said: "no such client"`,
		});
	});

	it.each(['', '<html>Blocked</html>'])('with the body "%s" may come from a proxy', (body) => {
		expect(refuse(answer(502, body)).message).toBe(
			'The service, or a proxy before it, answered with status 502',
		);
	});
});
