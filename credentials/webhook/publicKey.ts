import type { KeyObject } from 'crypto';
import { createPublicKey } from 'crypto';

import type { Refused } from './refusals';
import { refuse } from './refusals';

/** The algorithms that are checked with a public key. */
export type KeyPairAlgorithm = 'ES256' | 'RS256';

/** Shorter RSA keys must not be used for RS256 (RFC 7518, section 3.3), in bits. */
const SHORTEST_RSA_BITS = 2048;

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----/gs;

/** Whether a text is a key or certificate in PEM form, and so no shared secret. */
export function isPem(text: string): boolean {
	return text.includes('-----BEGIN ');
}

/** The public key of a PEM text, which may be a certificate and may have lost its line breaks, or why it cannot be used. */
export function readPublicKey(
	text: string,
	field: string,
	algorithm: KeyPairAlgorithm,
): { ok: true; key: KeyObject } | Refused {
	const blocks = [...text.replace(/\\[nr]/g, '\n').matchAll(BLOCK)].map(
		([, label = '', content = '']) => ({ label, content }),
	);
	if (text.includes('PRIVATE KEY')) {
		return refuse(
			`'${field}' holds a private key`,
			'Enter the public key that belongs to it. A private key stays with the one who signs: ask for a new pair if it was handed around',
		);
	}
	const [block, ...others] = blocks;
	if (block === undefined) {
		return refuse(
			`'${field}' is not a key in PEM form`,
			'Enter it from its line -----BEGIN … to its line -----END …, both with all their dashes',
		);
	}
	if (others.length > 0)
		return refuse(
			`'${field}' holds more than one key or certificate`,
			'Enter only the one with which tokens are signed, usually the first',
		);
	const key = parse(block.label, block.content);
	if (key === undefined)
		return refuse(
			`'${field}' cannot be read`,
			'Copy the public key or certificate again, complete and as PEM',
		);
	const unfit = unfitness(key, algorithm);
	if (unfit === undefined) return { ok: true, key };
	return refuse(
		`'${field}' ${unfit}`,
		"Enter the key that belongs to the chosen 'Algorithm', or choose the algorithm that belongs to the key",
	);
}

/** A form field may have put spaces in the place of line breaks. */
function parse(label: string, content: string): KeyObject | undefined {
	const base64 = content.replace(/\s/g, '');
	try {
		return createPublicKey(`-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`);
	} catch {
		return undefined;
	}
}

/** What speaks against a key, if anything. RFC 7518, sections 3.3 and 3.4. */
function unfitness(
	{ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject,
	algorithm: KeyPairAlgorithm,
): string | undefined {
	if (algorithm === 'ES256') {
		return asymmetricKeyDetails.namedCurve === 'prime256v1'
			? undefined
			: 'is not an elliptic curve key on the curve P-256, which ES256 needs';
	}
	if (asymmetricKeyType !== 'rsa') return 'is not an RSA key, which RS256 needs';
	const bits = asymmetricKeyDetails.modulusLength ?? 0;
	return bits >= SHORTEST_RSA_BITS
		? undefined
		: `is an RSA key of ${bits} bits, and RS256 needs ${SHORTEST_RSA_BITS} or more`;
}
