/** Key pairs for the tests, with their public keys in common forms. */
import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync } from 'node:crypto';

export interface Pair {
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
