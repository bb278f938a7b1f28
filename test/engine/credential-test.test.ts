import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { CREDENTIAL_TYPE, documentWorkflow } from './support/package';
import { expectNoSecretIn } from './support/secrets';
import { operation, policyItem, useService } from './support/service';
import { startSelfSignedServer, startServer, unusedAddress } from './support/servers';

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

	it('succeeds with a base URL pasted with spaces, a slash and the API path', async () => {
		expect(
			await test({ productionUrl: ` ${service.simulator.productionUrl}/api/v1/ ` }),
		).toMatchObject({ status: 'OK' });
	});

	it.each([
		[
			'{"oauth2": \'made-up\'}',
			/in the credential is not valid JSON: a value is expected at line 1, column 12. Correct it in/,
		],
		['{"files": 1}', /^The request field 'files' is set twice: by the files and by 'File Access/],
	])(
		'says what is wrong in the File Access Fields, without showing them: %s',
		async (given, words) => {
			expect(await test({ fileAccessFields: given })).toEqual({
				status: 'Error',
				message: expect.stringMatching(words),
			});
		},
	);

	it('says which line of the workflow names cannot be read', async () => {
		expect(await test({ workflowNames: 'Claims = claims\nIntake' })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining("Line 2 of 'Workflow Names' cannot be read: 'Intake'"),
		});
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

	it('says that the host was not found', async () => {
		const { status, message } = await test({ productionUrl: 'https://no-such-host.invalid' });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The host no-such-host\.invalid was not found|^The host name no-such-host\.invalid could not be looked up/,
		);
	});

	it('says that nothing answers at the base URL', async () => {
		const address = await unusedAddress();
		expect(await test({ productionUrl: address })).toEqual({
			status: 'Error',
			message: `Nothing answers at ${address.replace('http://', '')} (ECONNREFUSED). Nothing was sent. When the service answers again, choose Retry. If it never has, check the Base URL in the credential and its port`,
		});
	});

	it('says that no secure connection can be made when the server does not use HTTPS', async () => {
		const { message } = await test({
			productionUrl: service.simulator.productionUrl.replace('http:', 'https:'),
		});
		expect(message).toMatch(
			/^No secure connection to 127\.0\.0\.1:\d+ could be made \((EPROTO|ERR_SSL_\w+)\)/,
		);
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
