import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, readFiles, TEXT_ONLY } from '../flows';
import type { World } from '../support';

const NODE = 'Document Workflow';

/** Tokens that expire, are revoked, or belong to other settings. */
export function renewalSpec(world: () => World): void {
	it('uploads a document again when its token is revoked in the middle of the upload', async () => {
		const { client, simulator, folder } = world();
		const bytes = randomBytes(3_000_000);
		writeFileSync(join(folder, 'revoked.bin'), bytes);
		simulator.state.faults.add({
			route: 'create',
			times: 1,
			action: { type: 'revokeTokenDuringUpload', afterBytes: 1_000_000 },
		});
		const flow = chain(
			'Revoked',
			readFiles(join(folder, 'revoked.bin')),
			documentWorkflow(world(), 'create', 'any-document'),
		);
		const execution = await client.runToEnd(flow);
		expect(execution.status).toBe('success');

		const creates = simulator.state.requests.all().filter(({ route }) => route === 'create');
		expect(creates.map(({ status }) => status)).toEqual([401, 200]);
		const [item] = output(execution, NODE);
		const arrived = simulator.state.executions.find(String(item?.json.executionId));
		expect(arrived?.files[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
		expect(
			simulator.state.executions
				.all()
				.filter(({ createdAt }) => createdAt >= (creates[0]?.startedAt ?? 0)),
		).toHaveLength(1);
	});

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
