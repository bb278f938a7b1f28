import { decodeJwt, SignJWT } from 'jose';
import { PATHS } from '../../simulator/http/routes';
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
	until,
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

	const DICT = 'value is not a valid dict';
	const EMPTY = 'ensure this value has at least 1 characters';
	const ID = ['body', 'client_id'];
	const SECRET = ['body', 'client_secret'];
	test.each<[string, unknown, string[], string | RegExp, string]>([
		['a missing secret', { client_id: 'a' }, SECRET, 'field required', 'missing'],
		['an ID that is not a string', { ...PAIR, client_id: 7 }, ID, 'str type expected', 'str'],
		['an empty secret', { ...PAIR, client_secret: ' ' }, SECRET, EMPTY, 'min_length'],
		['a body that is a list', [PAIR], ['body'], DICT, 'dict'],
		['a body that is null', 'null', ['body'], DICT, 'dict'],
		['a body that is not JSON', '{', ['body'], /invalid JSON/, 'jsondecode'],
	])('rejects %s with 422 and its place', async (_what, body, loc, msg, type) => {
		const { status, body: answer } = await exchange(caller.simulator.productionUrl, body);
		expect([status, answer.detail]).toMatchObject([
			422,
			[{ loc, msg: expect.stringMatching(msg), type: expect.stringMatching(`\\.${type}$`) }],
		]);
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
		const url = caller.simulator.productionUrl + PATHS.token;
		const wrongMethod = await call(url);
		expect(wrongMethod).toMatchObject({ status: 405, body: { detail: 'Method Not Allowed' } });
		expect(wrongMethod.headers.get('allow')).toBe('POST');
		const notFound = { status: 404, body: { detail: 'Not Found' } };
		expect(await call(`${url}/`, { method: 'POST' })).toMatchObject(notFound);
		expect(await call(`${caller.simulator.productionUrl}/%zz`)).toMatchObject(notFound);
	});
});

describe('a request with a bearer token', () => {
	let caller: Caller;
	beforeEach(async () => void (caller = await started()));
	afterEach(() => caller.simulator.stop());

	/** The state of the token, and the answer. */
	const judgedAs = async (authorization?: string) => {
		const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
		const { status, body } = await caller.get('intake', 'none', headers);
		return [caller.simulator.state.requests.all().at(-1)?.authorization, status, body.detail];
	};

	test('is rejected without a token', async () => {
		expect(await judgedAs(undefined)).toEqual(['none', 401, 'Not authenticated']);
	});

	test.each(['Basic abc', 'Bearer', 'Bearer abc', 'Bearer a.b.c', 'Bearer e30.e30.c2ln'])(
		'is rejected when the header is "%s"',
		async (header) => {
			expect(await judgedAs(header)).toEqual(['malformed', 401, 'Invalid token']);
		},
	);

	test('is rejected with a token that was signed with another key, or is of the other environment', async () => {
		const forged = await new SignJWT({})
			.setProtectedHeader({ alg: 'HS256' })
			.setSubject('client')
			.sign(Buffer.alloc(32));
		for (const token of [forged, await tokenOf(caller.simulator.stagingUrl)])
			expect(await judgedAs(`Bearer ${token}`)).toEqual(['foreign', 401, 'Invalid token']);
	});

	test('is rejected once the token has expired', async () => {
		caller.simulator.state.settings.change({ tokenLifetimeSeconds: 0.001 });
		const short = `Bearer ${await tokenOf(caller.simulator.productionUrl)}`;
		const refused = await until(async () => {
			const judged = await judgedAs(short);
			return judged[0] === 'valid' ? undefined : judged;
		});
		expect(refused).toEqual(['expired', 401, 'Token has expired']);
	});

	test('is rejected after all tokens were revoked', async () => {
		expect((await judgedAs(caller.authorization))[0]).toBe('valid');
		caller.simulator.state.tokens.revokeAll();
		const revoked = ['revoked', 401, 'Token has been revoked'];
		expect(await judgedAs(caller.authorization)).toEqual(revoked);
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
