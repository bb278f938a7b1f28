import { chain, documentWorkflow, TEXT_ONLY } from '../flows';
import type { World } from '../support';

/** The credential in n8n: its test as in its panel, and the fields that n8n shows. */
export function credentialSpec(world: () => World): void {
	const testWith = async (change: Record<string, unknown>) => {
		const { client, credential } = world();
		const { id, name, type, data } = credential;
		return client.testCredential(id, { name, type, data: { ...data, ...change } });
	};

	it('says in its test that the connection works', async () => {
		expect(await testWith({})).toMatchObject({ status: 'OK' });
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
