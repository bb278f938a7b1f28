import type { KeyObject } from 'crypto';
import { createSecretKey } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IDisplayOptions,
	INodeProperties,
} from 'n8n-workflow';

import { textIn, textsIn } from './entries';
import { pair, text } from './form';
import type { KeyPairAlgorithm } from './publicKey';
import { isPem, readPublicKey } from './publicKey';
import type { Refused } from './refusals';
import { missing, refuse, unknownChoice } from './refusals';

export interface JwtSettings {
	method: 'jwt';
	algorithm: JwtAlgorithm;
	/** Secret keys for HS256, public keys that fit the algorithm for the others. */
	keys: KeyObject[];
	issuer?: string;
	audience?: string;
	toleranceSeconds: number;
}

export type JwtAlgorithm = 'HS256' | KeyPairAlgorithm;

/** For clocks that do not agree: how long after its end a token is accepted, in seconds (assumed). */
const DEFAULT_TOLERANCE_SECONDS = 60;

/** A larger tolerance would make the end of a token meaningless, in seconds (assumed). */
const LONGEST_TOLERANCE_SECONDS = 3600;

const forJwt: IDisplayOptions = { show: { authentication: ['jwt'] } };
const forSharedSecret: IDisplayOptions = {
	show: { authentication: ['jwt'], algorithm: ['HS256'] },
};
const forKeyPair: IDisplayOptions = {
	show: { authentication: ['jwt'], algorithm: ['RS256', 'ES256'] },
};

/** What is asked for where the service sends a bearer token. */
export const jwtFields: INodeProperties[] = [
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
			'How your identity provider signs. Tokens that are signed in another way are refused.',
		displayOptions: forJwt,
	},
	...pair('Secret', 'jwtSecret', 'secondJwtSecret', {
		typeOptions: { password: true },
		description: 'The secret with which your identity provider signs, used as the text that it is',
		displayOptions: forSharedSecret,
	}),
	...pair('Public Key', 'publicKey', 'secondPublicKey', {
		typeOptions: { rows: 5 },
		placeholder: 'e.g. -----BEGIN PUBLIC KEY----- …',
		description:
			'The public key of your identity provider, or its X.509 certificate, as PEM: with the lines BEGIN and END. Of a certificate only the key is used, not its dates.',
		displayOptions: forKeyPair,
	}),
	text('Issuer', 'issuer', {
		placeholder: 'e.g. https://login.example.com/',
		description: 'Who must have issued the token (iss), letter by letter. Not checked when empty.',
		displayOptions: forJwt,
	}),
	text('Audience', 'audience', {
		placeholder: 'e.g. document-workflow-webhook',
		description:
			'For whom the token must be (aud). When empty, tokens that are for somebody else are accepted too.',
		displayOptions: forJwt,
	}),
	{
		displayName: 'Clock Tolerance (Seconds)',
		name: 'clockTolerance',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: LONGEST_TOLERANCE_SECONDS },
		default: DEFAULT_TOLERANCE_SECONDS,
		description:
			'By how much the clocks of your identity provider and of n8n may differ. A token without an end is always refused.',
		displayOptions: forJwt,
	},
];

export function readJwt(
	credentials: ICredentialDataDecryptedObject,
): { ok: true; settings: JwtSettings } | Refused {
	const { algorithm = 'RS256', clockTolerance: tolerance = DEFAULT_TOLERANCE_SECONDS } =
		credentials;
	if (algorithm !== 'HS256' && algorithm !== 'RS256' && algorithm !== 'ES256')
		return unknownChoice('Algorithm');
	if (
		typeof tolerance !== 'number' ||
		!(tolerance >= 0 && tolerance <= LONGEST_TOLERANCE_SECONDS)
	) {
		return refuse(
			`'Clock Tolerance (Seconds)' is not a number from 0 to ${LONGEST_TOLERANCE_SECONDS}`,
		);
	}
	const read =
		algorithm === 'HS256' ? readSecrets(credentials) : readPublicKeys(credentials, algorithm);
	if (!read.ok) return read;
	const [issuer, audience] = [textIn(credentials, 'issuer'), textIn(credentials, 'audience')];
	const claims = { ...(issuer === '' ? {} : { issuer }), ...(audience === '' ? {} : { audience }) };
	return {
		ok: true,
		settings: { method: 'jwt', algorithm, keys: read.keys, ...claims, toleranceSeconds: tolerance },
	};
}

type ReadKeys = { ok: true; keys: KeyObject[] } | Refused;

function readSecrets(credentials: ICredentialDataDecryptedObject): ReadKeys {
	const secrets = textsIn(credentials, ['jwtSecret', 'secondJwtSecret']);
	if (secrets.length === 0) return missing('Secret');
	// A public key is known to others: whoever has it could sign with it.
	if (secrets.some(isPem))
		return refuse(
			"'Secret' or 'Second Secret' holds a key in PEM form, which is no secret",
			"Choose the 'Algorithm' RS256 or ES256 for it",
		);
	return { ok: true, keys: secrets.map((secret) => createSecretKey(secret, 'utf8')) };
}

function readPublicKeys(
	credentials: ICredentialDataDecryptedObject,
	algorithm: KeyPairAlgorithm,
): ReadKeys {
	const fields = [
		['publicKey', 'Public Key'],
		['secondPublicKey', 'Second Public Key'],
	] as const;
	const given = fields
		.map(([name, displayName]) => ({ displayName, pem: textIn(credentials, name) }))
		.filter(({ pem }) => pem !== '');
	if (given.length === 0) return missing('Public Key');
	const read = given.map(({ pem, displayName }) => readPublicKey(pem, displayName, algorithm));
	const refused = read.find((one) => !one.ok);
	return refused ?? { ok: true, keys: read.flatMap((one) => (one.ok ? [one.key] : [])) };
}
