import { runFlow } from './support/engine';
import {
	operation,
	OTHER_CLIENT_ID,
	OTHER_CLIENT_SECRET,
	policyItem,
	sha256,
	useService,
	WORKFLOW_ID,
} from './support/service';
import { startServer, type OtherServer } from './support/servers';
import { time } from './support/time';

const service = useService();

/** The states of the tokens of all requests, when each arrived and when the service decided on it. */
const tokenStates = () =>
	new Set(
		service
			.requests()
			.filter(({ route }) => route !== 'token')
			.flatMap((entry) => [entry.authorization, entry.authorizationAtEnd]),
	);
const create = () =>
	runFlow({ ...service, parameters: operation('create'), items: [policyItem()] });
/** Changes the credential as the editor does, which keeps the stored token. */
const saveWith = async (changed: Record<string, string>) => {
	const { id } = service.credential;
	await service.store.save(String(id), { ...(await service.store.stored(String(id))), ...changed });
};

describe('an access token', () => {
	it('is requested once and used by all following runs', async () => {
		await create();
		await create();
		expect(service.requests().map(({ route }) => route)).toEqual(['token', 'create', 'create']);
		expect(tokenStates()).toEqual(new Set(['valid']));
	});

	it('is stored encrypted and only in the credential', async () => {
		await create();
		const id = String(service.credential.id);
		const { accessToken } = await service.store.stored(id);
		const [header = ''] =
			/eyJ[\w-]+/.exec(typeof accessToken === 'string' ? accessToken : '') ?? [];
		expect(header.length).toBeGreaterThan(10);
		expect(service.store.encrypted(id)).not.toContain(header);
		expect(service.store.updates).toBe(1);
	});

	it('is renewed before it expires, so that no request has an expired one', async () => {
		service.state.settings.change({ tokenLifetimeSeconds: 20 });
		service.state.workflows.change(WORKFLOW_ID, { duration: { fixedSeconds: 55 } });
		const now = jest.spyOn(Date, 'now').mockImplementation(time.now);
		const { outputs } = await runFlow({
			...service,
			parameters: operation('createAndWait', {
				waiting: { firstCheckSeconds: 4, longestIntervalMinutes: 4 / 60 },
			}),
			items: [policyItem()],
		});
		now.mockRestore();
		expect(outputs[0]?.[0]?.json.status).toBe('completed');
		// Each is used for half of its lifetime.
		expect(service.state.tokens.issued).toBeGreaterThanOrEqual(5);
		expect(tokenStates()).toEqual(new Set(['valid']));
	});

	it('is renewed after the service revoked it, and the request is repeated', async () => {
		await create();
		service.state.tokens.revokeAll();
		const { error, outputs } = await create();
		expect(error).toBeUndefined();
		expect(outputs[0]).toHaveLength(1);
		expect(service.requests().map(({ route, status }) => `${route} ${status}`)).toEqual([
			'token 200',
			'create 200',
			'create 401',
			'token 200',
			'create 200',
		]);
	});

	it.each([
		['The access token expired', [400, 200]],
		['JWT is not valid', [400, 200]],
		['The field token_limit is too large', [400]],
	])('is renewed once after a 400 that says so: %s', async (detail, statuses) => {
		const action = { type: 'status', status: 400, body: { detail } } as const;
		service.state.faults.add({ route: 'create', times: 1, action });
		const { error } = await create();
		expect(service.requests('create').map(({ status }) => status)).toEqual(statuses);
		expect(service.requests('token')).toHaveLength(statuses.length);
		expect(error?.httpCode).toBe(statuses.length === 1 ? '400' : undefined);
	});

	it('is renewed no second time after a 400', async () => {
		const body = { detail: 'Invalid token' };
		service.state.faults.add({ route: 'create', action: { type: 'status', status: 400, body } });
		expect((await create()).error?.httpCode).toBe('400');
		expect(service.requests('create')).toHaveLength(2);
	});

	it('is renewed when revoked during an upload, and the whole upload is repeated', async () => {
		const bytes = Buffer.alloc(3_000_000, 'Policy Number: CPP-1001\n');
		service.state.faults.add({
			route: 'create',
			times: 1,
			action: { type: 'revokeTokenDuringUpload', afterBytes: 500_000 },
		});
		const { error } = await runFlow({
			...service,
			parameters: operation('create'),
			items: [{ files: { data: { bytes, fileName: 'big.txt', mimeType: 'text/plain' } } }],
		});
		expect(error).toBeUndefined();
		expect(service.requests('create').map(({ status }) => status)).toEqual([401, 200]);
		expect(
			service.state.executions.all().map(({ files }) => files.map((file) => file.sha256)),
		).toEqual([[sha256(bytes)]]);
	});

	it('is requested once for 20 runs that start together', async () => {
		const outcomes = await Promise.all(Array.from({ length: 20 }, create));
		expect(outcomes.map(({ error }) => error)).toEqual(Array.from({ length: 20 }, () => undefined));
		expect(service.state.tokens.issued).toBe(1);
		expect(service.state.executions.all()).toHaveLength(20);
	});

	it('is renewed once when 20 runs find it revoked', async () => {
		await create();
		service.state.tokens.revokeAll();
		const outcomes = await Promise.all(Array.from({ length: 20 }, create));
		expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
		expect(service.state.tokens.issued).toBe(2);
	});

	it('is renewed again when rejected after its renewal, because another process renewed it too', async () => {
		service.state.faults.add({
			route: 'create',
			times: 2,
			action: { type: 'status', status: 401 },
		});
		const { error } = await create();
		expect(error).toBeUndefined();
		expect(service.requests('create').map(({ status }) => status)).toEqual([401, 401, 200]);
		expect(service.state.executions.all()).toHaveLength(1);
	});

	it('is reported as rejected after a few renewals', async () => {
		service.state.faults.add({
			route: 'create',
			action: { type: 'status', status: 401, body: { detail: 'Invalid token' } },
		});
		const { error } = await create();
		expect(error?.message).toBe('The service rejected the access token, also after it was renewed');
		expect(error?.description).toContain('The service said: "Invalid token"');
		expect(error?.httpCode).toBe('401');
		expect(service.requests('create').length).toBeLessThanOrEqual(4);
	});
});

