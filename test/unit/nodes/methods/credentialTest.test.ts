import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';

import { testCredential } from '../../../../nodes/DocumentWorkflow/methods';
import { rsaPair } from '../../credentials/webhook/tokens';

const SECRET = 's3cr3t-of-the-webhook-0123456789';
const rsa = rsaPair();
const CONNECTION = {
	productionUrl: 'https://api.example.com',
	clientId: 'client',
	clientSecret: 'made-up-secret',
};
const CONNECTED = 'The service issued an access token';

/** Runs the test as n8n does, with a service that issues tokens, and checks that it shows no secret. */
async function test(changed: ICredentialDataDecryptedObject) {
	const body = { access_token: 'made-up-token', expires_in: 3600, destroy: () => undefined };
	const helpers = { request: async () => Promise.resolve({ statusCode: 200, headers: {}, body }) };
	const data = { ...CONNECTION, ...changed };
	const decrypted = { id: '1', name: 'Account', type: 'documentWorkflowApi', data };
	const context = { helpers } as unknown as ICredentialTestFunctions;
	const result = await testCredential.call(context, decrypted);
	expect(JSON.stringify(result)).not.toMatch(`${SECRET}|made-up`);
	return result;
}

const BY_KEY = { callsOfTrigger: 'apiKey', apiKey: SECRET };

describe('the test of the credential', () => {
	it.each<ICredentialDataDecryptedObject>([
		{},
		{ callsOfTrigger: 'notUsed', apiKey: 'abc123', headerName: ':' },
	])('judges only the connection if no trigger uses it (%#)', async (data) => {
		expect(await test(data)).toEqual({ status: 'OK', message: CONNECTED });
		expect(await test({ ...data, clientId: '' })).toEqual({
			status: 'Error',
			message: 'Client ID is empty. Enter it in the Document Workflow API credential',
		});
	});

	it.each<[ICredentialDataDecryptedObject, string]>([
		[
			{ ...BY_KEY, headerName: 'X-Hook', secondApiKey: 'the-key-that-comes-next' },
			'the right key in the header x-hook',
		],
		[
			{ callsOfTrigger: 'jwt', publicKey: rsa.pem, audience: 'webhook' },
			'a bearer token signed with RS256 in the header authorization',
		],
	])(
		'says what each call must carry, and that only the first call shows whether it does',
		async (data, required) => {
			expect(await test(data)).toEqual({
				status: 'OK',
				message: `Connection: ${CONNECTED}. Calls of the Trigger: The settings are complete. Each call must have ${required}. The first call shows whether the service sends it`,
			});
		},
	);

	it.each<[ICredentialDataDecryptedObject, RegExp]>([
		[
			{ callsOfTrigger: 'apiKey' },
			/^Connection: The service issued an access token\. Calls of the Trigger: 'Key' is empty\. Enter it in the Document Workflow API credential\./,
		],
		[
			{ callsOfTrigger: 'apiKey', apiKey: 'abc123' },
			/token\. Calls of the Trigger: 'Key' has fewer than 16 characters, so others could guess it and start your n8n workflow\. Agree with the service operator on a longer one/,
		],
		[
			{ callsOfTrigger: 'jwt', publicKey: SECRET },
			/token\. Calls of the Trigger: 'Public Key' is not one key or certificate in PEM format\. Enter the complete key/,
		],
		[
			{ callsOfTrigger: 'other', apiKey: SECRET },
			/token\. Calls of the Trigger: The selected 'Calls of the Trigger' is not supported by this version of the package\. Select it again/,
		],
		[
			{ ...BY_KEY, clientSecret: ' ' },
			/^Connection: Client Secret is empty\. Enter it .*\. Calls of the Trigger: The settings are complete\./,
		],
		[
			{ callsOfTrigger: 'apiKey', clientSecret: ' ' },
			/^Connection: Client Secret is empty\..* Calls of the Trigger: 'Key' is empty\./,
		],
	])('fails and says which part is wrong, and what to do (%#)', async (data, words) => {
		const { status, message } = await test(data);
		expect(status).toBe('Error');
		expect(message).toMatch(words);
		expect(message).not.toMatch(/\b(?:error|problem|failure|mistake)\b/i);
	});

	it('warns when calls are not checked', async () => {
		const { status, message } = await test({ callsOfTrigger: 'none' });
		expect(status).toBe('OK');
		expect(message).toMatch(
			/Calls of the Trigger: Calls are not authenticated: anyone who knows the URL of the trigger and the IDs of an execution can start your n8n workflow with its data\. Ask the service operator for another method$/,
		);
	});
});
