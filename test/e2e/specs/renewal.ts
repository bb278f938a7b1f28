import { chain, documentWorkflow, TEXT_ONLY } from '../flows';
import type { World } from '../support';

/** Tokens that belong to other settings. */
export function renewalSpec(world: () => World): void {
	it('uses another environment of the credential at once, with a token of that environment', async () => {
		const { client, simulator, credential } = world();
		const { id, name, type, data } = credential;
		const flow = chain('Environment', documentWorkflow(world(), 'create', 'quick', TEXT_ONLY));
		expect((await client.runToEnd(flow)).status).toBe('success');
		simulator.state.requests.clear();
		// As the editor saves it: hidden values are blanked, and n8n keeps the stored token. The address is entered again,
		// because n8n 1 drops fields that are not shown when it stores a token.
		const shown = await client.credentialData(id);
		expect(shown).toHaveProperty('accessToken');
		await client.updateCredential(id, {
			name,
			type,
			data: { ...shown, environment: 'staging', stagingUrl: simulator.stagingUrl },
		});
		try {
			expect((await client.runToEnd(flow)).status).toBe('success');
		} finally {
			await client.updateCredential(id, { name, type, data });
		}
		const requests = simulator.state.requests.all();
		expect(requests.map(({ environment, route, status }) => [environment, route, status])).toEqual([
			['staging', 'token', 200],
			['staging', 'create', 200],
		]);
	});
}