describe('a stored token is no longer used', () => {
	beforeEach(async () => {
		await create();
		service.state.requests.clear();
	});

	it.each([
		['environment', () => ({ environment: 'staging' })],
		['base URL', () => ({ productionUrl: service.simulator.stagingUrl })],
	])('when the %s changes', async (_, changed) => {
		await saveWith(changed());
		expect((await create()).error).toBeUndefined();
		expect(service.requests().map(({ environment, route }) => `${environment} ${route}`)).toEqual([
			'staging token',
			'staging create',
		]);
		expect(tokenStates()).toEqual(new Set(['valid']));
	});

	it('when the client changes', async () => {
		await saveWith({ clientId: OTHER_CLIENT_ID, clientSecret: OTHER_CLIENT_SECRET });
		const { error } = await create();
		expect(error?.message).toBe(`The credential has no access to workflow "${WORKFLOW_ID}"`);
		expect(service.requests().map(({ route, clientId }) => [route, clientId])).toEqual([
			['token', undefined],
			['create', OTHER_CLIENT_ID],
		]);
	});

	it('when the secret changes, and a wrong secret sends nothing', async () => {
		await saveWith({ clientSecret: 'not-the-secret' });
		const { error } = await create();
		expect(error?.message).toBe('The service rejected Client ID and Client Secret');
		expect(error?.description).toContain('Check both');
		expect(service.requests().map(({ route, status }) => `${route} ${status}`)).toEqual([
			'token 401',
		]);
	});
});

describe('a token is sent only to its own origin:', () => {
	let stranger: OtherServer;
	beforeEach(async () => {
		stranger = await startServer({ body: '{}' });
	});
	afterEach(async () => stranger.stop());

	it('this node does not follow redirects', async () => {
		service.state.faults.add({
			route: 'any',
			requests: { from: 2 },
			action: { type: 'redirect', location: `${stranger.url}/elsewhere` },
		});
		const { error } = await create();
		expect(error?.message).toBe('The service redirects to another URL (status 302)');
		expect(error?.description).toContain('Redirects are not followed');
		expect(stranger.seen).toEqual([]);
	});

	it('client ID and secret are not sent to the target of a redirect', async () => {
		service.state.faults.add({
			route: 'token',
			action: { type: 'redirect', status: 307, location: `${stranger.url}/elsewhere` },
		});
		const { error } = await create();
		expect(error?.message).toContain(
			'is not a document workflow service (it redirects with status 307)',
		);
		expect(stranger.seen).toEqual([]);
	});
});

it('The node reports the 401 when the token endpoint keeps returning the rejected token', async () => {
	const body = { access_token: 'always-the-same', token_type: 'bearer', expires_in: 3600 };
	service.state.faults.add({ route: 'token', action: { type: 'status', status: 200, body } });
	const { error } = await runFlow({
		...service,
		parameters: operation('create'),
		items: [policyItem()],
	});
	expect(error?.message).toBe('The service rejected the access token, also after it was renewed');
	expect(service.requests('create')).toHaveLength(1);
	expect(service.requests('token').length).toBeLessThanOrEqual(3);
});
