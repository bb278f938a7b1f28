import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import type { WebhookSettings } from '../../credentials/webhookSettings';
import { readWebhookSettings } from '../../credentials/webhookSettings';

/**
 * Tests that the settings are complete and can be used. Nothing can be asked: the service calls n8n, and whether it has the same secret
 * shows only then.
 */
export async function testWebhookCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const read = readWebhookSettings(data ?? {});
	return read.ok
		? { status: 'OK', message: inWords(read.settings) }
		: { status: 'Error', message: `${read.message}. ${read.advice}` };
}

/** What the trigger will ask of each call. */
function inWords(settings: WebhookSettings): string {
	const { method } = settings;
	if (method === 'none') {
		return 'Calls are not checked: anybody who knows the address of the trigger can start your workflow. Ask the service operator for another method';
	}
	if (method === 'apiKey') return complete(`the right key in the header ${settings.header}`);
	if (method === 'hmac') {
		const { header, timestampHeader } = settings;
		const time =
			timestampHeader === undefined ? '' : `, and its time in the header ${timestampHeader}`;
		return complete(`a signature (HMAC-SHA256) in the header ${header}${time}`);
	}
	const { algorithm, audience } = settings;
	const open = audience === undefined && algorithm !== 'HS256';
	const warning = open
		? ". Enter 'Audience' too: without it, tokens that your identity provider issues for somebody else are accepted"
		: '';
	return `${complete(`a bearer token signed with ${algorithm} in the header authorization`)}${warning}`;
}

function complete(proof: string): string {
	return `The settings are complete: each call must carry ${proof}. Whether the service sends it shows with its first call`;
}
