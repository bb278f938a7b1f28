import type {
	ICredentialDataDecryptedObject,
	IDisplayOptions,
	INodeProperties,
} from 'n8n-workflow';

import { headerRefusal, textIn, textsIn } from './entries';
import { pair, text } from './form';
import type { Refused } from './refusals';
import { missing, refuse, unknownChoice } from './refusals';

export interface HmacSettings extends SignatureForm {
	method: 'hmac';
	secrets: string[];
}

/** Where a signature stands and how it is written; names of headers in small letters. */
interface SignatureForm {
	header: string;
	encoding: 'hex' | 'base64';
	/** What stands in front of the signature; may be empty. */
	prefix: string;
	/** Where it is set, `<its value, in Unix seconds>.<raw body>` is signed in place of the raw body. */
	timestampHeader?: string;
}

/** Nothing is published about signatures: these are common forms of them (assumed). */
const PRESETS = new Map<unknown, SignatureForm>([
	['plain', { header: 'x-signature', encoding: 'hex', prefix: '' }],
	['hub', { header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' }],
	[
		'timestamp',
		{ header: 'x-signature', encoding: 'hex', prefix: '', timestampHeader: 'x-timestamp' },
	],
]);

const forSignature: IDisplayOptions = { show: { authentication: ['hmac'] } };
const forOwnSignature: IDisplayOptions = { show: { authentication: ['hmac'], preset: ['custom'] } };

/** What is asked for where the service signs its calls. */
export const signatureFields: INodeProperties[] = [
	{
		displayName: 'Preset',
		name: 'preset',
		type: 'options',
		options: [
			{
				name: 'Custom',
				value: 'custom',
				description: 'Header, encoding, prefix and timestamp as you enter them',
			},
			{
				name: 'X-Hub-Signature-256',
				value: 'hub',
				description:
					'The text sha256= and the signature of the body in hex, in x-hub-signature-256',
			},
			{
				name: 'X-Signature',
				value: 'plain',
				description: 'The signature of the body in hex, in x-signature',
			},
			{
				name: 'X-Signature and X-Timestamp',
				value: 'timestamp',
				description:
					'The time in x-timestamp, and the signature of time and body in hex, in x-signature. Calls more than 5 minutes old or ahead are refused.',
			},
		],
		default: 'plain',
		description: 'Where the signature stands and how it is written',
		displayOptions: forSignature,
	},
	text('Signature Header', 'signatureHeader', {
		required: true,
		placeholder: 'e.g. x-signature',
		description:
			'The header in which the service sends the signature. Capital and small letters are the same.',
		displayOptions: forOwnSignature,
	}),
	{
		displayName: 'Encoding',
		name: 'encoding',
		type: 'options',
		options: [
			{ name: 'Base64', value: 'base64', description: 'Also Base64url, with or without padding' },
			{ name: 'Hex', value: 'hex', description: 'In capital or small letters' },
		],
		default: 'hex',
		description: 'How the 32 bytes of the signature are written',
		displayOptions: forOwnSignature,
	},
	text('Prefix', 'prefix', {
		placeholder: 'e.g. sha256=',
		description: 'What stands in front of the signature in its header, if anything',
		displayOptions: forOwnSignature,
	}),
	text('Timestamp Header', 'timestampHeader', {
		placeholder: 'e.g. x-timestamp',
		description:
			'The header with the time of the call in Unix seconds, if the service signs it: time, dot and body. Calls more than 5 minutes old or ahead are refused.',
		displayOptions: forOwnSignature,
	}),
	...pair('Secret', 'signingSecret', 'secondSigningSecret', {
		typeOptions: { password: true },
		description: 'The secret with which the service signs, used as the text that it is',
		displayOptions: forSignature,
	}),
];

export function readHmac(
	credentials: ICredentialDataDecryptedObject,
): { ok: true; settings: HmacSettings } | Refused {
	const { preset = 'plain', encoding = 'hex' } = credentials;
	const secrets = textsIn(credentials, ['signingSecret', 'secondSigningSecret']);
	if (secrets.length === 0) return missing('Secret');
	const form = PRESETS.get(preset);
	if (form !== undefined) return { ok: true, settings: { method: 'hmac', ...form, secrets } };
	if (preset !== 'custom') return unknownChoice('Preset');
	if (encoding !== 'hex' && encoding !== 'base64') return unknownChoice('Encoding');
	const header = textIn(credentials, 'signatureHeader').toLowerCase();
	const timestampHeader = textIn(credentials, 'timestampHeader').toLowerCase();
	const refused =
		headerRefusal(header, 'Signature Header') ??
		(timestampHeader === '' ? undefined : headerRefusal(timestampHeader, 'Timestamp Header'));
	if (refused !== undefined) return refused;
	if (header === timestampHeader)
		return refuse("'Signature Header' and 'Timestamp Header' are the same");
	const own: SignatureForm = {
		header,
		encoding,
		prefix: textIn(credentials, 'prefix'),
		...(timestampHeader === '' ? {} : { timestampHeader }),
	};
	return { ok: true, settings: { method: 'hmac', ...own, secrets } };
}
