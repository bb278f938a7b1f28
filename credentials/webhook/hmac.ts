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
	/** The header with the time in Unix seconds; empty when only the body is signed. The signature's own header has `t=…,<prefix>…`. */
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
				'If time, dot and body are signed: the header with the time in Unix seconds. Enter the Signature Header again if it has the time too, as t=…. Calls more than 5 minutes old or ahead are rejected.',
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
	const value = headerOf(call, form.header) ?? '';
	const parts = form.timestampHeader === form.header ? value.split(',') : [value];
	const given = parts.flatMap((part) => signatureIn(form, part.trimStart()));
	const start = startOfSigned(form, parts, call);
	if (given.length === 0 || start === undefined) return false;
	const encoding = form.encoding === 'hex' ? 'hex' : 'base64url';
	return someMatch(secrets, (secret) => {
		const right = createHmac('sha256', secret).update(start).update(call.rawBody).digest(encoding);
		return someMatch(given, (signature) => isSame(signature, right));
	});
}

/** The signature as Node writes it: small letters in hex, base64url without padding. */
function signatureIn({ prefix, encoding }: SignatureForm, part: string): string[] {
	const signature = part.startsWith(prefix) ? part.slice(prefix.length).trimStart() : '';
	if (!DIGEST[encoding].test(signature)) return [];
	return encoding === 'hex'
		? [signature.toLowerCase()]
		: [signature.replace(/\+/g, '-').replace(/\//g, '_').replace('=', '')];
}

/** The signed text in front of the body. Undefined when a time is required and is missing, unreadable or too far away. */
function startOfSigned(
	{ header, timestampHeader }: SignatureForm,
	parts: string[],
	call: WebhookCall,
): string | undefined {
	if (timestampHeader === '') return '';
	const stamps = parts.flatMap((part) => /^ *t=(.*)$/s.exec(part)?.[1] ?? []);
	const stamp =
		timestampHeader === header ? stamps.join() : (headerOf(call, timestampHeader) ?? '');
	const isNear =
		/^\d{1,12}$/.test(stamp) && Math.abs(call.now - Number(stamp) * 1000) <= WINDOW_MILLISECONDS;
	return isNear ? `${stamp}.` : undefined;
}
