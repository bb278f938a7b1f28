import { decodeJwt, SignJWT } from 'jose';
import {
	call,
	callerOf,
	CLIENT,
	createPath,
	DOCUMENT,
	exchange,
	form,
	started,
	tokenOf,
	type Caller,
} from './support';

const PAIR = { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret };

describe('the token endpoint', () => {
	let caller: Caller;
	beforeAll(async () => void (caller = await started()));
	afterAll(() => caller.simulator.stop());

	test('returns a bearer token and its lifetime in seconds for a valid client ID and secret', async () => {
		const { status, body } = await exchange(caller.simulator.productionUrl, PAIR);
		expect(status).toBe(200);
		expect(body).toEqual({
			access_token: expect.any(String),
			token_type: 'bearer',
			expires_in: 3600,
		});
		const claims = decodeJwt(String(body.access_token));
		expect(claims).toEqual({
			sub: 'client',
			iss: expect.stringContaining('production'),
			jti: expect.any(String),
			iat: expect.any(Number),
			exp: expect.any(Number),
		});
		expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
	});

	test.each([
		[
			'a secret that is missing',
			{ client_id: 'client' },
			['body', 'client_secret'],
			'field required',
			'value_error.missing',
		],
		[
			'an ID that is not a string',
			{ ...PAIR, client_id: 7 },
			['body', 'client_id'],
			'str type expected',
			'type_error.str',
		],
		[
			'an empty secret',
			{ ...PAIR, client_secret: ' ' },
			['body', 'client_secret'],
			'ensure this value has at least 1 characters',
			'value_error.any_str.min_length',
		],
		['a body that is a list', [PAIR], ['body'], 'value is not a valid dict', 'type_error.dict'],
		['a body that is null', 'null', ['body'], 'value is not a valid dict', 'type_error.dict'],
		[
			'a body that is not JSON',
			'{',
			['body'],
			expect.stringContaining('invalid JSON'),
			'value_error.jsondecode',
		],
	])('rejects %s with 422 and its place', async (_what, body, loc, msg, type) => {
		const answer = await exchange(caller.simulator.productionUrl, body);
		expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc, msg, type }] } });
	});

	test('names both credentials when both are missing', async () => {
		const { body } = await exchange(caller.simulator.productionUrl, {});
		expect(body.detail).toEqual([
			{ loc: ['body', 'client_id'], msg: 'field required', type: 'value_error.missing' },
			{ loc: ['body', 'client_secret'], msg: 'field required', type: 'value_error.missing' },
		]);
	});

	test.each([
		['form encoding', { 'content-type': 'application/x-www-form-urlencoded' }],
		['an invalid content type', { 'content-type': 'gar/ba/ge' }],
		['plain text', { 'content-type': 'text/plain' }],
	])('rejects %s with 422', async (_what, headers) => {
		const { status } = await exchange(
			caller.simulator.productionUrl,
			'client_id=client&client_secret=made-up-secret',
			headers,
		);
		expect(status).toBe(422);
		expect(caller.simulator.state.requests.all().at(-1)?.status).toBe(422);
	});

	test.each([
		['a wrong secret', { ...PAIR, client_secret: 'wrong' }],
		['an unknown client', { ...PAIR, client_id: 'nobody' }],
		['a client of the other environment', { ...PAIR, client_id: 'staging-only' }],
	])('rejects %s with 401', async (_what, body) => {
		expect(await exchange(caller.simulator.productionUrl, body)).toMatchObject({
			status: 401,
			body: { detail: 'Invalid client credentials' },
		});
	});

	test('answers 404 or 405 for other paths and methods', async () => {
		const url = `${caller.simulator.productionUrl}/api/v1/oauth2/access_token`;
		const wrongMethod = await call(url);
		expect(wrongMethod).toMatchObject({ status: 405, body: { detail: 'Method Not Allowed' } });
		expect(wrongMethod.headers.get('allow')).toBe('POST');
		expect(await call(`${url}/`, { method: 'POST' })).toMatchObject({
			status: 404,
			body: { detail: 'Not Found' },
		});
		expect(await call(`${caller.simulator.productionUrl}/%zz`)).toMatchObject({
			status: 404,
			body: { detail: 'Not Found' },
		});
	});
});

