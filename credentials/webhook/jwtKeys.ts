import { createPublicKey, createSecretKey, type KeyObject } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { tryTo } from '../../service/tryTo';
import { type InvalidSetting, refuse } from '../settings';
import { type KeyField, readKeyFields, whyTooShort } from './method';

export const ALGORITHMS = ['HS256', 'ES256', 'RS256'] as const;

export type Algorithm = (typeof ALGORITHMS)[number];

type PublicKeyAlgorithm = Exclude<Algorithm, 'HS256'>;

type ReadKey = { ok: true; key: KeyObject } | InvalidSetting;

export const SECRET: KeyField = ['Signing Secret', 'jwtSecret'];
export const PUBLIC_KEY: KeyField = ['Public Key', 'publicKey'];

/** HS256 needs 32 bytes or more (RFC 7518, section 3.2); no character has less than one. */
const SHORTEST_SECRET = 32;

/** Shorter RSA keys must not be used for RS256 (RFC 7518, section 3.3), in bits. */
const SHORTEST_RSA_BITS = 2048;

/** The content of a block holds no dash, so that the search takes linear time. */
const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g;

/** The keys with which tokens of an algorithm are checked, or why they cannot be used. */
export function readKeys(entered: ICredentialDataDecryptedObject, algorithm: Algorithm) {
	return algorithm === 'HS256'
		? readKeyFields(entered, SECRET, readSecret)
		: readKeyFields(entered, PUBLIC_KEY, (pem, field) => readPublicKey(pem, field, algorithm));
}

function readSecret(secret: string, field: string): ReadKey {
	// Anybody may have a public key, and could then sign with it.
	if (secret.includes('-----BEGIN '))
		return refuse(
			"'Signing Secret' or 'Second Signing Secret' contains a key in PEM format, not a secret",
			"To use a PEM key, choose RS256 or ES256 under 'Algorithm'",
		);
	const key = createSecretKey(secret, 'utf8');
	return whyTooShort(secret, field, SHORTEST_SECRET) ?? { ok: true, key };
}

/** The public key of a PEM text, which may be a certificate and may have lost its line breaks. */
function readPublicKey(pem: string, field: string, algorithm: PublicKeyAlgorithm): ReadKey {
	const [block, ...more] = pem.replace(/\\[nr]/g, '\n').matchAll(PEM_BLOCK);
	if (pem.includes('PRIVATE KEY'))
		return refuse(
			`'${field}' contains a private key`,
			'Enter the matching public key. Only the identity provider may have the private key: if others have seen it, ask for a new key pair',
		);
	const key = block && more.length === 0 ? parse(block) : undefined;
	if (key === undefined)
		return refuse(
			`'${field}' is not one key or certificate in PEM format`,
			'Enter the complete key, from the line -----BEGIN … to the line -----END …, with all dashes',
		);
	const unfit = whyUnfit(key, algorithm);
	if (unfit === undefined) return { ok: true, key };
	return refuse(
		`'${field}' ${unfit}`,
		"Enter a key that matches the selected 'Algorithm', or select the algorithm that matches the key",
	);
}

/** Rebuilds the line breaks, because a form field may have replaced them by spaces. */
function parse([, label = '', content = '']: RegExpExecArray): KeyObject | undefined {
	const base64 = content.replace(/\s/g, '');
	const pem = `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
	return tryTo(() => createPublicKey(pem));
}

/** Why a key does not fit the algorithm, if so (RFC 7518, sections 3.3 and 3.4). */
function whyUnfit(
	{ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject,
	algorithm: PublicKeyAlgorithm,
): string | undefined {
	if (algorithm === 'ES256')
		return asymmetricKeyDetails.namedCurve === 'prime256v1'
			? undefined
			: 'is not an elliptic curve key on the curve P-256, which ES256 requires';
	if (asymmetricKeyType !== 'rsa') return 'is not an RSA key, which RS256 requires';
	const bits = asymmetricKeyDetails.modulusLength ?? 0;
	return bits >= SHORTEST_RSA_BITS
		? undefined
		: `is an RSA key of ${bits} bits, but RS256 requires ${SHORTEST_RSA_BITS} or more`;
}
