/** Valid and invalid tokens, and the settings that check them. */
import {
	createHmac,
	createSecretKey,
	sign as signBytes,
	generateKeyPairSync,
	type KeyObject,
} from 'node:crypto';
import { SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';

import { readAuthentication } from '../../../../credentials/webhook/methods';
import type { Entered } from './support';

export const NOW = Date.UTC(2026, 0, 15, 12);
export const SECONDS = NOW / 1000;
export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';
export const rsa = rsaPair();
export const ec = ecPair();

const shared = (text: string) => ({
	signing: createSecretKey(text, 'utf8'),
	checking: text,
});
const halves = ({ privateKey, pem }: Pair) => ({ signing: privateKey, checking: pem });

/** Signing and checking keys: ours and those of somebody else. */
export const KEYS = {
	HS256: { ...shared(SECRET), other: shared(`${SECRET}!`) },
	RS256: { ...halves(rsa), other: halves(rsaPair()) },
	ES256: { ...halves(ec), other: halves(ecPair()) },
};
export type Algorithm = keyof typeof KEYS;
export const ALGORITHMS = Object.keys(KEYS) as Algorithm[];

/** The settings for an algorithm, with one or two keys. */
export function settingsFor(
	algorithm: Algorithm,
	more: Entered = {},
	[first = '', second = '']: string[] = [KEYS[algorithm].checking],
): Entered {
	return {
		triggerAuthentication: 'jwt',
		algorithm,
		...(algorithm === 'HS256'
			? { jwtSecret: first, secondJwtSecret: second }
			: { publicKey: first, secondPublicKey: second }),
		...more,
	};
}

export const CLAIMS: JWTPayload = {
	iss: 'https://login.example.com/',
	aud: 'webhook',
	sub: 'service',
	iat: SECONDS - 10,
	exp: SECONDS + 3600,
};

/** A token made by a library. */
export const tokenOf = (
	algorithm: Algorithm,
	claims: object = CLAIMS,
	header: Partial<JWTHeaderParameters> = {},
	key = KEYS[algorithm].signing,
) =>
	new SignJWT(claims as JWTPayload)
		.setProtectedHeader({ alg: algorithm, typ: 'JWT', ...header })
		.sign(key);

export const base64url = (value: unknown) =>
	Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token with any header and payload, correctly signed with the secret of HS256. */
export function signedText(header: unknown, payload: unknown): string {
	const signed = `${base64url(header)}.${base64url(payload)}`;
	return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** Whether a call with this header is accepted; false when the settings are refused. */
export function acceptsHeader(
	settings: Entered,
	authorization: string | string[] | undefined,
	now = NOW,
): boolean {
	const read = readAuthentication(settings);
	return read.ok && read.isAuthentic({ headers: { authorization }, now });
}
export const accepts = (settings: Entered, token: string, now = NOW) =>
	acceptsHeader(settings, `Bearer ${token}`, now);

/** The signature of any text. */
export function signatureOf(algorithm: Algorithm, signed: string): string {
	if (algorithm === 'HS256') return createHmac('sha256', SECRET).update(signed).digest('base64url');
	const key = KEYS[algorithm].signing;
	return signBytes(
		'sha256',
		Buffer.from(signed),
		algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key,
	).toString('base64url');
}

interface Pair {
	privateKey: KeyObject;
	publicKey: KeyObject;
	pem: string;
}

export function rsaPair(modulusLength = 2048): Pair {
	return withPem(generateKeyPairSync('rsa', { modulusLength }));
}

export function ecPair(namedCurve = 'P-256'): Pair {
	return withPem(generateKeyPairSync('ec', { namedCurve }));
}

function withPem(pair: { privateKey: KeyObject; publicKey: KeyObject }): Pair {
	return { ...pair, pem: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}
