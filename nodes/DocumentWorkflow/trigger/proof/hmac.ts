import { createHmac } from 'crypto';

import type { HmacSettings } from '../../../../credentials/webhook/hmac';
import type { WebhookCall } from './call';
import { headerOf } from './call';
import { isSame, passesOne } from './constantTime';

/** How far the time of a call may be from ours, in either direction. */
const WINDOW_MILLISECONDS = 300_000;

/** The forms of 32 bytes in text. */
const FORMS = { hex: /^[\da-f]{64}$/i, base64: /^[\w+/-]{43}=?$/ };

/** Whether the body, or time and body, are signed with one of the secrets: HMAC-SHA256 of the raw bytes (assumed). */
export function isSignatureProven(settings: HmacSettings, call: WebhookCall): boolean {
	const given = givenSignature(settings, call);
	const start = startOfSigned(settings, call);
	if (given === undefined || start === undefined) return false;
	const encoding = settings.encoding === 'hex' ? 'hex' : 'base64url';
	return passesOne(settings.secrets, (secret) =>
		isSame(given, createHmac('sha256', secret).update(start).update(call.rawBody).digest(encoding)),
	);
}

/** The signature in the one way in which Node writes it: small letters in hex, base64url without padding. Undefined when it is none. */
function givenSignature(
	{ header, prefix, encoding }: HmacSettings,
	call: WebhookCall,
): string | undefined {
	const value = headerOf(call, header);
	if (value?.startsWith(prefix) !== true) return undefined;
	const signature = value.slice(prefix.length).trimStart();
	if (!FORMS[encoding].test(signature)) return undefined;
	return encoding === 'hex'
		? signature.toLowerCase()
		: signature.replace(/\+/g, '-').replace(/\//g, '_').replace('=', '');
}

/** What is signed in front of the body. Undefined when a time is asked for and it is missing, unreadable or too far away. */
function startOfSigned({ timestampHeader }: HmacSettings, call: WebhookCall): string | undefined {
	if (timestampHeader === undefined) return '';
	const stamp = headerOf(call, timestampHeader) ?? '';
	const isNear =
		/^\d{1,12}$/.test(stamp) && Math.abs(call.now - Number(stamp) * 1000) <= WINDOW_MILLISECONDS;
	return isNear ? `${stamp}.` : undefined;
}
