import { createHmac, type KeyObject, verify } from 'crypto';

import type { Json, JsonRecord } from '../../service/contract';
import { parseRecord } from '../../service/json';
import { text, textIn, unknownChoice } from '../settings';
import { type AuthenticationMethod, headerOf, isSame, keyFields, someMatch } from './method';
import { type Algorithm, ALGORITHMS, PUBLIC_KEY, readKeys, SECRET } from './jwtKeys';

export const jwt: AuthenticationMethod = {
	option: {
		name: 'Bearer Token',
		value: 'jwt',
		description:
			'Each call carries a signed token (JWT) that the service gets from your identity provider. The service operator calls this method "oauth2".',
	},

	fields: [
		{
			displayName: 'Algorithm',
			name: 'algorithm',
			type: 'options',
			options: [
				{
					name: 'ES256',
					value: 'ES256',
					description: 'Signed with an elliptic curve key, checked with its public key',
				},
				{ name: 'HS256', value: 'HS256', description: 'Signed and checked with the same secret' },
				{
					name: 'RS256',
					value: 'RS256',
					description: 'Signed with an RSA key, checked with its public key',
				},
			],
			default: 'RS256',
			description:
				'How your identity provider signs. Tokens that are signed in another way, or have no expiry time, are rejected.',
		},
		...keyFields(SECRET, {
			typeOptions: { password: true },
			description:
				'The secret with which your identity provider signs. At least 32 characters, used as text and not decoded.',
			displayOptions: { show: { algorithm: ['HS256'] } },
		}),
		...keyFields(PUBLIC_KEY, {
			typeOptions: { rows: 5 },
			placeholder: 'e.g. -----BEGIN PUBLIC KEY----- …',
			description:
				'The public key of your identity provider, or its X.509 certificate, as PEM, with the lines BEGIN and END. The dates of a certificate are not checked.',
			displayOptions: { show: { algorithm: ['RS256', 'ES256'] } },
		}),
		text('Issuer', 'issuer', {
			placeholder: 'e.g. https://login.example.com/',
			description:
				'The required issuer of the token (iss). Case-sensitive. Not checked when empty.',
		}),
		text('Audience', 'audience', {
			placeholder: 'e.g. document-workflow-webhook',
			description:
				'The required audience of the token (aud). When empty, tokens for other applications are accepted too.',
		}),
	],

	read(entered) {
		const { algorithm: chosen = 'RS256' } = entered;
		const algorithm = ALGORITHMS.find((each) => each === chosen);
		if (algorithm === undefined) return unknownChoice('Algorithm');
		const read = readKeys(entered, algorithm);
		if (!read.ok) return read;
		const rule: TokenRule = {
			algorithm,
			keys: read.keys,
			issuer: textIn(entered, 'issuer'),
			audience: textIn(entered, 'audience'),
		};
		return {
			ok: true,
			required: `a valid bearer token, signed with ${algorithm}, of the issuer and audience in the credential`,
			isAuthentic: (call) => isTokenValid(rule, headerOf(call, 'authorization'), call.now),
		};
	},
};

interface TokenRule {
	algorithm: Algorithm;
	/** Secret keys for HS256, public keys that fit the algorithm for the others. */
	keys: KeyObject[];
	/** Not checked when empty, as the audience. */
	issuer: string;
	audience: string;
}

/** How much our clock may differ from that of the identity provider, in seconds (assumed). */
const TOLERANCE = 60;

/** RFC 6750, section 2.1, with a token in the compact form of RFC 7515, section 3.1. */
const BEARER = /^Bearer +([\w-]+)\.([\w-]+)\.([\w-]+)$/i;

/**
 * Whether the header authorization has a bearer token that is signed with one of the keys, and is valid for us, now
 * (milliseconds since 1970). Nothing in the token is trusted before its signature is checked.
 */
export function isTokenValid(rule: TokenRule, authorization: string, now: number): boolean {
	const [, header = '', payload = '', signature = ''] = BEARER.exec(authorization) ?? [];
	const { alg, crit } = recordIn(header);
	// The token must not choose the algorithm, or declare critical extensions (RFC 7515, section 4.1.11).
	if (alg !== rule.algorithm || crit !== undefined) return false;
	const bytes = bytesIn(signature);
	if (bytes === undefined) return false;
	const signed = Buffer.from(`${header}.${payload}`);
	if (!someMatch(rule.keys, (key) => isSigned(rule.algorithm, key, signed, bytes))) return false;
	return areClaimsValid(rule, recordIn(payload), now / 1000);
}

function isSigned(algorithm: Algorithm, key: KeyObject, signed: Buffer, signature: Buffer) {
	if (algorithm === 'HS256')
		return isSame(createHmac('sha256', key).update(signed).digest(), signature);
	// ES256 has its two numbers side by side (RFC 7518, section 3.4), not in DER, which is Node's default.
	const publicKey = algorithm === 'ES256' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key;
	return verify('sha256', signed, publicKey, signature);
}

/** Whether a token is valid now, by its time, issuer and audience. `now`: in Unix seconds (RFC 7519, section 4.1). */
function areClaimsValid(
	{ issuer, audience }: TokenRule,
	{ iss, aud, exp, nbf, iat }: JsonRecord,
	now: number,
): boolean {
	const isPast = (time: Json = 0) => typeof time === 'number' && time <= now + TOLERANCE;
	if (typeof exp !== 'number' || now >= exp + TOLERANCE) return false;
	if (![nbf, iat].every(isPast)) return false;
	if (issuer !== '' && iss !== issuer) return false;
	return audience === '' || [aud].flat().includes(audience);
}

/** The JSON object in a part of a token; empty when it is none. */
function recordIn(part: string): JsonRecord {
	return parseRecord(bytesIn(part)?.toString() ?? '');
}

/** Decodes base64url. Undefined unless encoding gives the same text, so that a token has one spelling. */
function bytesIn(part: string): Buffer | undefined {
	const bytes = Buffer.from(part, 'base64url');
	return bytes.toString('base64url') === part ? bytes : undefined;
}
