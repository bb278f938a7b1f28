import type { KeyObject } from 'crypto';
import { createHmac, verify } from 'crypto';

import type { Json, JsonRecord } from '../../service/contract';
import { isRecord } from '../../service/contract';
import { isSame, someMatch } from './method';
import type { Algorithm } from './jwtKeys';

/** The requirements for a token. */
export interface TokenRule {
	algorithm: Algorithm;
	/** Secret keys for HS256, public keys that fit the algorithm for the others. */
	keys: KeyObject[];
	/** Not checked when empty, as the audience. */
	issuer: string;
	audience: string;
	toleranceSeconds: number;
}

/** RFC 6750, section 2.1, with a token in the compact form of RFC 7515, section 3.1. */
const BEARER = /^Bearer +([\w-]+)\.([\w-]+)\.([\w-]+)$/i;

/**
 * Whether the header authorization carries a bearer token that is signed with one of the keys, and is valid for us, now (Unix
 * milliseconds). Nothing in the token is trusted before its signature is checked: its header must be exactly what is expected.
 */
export function isTokenValid(rule: TokenRule, authorization: string, now: number): boolean {
	const [, header = '', payload = '', signature = ''] = BEARER.exec(authorization) ?? [];
	if (!isExpected(recordIn(header), rule.algorithm)) return false;
	const bytes = bytesIn(signature);
	if (bytes === undefined) return false;
	const signed = Buffer.from(`${header}.${payload}`);
	if (!someMatch(rule.keys, (key) => isSigned(rule.algorithm, key, signed, bytes))) return false;
	const claims = recordIn(payload);
	return claims !== undefined && areClaimsValid(rule, claims, now / 1000);
}

/** The token must not choose the algorithm, or declare critical extensions (RFC 7515, section 4.1.11). */
function isExpected(header: JsonRecord | undefined, algorithm: Algorithm): boolean {
	return header?.alg === algorithm && !Object.hasOwn(header, 'crit');
}

function isSigned(
	algorithm: Algorithm,
	key: KeyObject,
	signed: Buffer,
	signature: Buffer,
): boolean {
	if (algorithm === 'HS256')
		return isSame(createHmac('sha256', key).update(signed).digest(), signature);
	// ES256 has its two numbers side by side (RFC 7518, section 3.4), not in DER, which is Node's default.
	return verify(
		'sha256',
		signed,
		algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key,
		signature,
	);
}

/** Whether a token is valid now, and from the issuer and for the audience of the rule; `now` in Unix seconds (RFC 7519, section 4.1). */
function areClaimsValid(
	{ issuer, audience, toleranceSeconds }: TokenRule,
	{ iss, aud, exp, nbf, iat }: JsonRecord,
	now: number,
): boolean {
	if (typeof exp !== 'number' || !Number.isFinite(exp) || !(now < exp + toleranceSeconds))
		return false;
	if (!isPast(nbf, now + toleranceSeconds) || !isPast(iat, now + toleranceSeconds)) return false;
	if (issuer !== '' && iss !== issuer) return false;
	return audience === '' || (Array.isArray(aud) ? aud.includes(audience) : aud === audience);
}

/** Whether a time that may be absent is not in the future. */
function isPast(time: Json | undefined, now: number): boolean {
	return time === undefined || (typeof time === 'number' && time <= now);
}

/** The JSON object in a part of a token; undefined when it is none. */
function recordIn(part: string): JsonRecord | undefined {
	try {
		const value: unknown = JSON.parse(bytesIn(part)?.toString() ?? '');
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Decodes base64url. Undefined unless encoding the bytes gives the same text, so that a token has only one accepted spelling. */
function bytesIn(part: string): Buffer | undefined {
	const bytes = Buffer.from(part, 'base64url');
	return bytes.toString('base64url') === part ? bytes : undefined;
}
