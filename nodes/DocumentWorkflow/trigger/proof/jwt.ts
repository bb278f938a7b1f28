import type { KeyObject } from 'crypto';
import { createHmac, verify } from 'crypto';

import type { JwtAlgorithm, JwtSettings } from '../../../../credentials/webhook/jwt';
import type { JsonRecord } from '../../../../service/contract';
import { isRecord } from '../../../../service/contract';
import type { WebhookCall } from './call';
import { headerOf } from './call';
import { areClaimsMet } from './claims';
import { isSame, passesOne } from './constantTime';

/** RFC 6750, section 2.1, with a token in the compact form of RFC 7515, section 3.1. */
const BEARER = /^Bearer +([\w-]+)\.([\w-]+)\.([\w-]+)$/i;

/**
 * Whether the call carries a bearer token that is signed in the chosen way with one of the keys, and is for us, now. What the token says
 * about itself is read only after its signature was found to be right, except for its header, which has to be just what is expected.
 */
export function isTokenProven(settings: JwtSettings, call: WebhookCall): boolean {
	const [, header = '', payload = '', signature = ''] =
		BEARER.exec(headerOf(call, 'authorization') ?? '') ?? [];
	if (!isExpected(recordIn(header), settings.algorithm)) return false;
	const bytes = bytesIn(signature);
	if (bytes === undefined) return false;
	const signed = Buffer.from(`${header}.${payload}`);
	const claims = passesOne(settings.keys, (key) => isSigned(settings.algorithm, key, signed, bytes))
		? recordIn(payload)
		: undefined;
	return claims !== undefined && areClaimsMet(settings, claims, call.now / 1000);
}

/** The token does not get to choose the algorithm, and what it declares to be critical is not known here (RFC 7515, section 4.1.11). */
function isExpected(header: JsonRecord | undefined, algorithm: JwtAlgorithm): boolean {
	return header?.alg === algorithm && !Object.hasOwn(header, 'crit');
}

function isSigned(
	algorithm: JwtAlgorithm,
	key: KeyObject,
	signed: Buffer,
	signature: Buffer,
): boolean {
	if (algorithm === 'HS256')
		return isSame(createHmac('sha256', key).update(signed).digest(), signature);
	// RFC 7518, section 3.4: both numbers side by side, not the DER form that Node takes otherwise.
	return verify(
		'sha256',
		signed,
		algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key,
		signature,
	);
}

/** The JSON object in a part of a token; undefined when there is none. */
function recordIn(part: string): JsonRecord | undefined {
	try {
		const value: unknown = JSON.parse(bytesIn(part)?.toString() ?? '');
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The bytes of base64url; undefined when it is not written in the one way in which these bytes are written. */
function bytesIn(part: string): Buffer | undefined {
	const bytes = Buffer.from(part, 'base64url');
	return bytes.toString('base64url') === part ? bytes : undefined;
}
