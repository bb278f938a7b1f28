import { freePorts } from '../../../harness/ports';
import { chain, documentWorkflow, TEXT_ONLY } from '../flows';
import { WRONG_CLIENT_SECRET } from '../../leaks/secrets';
import type { Scope } from '../lines';
import type { World } from '../support';

/** The credential in n8n: its test as in its panel, and the fields that n8n shows. */
export function credentialSpec(world: () => World, { differencesOnly }: Scope): void {
	const testWith = async (change: Record<string, unknown>) => {
		const { client, credential } = world();
		const { id, name, type, data } = credential;
		return client.testCredential(id, { name, type, data: { ...data, ...change } });
	};

	it('says in its test that the connection works', async () => {
		expect(await testWith({})).toMatchObject({ status: 'OK' });
	});

	it('rejects a wrong secret although a token of the right secret is stored', async () => {
		const { client } = world();
		const used = await client.runToEnd(
			chain('Stores a token', documentWorkflow(world(), 'create', 'quick', TEXT_ONLY)),
		);
		expect(used.status).toBe('success');
		const { status, message } = await testWith({ clientSecret: WRONG_CLIENT_SECRET });
		expect(status).toBe('Error');
		expect(message).toMatch(/rejected Client ID and Client Secret/);
		expect(message).not.toContain('0451');
	});

	it('keeps the stored secret and token from the editor and the log', async () => {
		const { client, credential, n8n } = world();
		const used = await client.runToEnd(
			chain('Stores a token', documentWorkflow(world(), 'create', 'quick', TEXT_ONLY)),
		);
		expect(used.status).toBe('success');
		const shown = JSON.stringify(await client.credentialData(credential.id));
		expect(shown).toContain(String(credential.data.clientId));
		const [header = ''] = (await accessToken(world())).split('.');
		expect(header.length).toBeGreaterThan(10);
		for (const secret of [String(credential.data.clientSecret), header]) {
			expect(shown).not.toContain(secret);
			expect(n8n.log()).not.toContain(secret);
		}
	});

	if (differencesOnly) return;

	it('accepts a base URL with white space, slashes and a pasted API path', async () => {
		const { simulator } = world();
		expect(
			await testWith({ productionUrl: `  ${simulator.productionUrl}/api/v1/  ` }),
		).toMatchObject({ status: 'OK' });
	});

	it('says in its test that the client secret is missing', async () => {
		expect(await testWith({ clientSecret: '  ' })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/Client Secret is empty/),
		});
	});

	it('says in its test that the service finds ID and secret malformed', async () => {
		const { simulator } = world();
		const body = {
			detail: [{ loc: ['body', 'client_id'], msg: 'str type expected', type: 'type_error.str' }],
		};
		simulator.state.faults.add({
			route: 'token',
			times: 1,
			action: { type: 'status', status: 422, body },
		});
		expect(await testWith({})).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/malformed/),
		});
	});

	it('rejects plain HTTP to another machine before anything is sent', async () => {
		expect(await testWith({ productionUrl: 'http://api.example.com' })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/unencrypted/),
		});
	});

	it('says in its test that the host does not exist', async () => {
		expect(await testWith({ productionUrl: 'https://no-such-host.invalid' })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/no-such-host\.invalid/),
		});
	});

	it('says in its test that nothing answers at the base URL', async () => {
		const [port] = await freePorts(1);
		expect(await testWith({ productionUrl: `http://127.0.0.1:${port}` })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/Nothing answers/),
		});
	});

	it.each([
		['a web page', { type: 'notJson' } as const, /text\/html instead of JSON/],
		[
			'a redirect',
			{ type: 'redirect', location: 'https://elsewhere.example.com/' } as const,
			/redirects/,
		],
		[
			'JSON without a token',
			{ type: 'status', status: 200, body: { hello: 'world' } } as const,
			/no access_token/,
		],
	])('says in its test that another service answers with %s', async (_, action, text) => {
		world().simulator.state.faults.add({ route: 'token', times: 1, action });
		expect(await testWith({})).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(text),
		});
	});

	it('says in its test that no secure connection can be made', async () => {
		const { port } = new URL(world().simulator.productionUrl);
		expect(await testWith({ productionUrl: `https://127.0.0.1:${port}` })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/secure connection/),
		});
	});
}

/** A token of the service. Each one begins with the same header; a shorter part of it may stand in an ID of n8n by chance. */
async function accessToken({ credential, simulator }: World): Promise<string> {
	const { clientId, clientSecret } = credential.data;
	const response = await fetch(`${simulator.productionUrl}/api/v1/oauth2/access_token`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
	});
	const { access_token } = (await response.json()) as { access_token: string };
	return access_token;
}
