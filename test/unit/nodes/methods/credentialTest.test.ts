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

const BY_KEY = { triggerAuthentication: 'apiKey', apiKey: SECRET };

describe('the test of the credential', () => {
	it.each<ICredentialDataDecryptedObject>([
		{},
		{ triggerAuthentication: 'notUsed', apiKey: 'abc123', headerName: ':' },
	])('judges only the connection if no trigger uses it (%#)', async (data) => {
		expect(await test(data)).toEqual({ status: 'OK', message: CONNECTED });
		expect(await test({ ...data, clientId: '' })).toEqual({
			status: 'Error',
			message: 'Client ID is empty. Enter it in the Document Workflow API credential',
		});
	});

	it.each<ICredentialDataDecryptedObject>([
		{ ...BY_KEY, headerName: 'X-Hook', secondApiKey: 'the-key-that-comes-next' },
		{ triggerAuthentication: 'jwt', publicKey: rsa.pem },
		{ triggerAuthentication: 'none' },
	])('also judges whether the settings for the trigger are complete (%#)', async (data) => {
		expect(await test(data)).toEqual({
			status: 'OK',
			message: `Connection: ${CONNECTED}. Trigger Authentication: The settings are complete`,
		});
	});

	it.each<[ICredentialDataDecryptedObject, RegExp]>([
		[
			{ triggerAuthentication: 'apiKey' },
			/^Connection: The service issued an access token\. Trigger Authentication: 'Key' is empty\. Enter it in the Document Workflow API credential\./,
		],
		[
			{ triggerAuthentication: 'apiKey', apiKey: 'abc123' },
			/token\. Trigger Authentication: 'Key' has fewer than 16 characters, so others could guess it and start your n8n workflow\. Agree with the service operator on a longer one/,
		],
		[
			{ triggerAuthentication: 'jwt', publicKey: SECRET },
			/token\. Trigger Authentication: 'Public Key' is not one key or certificate in PEM format\. Enter the complete key/,
		],
		[
			{ triggerAuthentication: 'other', apiKey: SECRET },
			/token\. Trigger Authentication: The selected 'Trigger Authentication' is not supported by this version of the package\. Select it again/,
		],
		[
			{ ...BY_KEY, clientSecret: ' ' },
			/^Connection: Client Secret is empty\. Enter it .*\. Trigger Authentication: The settings are complete$/,
		],
		[
			{ triggerAuthentication: 'apiKey', clientSecret: ' ' },
			/^Connection: Client Secret is empty\..* Trigger Authentication: 'Key' is empty\./,
		],
	])('fails and says which part is wrong, and what to do (%#)', async (data, words) => {
		const { status, message } = await test(data);
		expect(status).toBe('Error');
		expect(message).toMatch(words);
		expect(message).not.toMatch(/\b(?:error|problem|failure|mistake)\b/i);
	});
});
