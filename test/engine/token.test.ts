import { runFlow } from './support/engine';
import { operation, policyItem, sha256, useService } from './support/service';
import { startServer, type OtherServer } from '../servers';

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

	it('is renewed once when 20 runs find it revoked', async () => {
		await create();
		service.state.tokens.revokeAll();
		const outcomes = await Promise.all(Array.from({ length: 20 }, create));
		expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
		expect(service.state.tokens.issued).toBe(2);
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
});
