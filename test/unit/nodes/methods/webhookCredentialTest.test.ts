import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';

import { testWebhookCredential } from '../../../../nodes/DocumentWorkflow/methods';
import { rsaPair } from '../../credentials/keyPairs';

const SECRET = 's3cr3t-of-the-webhook-0123456789';
const rsa = rsaPair();

/** Runs the test as n8n does, and checks that it shows no secret. */
async function test(data?: ICredentialDataDecryptedObject) {
	const decrypted = { id: '1', name: 'Webhook', type: 'documentWorkflowWebhookApi', data };
	const result = await testWebhookCredential.call({} as ICredentialTestFunctions, decrypted);
	expect(JSON.stringify(result)).not.toContain(SECRET);
	return result;
}

describe('the test of the webhook credential', () => {
	it.each<[ICredentialDataDecryptedObject, string]>([
		[
			{
				authentication: 'apiKey',
				headerName: 'X-Hook',
				apiKey: SECRET,
				secondApiKey: 'the-key-that-comes-next',
			},
			'the right key in the header x-hook',
		],
		[
			{ authentication: 'hmac', timestampHeader: 'x-timestamp', signingSecret: SECRET },
			'a signature (HMAC-SHA256) in the header x-signature, and its time in the header x-timestamp',
		],
		[
			{ authentication: 'jwt', publicKey: rsa.pem, audience: 'webhook' },
			'a bearer token signed with RS256 in the header authorization',
		],
	])(
		'says what each call must carry, and that only the first call shows whether it does',
		async (data, required) => {
			expect(await test(data)).toEqual({
				status: 'OK',
				message: `The settings are complete. Each call must have ${required}. The first call shows whether the service sends it`,
			});
		},
	);

	it('fails for a key that is too short, and says how long it must be and why', async () => {
		expect(await test({ authentication: 'apiKey', apiKey: 'abc123' })).toEqual({
			status: 'Error',
			message:
				"'Key' has fewer than 16 characters, so others could guess it and start your n8n workflow. Agree with the service operator on a longer one, such as 32 random letters and digits",
		});
	});

	it('advises to enter the audience when other applications may have the same identity provider', async () => {
		const { status, message } = await test({
			authentication: 'jwt',
			publicKey: rsa.pem,
			issuer: 'https://login.example.com/',
		});
		expect(status).toBe('OK');
		expect(message).toMatch(
			/sends it\. Enter 'Audience' too: without it, tokens that your identity provider issues for other applications are accepted$/,
		);
	});

	it('warns when calls are not checked', async () => {
		expect(await test({ authentication: 'none' })).toEqual({
			status: 'OK',
			message:
				'Calls are not authenticated: anyone who knows the URL of the trigger can start your n8n workflow with made-up data. Ask the service operator for another method',
		});
	});

	it.each<[ICredentialDataDecryptedObject | undefined, string]>([
		[
			undefined,
			"'Key' is empty. Enter it in the Document Workflow Webhook API credential. Until then, all calls are rejected",
		],
		[
			{ authentication: 'jwt', publicKey: SECRET },
			"'Public Key' is not one key or certificate in PEM format. Enter the complete key",
		],
		[
			{ authentication: 'other', apiKey: SECRET },
			"The selected 'Authentication' is not supported by this version of the package. Select it again",
		],
	])('says which field is incomplete and what to do (%#)', async (data, words) => {
		const { status, message } = await test(data);
		expect(status).toBe('Error');
		expect(message).toContain(words);
		expect(message).not.toMatch(/\b(?:error|problem|failure|mistake)\b/i);
	});
});
