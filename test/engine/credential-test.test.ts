import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { CREDENTIAL_TYPE, documentWorkflow } from './support/package';
import { expectNoSecretIn } from './support/secrets';
import { operation, policyItem, useService } from './support/service';
import { startRefusingProxy, startSelfSignedServer, startServer } from '../servers';

const service = useService();

/** Calls the test as n8n does on Save and Retry. */
async function test(
	changed: ICredentialDataDecryptedObject = {},
	stored: ICredentialDataDecryptedObject = {},
) {
	const result = await documentWorkflow.methods.credentialTest.documentWorkflowApiTest.call(
		new CredentialTestContext(),
		{
			id: '1',
			name: 'Document Workflow account',
			type: CREDENTIAL_TYPE,
			data: { ...stored, ...service.entered, ...changed },
		},
	);
	expectNoSecretIn(result);
	return result;
}

describe('The test of the credential', () => {
	it('succeeds with the right client ID and secret in both environments', async () => {
		expect(await test()).toEqual({
			status: 'OK',
			message: 'The service issued an access token',
		});
		expect(await test({ environment: 'staging' })).toMatchObject({ status: 'OK' });
		expect(service.requests().map(({ environment, route }) => `${environment} ${route}`)).toEqual([
			'production token',
			'staging token',
		]);
	});

	it('fails with a wrong secret even when an older token is stored', async () => {
		await runFlow({ ...service, parameters: operation('create'), items: [policyItem()] });
		const stored = await service.store.stored(String(service.credential.id));
		expect(stored.accessToken).toMatch(/eyJ/);
		expect(await test({ clientSecret: 'wrong' }, stored)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('rejected Client ID and Client Secret'),
		});
	});

	it('says that the certificate is not trusted, and sends nothing', async () => {
		const server = await startSelfSignedServer();
		const { status, message } = await test({ productionUrl: server.url });
		await server.stop();
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^No secure connection to 127\.0\.0\.1:\d+ could be made \((DEPTH_ZERO_SELF_SIGNED_CERT|CERT_NOT_YET_VALID)\)/,
		);
		expect(message).toContain('NODE_EXTRA_CA_CERTS');
		expect(server.seen).toEqual([]);
	});

	it.each([
		[407, /^The proxy of your n8n server rejected the request.* The proxy said: "a page/],
		[403, /ask your IT whether a proxy blocks this host\. The service, or a proxy before it, said/],
		[502, /^The service, or a proxy before it, answered with status 502/],
	])('names a proxy that answers %d in place of the service', async (status, words) => {
		const proxy = await startRefusingProxy(status);
		process.env.HTTPS_PROXY = proxy.url;
		const tested = test({ productionUrl: 'https://api.example.com' });
		const { message } = await tested.finally(() => delete process.env.HTTPS_PROXY);
		await proxy.stop();
		expect(message).toMatch(words);
	});

	it.each([302, 307])('does not follow a %d redirect with client ID and secret', async (status) => {
		const stranger = await startServer({ body: '{"access_token": "x"}' });
		service.state.faults.add({
			route: 'token',
			action: { type: 'redirect', status, location: `${stranger.url}/elsewhere` },
		});
		expect(await test()).toMatchObject({
			status: 'Error',
			message: expect.stringContaining(`it redirects with status ${status}`),
		});
		expect(stranger.seen).toEqual([]);
		await stranger.stop();
	});
});
