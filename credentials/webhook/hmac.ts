import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject, IDisplayOptions } from 'n8n-workflow';

import type { AuthenticationMethod, Refusal, WebhookCall } from './method';
import { headerOf, isSame, refuse, someMatch, unknownChoice } from './method';
import { headerRefusal, keyFields, readKeyFields, text, textIn } from './fields';

/** Where a call carries its signature, and in which form. */
interface SignatureForm {
	header: string;
	encoding: 'hex' | 'base64';
	/** The text in front of the signature; may be empty. */
	prefix: string;
	/** If set, `<value of this header, in Unix seconds>.<raw body>` is signed instead of the raw body. */
	timestampHeader?: string;
}

/** Nothing is published about signatures. These are common forms (assumed). */
const PRESETS = new Map<unknown, SignatureForm>([
	['plain', { header: 'x-signature', encoding: 'hex', prefix: '' }],
	['hub', { header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' }],
	[
		'timestamp',
		{ header: 'x-signature', encoding: 'hex', prefix: '', timestampHeader: 'x-timestamp' },
	],
]);

/** How far the time of a call may be from ours, in either direction. */
const WINDOW_MILLISECONDS = 300_000;

/** 32 bytes as text. */
const DIGEST = { hex: /^[\da-f]{64}$/i, base64: /^[\w+/-]{43}=?$/ };

const forCustom: IDisplayOptions = { show: { preset: ['custom'] } };

export const hmac: AuthenticationMethod = {
	option: {
		name: 'Signature (HMAC-SHA256)',
		value: 'hmac',
		description: 'Each call is signed with a secret that only the service and you know',
	},

	fields: [
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
						'The time in x-timestamp, and the signature of time and body in hex, in x-signature. Calls more than 5 minutes old or ahead are rejected.',
				},
			],
			default: 'plain',
			description: 'Which header holds the signature, and in which form',
		},
		text('Signature Header', 'signatureHeader', {
			required: true,
			placeholder: 'e.g. x-signature',
			description: 'The header in which the service sends the signature. Not case-sensitive.',
			displayOptions: forCustom,
		}),
		{
			displayName: 'Encoding',
			name: 'encoding',
			type: 'options',
			options: [
				{ name: 'Base64', value: 'base64', description: 'Also Base64url, with or without padding' },
				{ name: 'Hex', value: 'hex', description: 'Not case-sensitive' },
			],
			default: 'hex',
			description: 'How the 32 bytes of the signature are written',
			displayOptions: forCustom,
		},
		text('Prefix', 'prefix', {
			placeholder: 'e.g. sha256=',
			description: 'The text in front of the signature in its header, if any',
			displayOptions: forCustom,
		}),
		text('Timestamp Header', 'timestampHeader', {
			placeholder: 'e.g. x-timestamp',
			description:
				'The header with the time of the call in Unix seconds, if the service signs it: time, dot and body. Calls more than 5 minutes old or ahead are rejected.',
			displayOptions: forCustom,
		}),
		...keyFields('Secret', 'signingSecret', {
			typeOptions: { password: true },
			description:
				'The secret with which the service signs. At least 16 characters, used as text and not decoded.',
		}),
	],

	read(entered) {
		const read = readKeyFields(entered, ['Secret', 'signingSecret']);
		if (!read.ok) return read;
		const form = readForm(entered);
		if ('ok' in form) return form;
		const { header, timestampHeader } = form;
		const time =
			timestampHeader === undefined ? '' : `, and its time in the header ${timestampHeader}`;
		return {
			ok: true,
			required: `a signature (HMAC-SHA256) in the header ${header}${time}`,
			isAuthentic: (call) => isSigned(form, read.keys, call),
		};
	},
};

function readForm(entered: ICredentialDataDecryptedObject): SignatureForm | Refusal {
	const { preset = 'plain', encoding = 'hex' } = entered;
	const form = PRESETS.get(preset);
	if (form !== undefined) return form;
	if (preset !== 'custom') return unknownChoice('Preset');
	if (encoding !== 'hex' && encoding !== 'base64') return unknownChoice('Encoding');
	const header = textIn(entered, 'signatureHeader').toLowerCase();
	const timestampHeader = textIn(entered, 'timestampHeader').toLowerCase();
	const refusal =
		headerRefusal(header, 'Signature Header') ??
		(timestampHeader === '' ? undefined : headerRefusal(timestampHeader, 'Timestamp Header'));
	if (refusal !== undefined) return refusal;
	if (header === timestampHeader)
		return refuse("'Signature Header' and 'Timestamp Header' are the same");
	const own = { header, encoding, prefix: textIn(entered, 'prefix') } as const;
	return timestampHeader === '' ? own : { ...own, timestampHeader };
}

/** Whether the body, or time and body, are signed with one of the secrets: HMAC-SHA256 of the raw bytes (assumed). */
function isSigned(form: SignatureForm, secrets: string[], call: WebhookCall): boolean {
	const given = signatureOf(form, call);
	const start = startOfSigned(form, call);
	if (given === undefined || start === undefined) return false;
	const encoding = form.encoding === 'hex' ? 'hex' : 'base64url';
	return someMatch(secrets, (secret) =>
		isSame(given, createHmac('sha256', secret).update(start).update(call.rawBody).digest(encoding)),
	);
}

/** The signature as Node writes it: small letters in hex, base64url without padding. Undefined when there is none. */
function signatureOf(
	{ header, prefix, encoding }: SignatureForm,
	call: WebhookCall,
): string | undefined {
	const value = headerOf(call, header);
	if (value?.startsWith(prefix) !== true) return undefined;
	const signature = value.slice(prefix.length).trimStart();
	if (!DIGEST[encoding].test(signature)) return undefined;
	return encoding === 'hex'
		? signature.toLowerCase()
		: signature.replace(/\+/g, '-').replace(/\//g, '_').replace('=', '');
}

/** The signed text in front of the body. Undefined when a time is required and is missing, unreadable or too far away. */
function startOfSigned({ timestampHeader }: SignatureForm, call: WebhookCall): string | undefined {
	if (timestampHeader === undefined) return '';
	const stamp = headerOf(call, timestampHeader) ?? '';
	const isNear =
		/^\d{1,12}$/.test(stamp) && Math.abs(call.now - Number(stamp) * 1000) <= WINDOW_MILLISECONDS;
	return isNear ? `${stamp}.` : undefined;
}
