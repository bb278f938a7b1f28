import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { AuthenticationMethod, Refusal, WebhookCall } from './method';
import {
	headerOf,
	headerRefusal,
	isSame,
	keyFields,
	readKeyFields,
	someMatch,
	text,
	textIn,
	unknownChoice,
} from './method';

/** Where a call has its signature, and in which form. Nothing is published about signatures: these are common forms (assumed). */
interface SignatureForm {
	header: string;
	encoding: 'hex' | 'base64';
	/** The text in front of the signature; may be empty. */
	prefix: string;
	/** The header with the time in Unix seconds; empty when only the body is signed. */
	timestampHeader: string;
}

const DEFAULT_HEADER = 'x-signature';

/** How far the time of a call may be from ours, in either direction. */
const WINDOW_MILLISECONDS = 300_000;

/** 32 bytes as text. */
const DIGEST = { hex: /^[\da-f]{64}$/i, base64: /^[\w+/-]{43}=?$/ };

export const hmac: AuthenticationMethod = {
	option: {
		name: 'Signature (HMAC-SHA256)',
		value: 'hmac',
		description: 'Each call is signed with a secret that only the service and you know',
	},

	fields: [
		text('Signature Header', 'signatureHeader', {
			default: DEFAULT_HEADER,
			placeholder: 'e.g. x-hub-signature-256',
			description: 'The header in which the service sends the signature. Not case-sensitive.',
		}),
		text('Prefix', 'prefix', {
			placeholder: 'e.g. sha256=',
			description: 'The text in front of the signature in its header, if any',
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
		},
		text('Timestamp Header', 'timestampHeader', {
			placeholder: 'e.g. x-timestamp',
			description:
				'If time, dot and body are signed: the header with the Unix time. It may differ by 5 minutes.',
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
		const time = timestampHeader === '' ? '' : `, and its time in the header ${timestampHeader}`;
		return {
			ok: true,
			required: `a signature (HMAC-SHA256) in the header ${header}${time}`,
			isAuthentic: (call) => isSigned(form, read.keys, call),
		};
	},
};

function readForm(entered: ICredentialDataDecryptedObject): SignatureForm | Refusal {
	const { encoding = 'hex' } = entered;
	if (encoding !== 'hex' && encoding !== 'base64') return unknownChoice('Encoding');
	const header = textIn(entered, 'signatureHeader', DEFAULT_HEADER).toLowerCase();
	const timestampHeader = textIn(entered, 'timestampHeader').toLowerCase();
	const refusal =
		headerRefusal(header, 'Signature Header') ??
		(timestampHeader === '' ? undefined : headerRefusal(timestampHeader, 'Timestamp Header'));
	return refusal ?? { header, encoding, prefix: textIn(entered, 'prefix'), timestampHeader };
}

/** Whether the body, or time and body, are signed with one of the secrets: HMAC-SHA256 of the raw bytes (assumed). */
function isSigned(form: SignatureForm, secrets: string[], call: WebhookCall): boolean {
	const given = signatureIn(form, headerOf(call, form.header));
	const start = startOfSigned(form, call);
	if (given === undefined || start === undefined) return false;
	const encoding = form.encoding === 'hex' ? 'hex' : 'base64url';
	return someMatch(secrets, (secret) => {
		const right = createHmac('sha256', secret).update(start).update(call.rawBody).digest(encoding);
		return isSame(given, right);
	});
}

/** The signature as Node writes it: small letters in hex, base64url without padding. */
function signatureIn({ prefix, encoding }: SignatureForm, value: string): string | undefined {
	const signature = value.startsWith(prefix) ? value.slice(prefix.length).trimStart() : '';
	if (!DIGEST[encoding].test(signature)) return undefined;
	return encoding === 'hex'
		? signature.toLowerCase()
		: signature.replace(/\+/g, '-').replace(/\//g, '_').replace('=', '');
}

/** The signed text in front of the body. Undefined when a time is required and is missing, unreadable or too far away. */
function startOfSigned({ timestampHeader }: SignatureForm, call: WebhookCall): string | undefined {
	if (timestampHeader === '') return '';
	const stamp = headerOf(call, timestampHeader);
	const isNear =
		/^\d{1,12}$/.test(stamp) && Math.abs(call.now - Number(stamp) * 1000) <= WINDOW_MILLISECONDS;
	return isNear ? `${stamp}.` : undefined;
}
