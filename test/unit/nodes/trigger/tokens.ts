/** Tokens, right and wrong, and the settings that they are checked with. */
import { createHmac, createSecretKey, sign as signBytes } from 'node:crypto';
import { SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';

import type { JwtSettings } from '../../../../credentials/webhook/jwt';
import { isProven } from '../../../../nodes/DocumentWorkflow/trigger/proof/isProven';
import { ecPair, type Pair, rsaPair } from '../../credentials/keyPairs';

export const NOW = Date.UTC(2026, 0, 15, 12);
export const SECONDS = NOW / 1000;
export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';
export const rsa = rsaPair();
export const ec = ecPair();

const shared = (text: string) => ({
	signing: createSecretKey(text, 'utf8'),
	checking: createSecretKey(text, 'utf8'),
});
const halves = ({ privateKey, publicKey }: Pair) => ({ signing: privateKey, checking: publicKey });

/** What signs and what checks, of ours and of somebody else. */
export const KEYS = {
	HS256: { ...shared(SECRET), other: shared(`${SECRET}!`) },
	RS256: { ...halves(rsa), other: halves(rsaPair()) },
	ES256: { ...halves(ec), other: halves(ecPair()) },
};
export type Algorithm = keyof typeof KEYS;
export const ALGORITHMS = Object.keys(KEYS) as Algorithm[];

export const settingsFor = (
	algorithm: Algorithm,
	more: Partial<JwtSettings> = {},
): JwtSettings => ({
	method: 'jwt',
	algorithm,
	keys: [KEYS[algorithm].checking],
	toleranceSeconds: 60,
	...more,
});

export const CLAIMS: JWTPayload = {
	iss: 'https://login.example.com/',
	aud: 'webhook',
	sub: 'service',
	iat: SECONDS - 10,
	exp: SECONDS + 3600,
};

/** A token as a library of others makes it. */
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

/** A token with a header and a payload of any form, signed well with the secret of HS256. */
export function signedText(header: unknown, payload: unknown): string {
	const signed = `${base64url(header)}.${base64url(payload)}`;
	return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

export const proves = (
	settings: JwtSettings,
	authorization: string | string[] | undefined,
	now = NOW,
) => isProven(settings, { headers: { authorization }, rawBody: Buffer.alloc(0), now });
export const accepts = (settings: JwtSettings, token: string, now = NOW) =>
	proves(settings, `Bearer ${token}`, now);

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
