import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import type { ApiKeySettings } from './webhook/apiKey';
import { apiKeyFields, readApiKey } from './webhook/apiKey';
import type { HmacSettings } from './webhook/hmac';
import { readHmac, signatureFields } from './webhook/hmac';
import type { JwtSettings } from './webhook/jwt';
import { jwtFields, readJwt } from './webhook/jwt';
import type { Refused } from './webhook/refusals';
import { refuse, unknownChoice } from './webhook/refusals';

/** How a call of the trigger must prove itself. Of keys and secrets there are one, or two while they are exchanged; never none. */
export type WebhookSettings = { method: 'none' } | ApiKeySettings | HmacSettings | JwtSettings;

export type ReadWebhookSettings = { ok: true; settings: WebhookSettings } | Refused;

const methodFields: INodeProperties[] = [
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{ name: 'API Key', value: 'apiKey', description: 'Each call carries a key in a header' },
			{
				name: 'Bearer Token (JWT)',
				value: 'jwt',
				description:
					'Each call carries a signed token that the service gets from your identity provider. The service operator calls this method "oauth2".',
			},
			{
				name: 'None (Not Recommended)',
				value: 'none',
				description: 'Anybody who knows the address of the trigger can call it',
			},
			{
				name: 'Signature (HMAC-SHA256)',
				value: 'hmac',
				description: 'Each call is signed with a secret that only the service and you know',
			},
		],
		default: 'apiKey',
		description:
			'How the service proves itself when it calls the trigger. Agree on it with the service operator.',
	},
	{
		displayName:
			'Calls are not checked: anybody who knows the address of the trigger can start your workflow with invented data. Ask the service operator for another method.',
		name: 'noneNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
];

/** The form of the credential. */
export const webhookFields: INodeProperties[] = [
	...methodFields,
	...apiKeyFields,
	...signatureFields,
	...jwtFields,
];

/** The settings of a credential, or why they cannot be used. What is missing or odd refuses; it never loosens a check. */
export function readWebhookSettings(
	credentials: ICredentialDataDecryptedObject,
): ReadWebhookSettings {
	const odd = webhookFields.find(
		({ name, type }) =>
			type === 'string' && !['string', 'undefined'].includes(typeof credentials[name]),
	);
	if (odd !== undefined) return refuse(`'${odd.displayName}' is not a text`);
	const { authentication = 'apiKey' } = credentials;
	if (authentication === 'none') return { ok: true, settings: { method: 'none' } };
	if (authentication === 'apiKey') return readApiKey(credentials);
	if (authentication === 'hmac') return readHmac(credentials);
	if (authentication === 'jwt') return readJwt(credentials);
	return unknownChoice('Authentication');
}