describe('a request with a bearer token', () => {
	let caller: Caller;
	beforeEach(async () => void (caller = await started()));
	afterEach(() => caller.simulator.stop());

	const judgedAs = async (authorization: string | undefined): Promise<unknown> => {
		const { status, body } = await caller.get(
			'intake',
			'none',
			authorization === undefined ? {} : { authorization },
		);
		const entry = caller.simulator.state.requests.all().at(-1);
		return { status, detail: body.detail, authorization: entry?.authorization };
	};

	test('is rejected without a token', async () => {
		expect(await judgedAs(undefined)).toEqual({
			status: 401,
			detail: 'Not authenticated',
			authorization: 'none',
		});
	});

	test.each(['Basic abc', 'Bearer', 'Bearer abc', 'Bearer a.b.c', 'Bearer e30.e30.c2ln'])(
		'is rejected when the header is "%s"',
		async (header) => {
			expect(await judgedAs(header)).toEqual({
				status: 401,
				detail: 'Invalid token',
				authorization: 'malformed',
			});
		},
	);

	test('is rejected when the token was signed with another key', async () => {
		const forged = await new SignJWT({})
			.setProtectedHeader({ alg: 'HS256' })
			.setSubject('client')
			.sign(Buffer.alloc(32));
		expect(await judgedAs(`Bearer ${forged}`)).toEqual({
			status: 401,
			detail: 'Invalid token',
			authorization: 'foreign',
		});
	});

	test('is rejected with a token of the other environment', async () => {
		const staging = await tokenOf(caller.simulator.stagingUrl);
		expect(await judgedAs(`Bearer ${staging}`)).toEqual({
			status: 401,
			detail: 'Invalid token',
			authorization: 'foreign',
		});
	});

	test('is rejected once the token has expired, to the millisecond', async () => {
		caller.simulator.state.settings.change({ tokenLifetimeSeconds: 0.2 });
		const short = `Bearer ${await tokenOf(caller.simulator.productionUrl)}`;
		expect(await judgedAs(short)).toMatchObject({ status: 404, authorization: 'valid' });
		await new Promise((resolve) => setTimeout(resolve, 210));
		expect(await judgedAs(short)).toEqual({
			status: 401,
			detail: 'Token has expired',
			authorization: 'expired',
		});
		expect(caller.simulator.state.tokens.revokeClient('client')).toBe(1);
	});

	test('is rejected after the tokens of its client were revoked; those of others stay valid', async () => {
		const narrow = `Bearer ${await tokenOf(caller.simulator.productionUrl, { ...CLIENT, clientId: 'narrow' })}`;
		expect(caller.simulator.state.tokens.revokeClient('client')).toBe(1);
		expect(await judgedAs(caller.authorization)).toEqual({
			status: 401,
			detail: 'Token has been revoked',
			authorization: 'revoked',
		});
		expect(await judgedAs(narrow)).toMatchObject({ status: 403, authorization: 'valid' });
	});

	test('is rejected with 403 for a workflow that the client may not use', async () => {
		const narrow = `Bearer ${await tokenOf(caller.simulator.productionUrl, { ...CLIENT, clientId: 'narrow' })}`;
		const headers = { authorization: narrow };
		expect(await caller.create('intake', form(DOCUMENT), headers)).toMatchObject({
			status: 403,
			body: { detail: expect.any(String) },
		});
		expect((await caller.create('other', form(DOCUMENT), headers)).status).toBe(200);
	});

	test('finds no execution of the other environment', async () => {
		const staging = await callerOf(caller.simulator, caller.simulator.stagingUrl);
		const executionId = await staging.createdId('intake', form(DOCUMENT));
		expect((await staging.get('intake', executionId)).status).toBe(200);
		expect(await caller.get('intake', executionId)).toMatchObject({
			status: 404,
			body: { detail: 'Workflow execution not found' },
		});
	});

	test('is rejected when the token is revoked while the body arrives', async () => {
		caller.simulator.state.faults.add({
			route: 'create',
			action: { type: 'revokeTokenDuringUpload', afterBytes: 100 },
		});
		const answer = await caller.create('intake', form({ 'large.txt': 'x'.repeat(300_000) }));
		expect(answer).toMatchObject({ status: 401, body: { detail: 'Token has been revoked' } });
		const entry = caller.simulator.state.requests.all().at(-1);
		expect(entry).toMatchObject({
			authorization: 'valid',
			authorizationAtEnd: 'revoked',
			faultApplied: 'revokeTokenDuringUpload',
		});
		expect(entry?.bodyBytes).toBe(entry?.contentLength);
		expect(caller.simulator.state.executions.all()).toEqual([]);
	});

	test('is rejected with another method on an execution, and for an unknown workflow', async () => {
		const headers = { authorization: caller.authorization };
		const url = `${caller.simulator.productionUrl}${createPath('intake')}`;
		expect((await call(url, { headers })).status).toBe(405);
		expect((await call(`${url}/1`, { headers, method: 'DELETE' })).status).toBe(405);
		expect(await caller.get('unknown', '1')).toMatchObject({
			status: 404,
			body: { detail: 'Workflow not found' },
		});
		expect((await caller.create('unknown', form(DOCUMENT))).status).toBe(404);
	});
});
