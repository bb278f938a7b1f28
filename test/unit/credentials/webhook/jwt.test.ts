import {
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	type KeyObject,
} from 'node:crypto';
import { generate } from 'selfsigned';

import { readKeys } from '../../../../credentials/webhook/jwtKeys';
import { callFields } from '../../../../credentials/webhook/methods';
import { growthOf, LINEAR } from '../../support/growth';
import { ecPair, rsaPair, accepts, CLAIMS, SECONDS, settingsFor, tokenOf } from './tokens';
import { refusal as refusalOf, SECRET, shown, usable, type Entered } from './support';

const rsa = rsaPair();
const otherRsa = rsaPair();
const ec = ecPair();

/** The keys that are read. */
function keys(entered: Entered, algorithm: 'HS256' | 'RS256' | 'ES256' = 'RS256'): KeyObject[] {
	usable({ triggerAuthentication: 'jwt', algorithm, ...entered });
	const read = readKeys(entered, algorithm);
	if (!read.ok) throw new Error(read.message);
	return read.keys;
}

function refusal(entered: Entered): string {
	const { message, advice } = refusalOf({ triggerAuthentication: 'jwt', ...entered });
	return `${message}. ${advice}`;
}

const spki = (key: KeyObject | undefined) => key?.export({ type: 'spki', format: 'pem' });

describe('the settings of a bearer token', () => {
	const publicKeys = ['Public Key', 'Second Public Key'];

	it.each<[Entered, string[]]>([
		[{}, publicKeys],
		[{ algorithm: 'ES256' }, publicKeys],
		[{ algorithm: 'HS256' }, ['Signing Secret', 'Second Signing Secret']],
	])('ask only for the fields that are needed with %j', (entered, fields) => {
		expect(shown({ triggerAuthentication: 'jwt', ...entered })).toEqual([
			'Trigger Authentication',
			'Algorithm',
			...fields,
			'Issuer',
			'Audience',
		]);
	});

	it('have several lines for a public key', () => {
		const rows = callFields
			.filter(({ displayName }) => publicKeys.includes(displayName))
			.map(({ typeOptions }) => typeOptions?.rows);
		expect(rows).toEqual([5, 5]);
	});

	it('default to RS256, with a tolerance of one minute, without issuer and audience', async () => {
		const { algorithm, ...entered } = settingsFor('RS256', { issuer: ' ', audience: '' });
		expect(algorithm).toBe('RS256');
		expect(accepts(entered, await tokenOf('RS256', { exp: SECONDS - 59 }))).toBe(true);
		expect(accepts(entered, await tokenOf('RS256', { exp: SECONDS - 60 }))).toBe(false);
	});

	it('are trimmed', async () => {
		const entered = settingsFor('ES256', {
			issuer: ' https://login.example.com/ ',
			audience: ' webhook ',
		});
		expect(accepts(entered, await tokenOf('ES256'))).toBe(true);
		expect(accepts(entered, await tokenOf('ES256', { ...CLAIMS, aud: ' webhook ' }))).toBe(false);
		expect(accepts(entered, await tokenOf('ES256', { ...CLAIMS, iss: 'other' }))).toBe(false);
	});

	it('have one or two secrets for HS256, used as UTF-8', () => {
		const two = {
			jwtSecret: ` ${SECRET} `,
			secondJwtSecret: 'ein-schlüssel-von-mindestens-32-zeichen',
			publicKey: rsa.pem,
		};
		expect(keys(two, 'HS256').map((key) => key.export().toString())).toEqual([
			SECRET,
			'ein-schlüssel-von-mindestens-32-zeichen',
		]);
		expect(keys({ secondJwtSecret: SECRET }, 'HS256')).toHaveLength(1);
	});

	it('have two public keys during key rotation, or only the second', () => {
		const second = { secondPublicKey: otherRsa.pem };
		expect(keys({ publicKey: rsa.pem, ...second }).map(spki)).toEqual([rsa.pem, otherRsa.pem]);
		expect(keys(second).map(spki)).toEqual([otherRsa.pem]);
	});

	it('show no secret when they are printed', () => {
		const read = usable({ triggerAuthentication: 'jwt', algorithm: 'HS256', jwtSecret: SECRET });
		expect(JSON.stringify(read)).not.toContain(SECRET);
	});

	it('describe what a call must carry', () => {
		expect(usable(settingsFor('HS256'))).toMatchObject({
			required:
				'a valid bearer token, signed with HS256, of the issuer and audience in the credential',
		});
	});

	it.each<[string, string, Entered]>([
		['HS256', 'empty', { jwtSecret: '', publicKey: rsa.pem, apiKey: SECRET }],
		['HS256', 'blank', { jwtSecret: ' \n' }],
		['RS256', 'missing', { jwtSecret: SECRET }],
		['ES256', 'blank', { publicKey: ' ', jwtSecret: SECRET }],
	])('are refused when a field that %s needs is %s', (algorithm, _, credentials) => {
		const field = algorithm === 'HS256' ? 'Signing Secret' : 'Public Key';
		expect(refusal({ algorithm, ...credentials })).toBe(
			`'${field}' is empty. Enter it in the Document Workflow API credential. Until then, all calls are rejected`,
		);
	});

	it.each(['none', 'HS512', 'rs256', 'PS256', ''])(
		'are refused with the algorithm %j',
		(algorithm) => {
			expect(refusal({ algorithm, jwtSecret: SECRET, publicKey: rsa.pem })).toContain(
				"The selected 'Algorithm' is not supported",
			);
		},
	);

	it('are refused when a secret for HS256 has fewer than 32 characters', () => {
		const short = 'x'.repeat(31);
		expect(refusal({ algorithm: 'HS256', jwtSecret: short })).toContain(
			"'Signing Secret' has fewer than 32 characters",
		);
		expect(refusal({ algorithm: 'HS256', jwtSecret: SECRET, secondJwtSecret: short })).toContain(
			"'Second Signing Secret' has fewer than 32 characters",
		);
		expect(keys({ jwtSecret: 'x'.repeat(32) }, 'HS256')).toHaveLength(1);
	});

	it('are refused when the secret of HS256 is a public key, because anybody could sign with it', () => {
		for (const name of ['jwtSecret', 'secondJwtSecret']) {
			expect(refusal({ algorithm: 'HS256', jwtSecret: SECRET, [name]: rsa.pem })).toBe(
				"'Signing Secret' or 'Second Signing Secret' contains a key in PEM format, not a secret. To use a PEM key, choose RS256 or ES256 under 'Algorithm'",
			);
		}
	});
});

describe('a public key', () => {
	it.each<[string, (pem: string) => string]>([
		['as it is', (pem) => pem],
		['with spaces in the place of line breaks', (pem) => pem.replaceAll('\n', ' ')],
		['with line breaks of Windows', (pem) => pem.replaceAll('\n', '\r\n')],
		['with line breaks written out, as in JSON', (pem) => pem.replaceAll('\n', '\\n')],
		['in one line without any break', (pem) => pem.replaceAll('\n', '')],
		['with white space around and within', (pem) => `\n\t ${pem.replaceAll('\n', '\n\n   ')} `],
		[
			'with remarks in front and behind',
			(pem) => `Bag Attributes\n    friendlyName: tokens\n${pem}-- the end`,
		],
	])('is read %s', (_, written) => {
		expect(keys({ publicKey: written(rsa.pem) }).map(spki)).toEqual([rsa.pem]);
		expect(keys({ publicKey: written(ec.pem) }, 'ES256').map(spki)).toEqual([ec.pem]);
	});

	it('is read in the older form for RSA', () => {
		const publicKey = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString();
		expect(publicKey).toContain('BEGIN RSA PUBLIC KEY');
		expect(keys({ publicKey }).map(spki)).toEqual([rsa.pem]);
	});

	it.each(['\n', ' '])(
		'is read from an X.509 certificate whose lines are separated by %j',
		async (between) => {
			const { cert, public: pem } = await generate(
				[{ name: 'commonName', value: 'login.example.com' }],
				{ keySize: 2048 },
			);
			const [key] = keys({ publicKey: cert.replace(/\r?\n/g, between) });
			expect(spki(key)).toBe(spki(createPublicKey(pem)));
		},
	);

	it.each<[string, string, string]>([
		[
			'a private key',
			rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
			'contains a private key. Enter the matching public key',
		],
		['a part of a private key', '-----BEGIN RSA PRIVATE KEY----- MIIE', 'contains a private key'],
		[
			'a secret',
			SECRET,
			'is not one key or certificate in PEM format. Enter the complete key, from the line -----BEGIN',
		],
		[
			'a key without its first line',
			rsa.pem.split('\n').slice(1).join('\n'),
			'is not one key or certificate',
		],
		[
			'a key without its last line',
			rsa.pem.replace(/-----END.*/, ''),
			'is not one key or certificate',
		],
		[
			'a key of OpenSSH',
			'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ user@host',
			'is not one key or certificate',
		],
		['two keys', rsa.pem + otherRsa.pem, 'is not one key or certificate'],
		['a key that is cut', rsa.pem.replace(/\n.{64}\n/, '\n'), 'is not one key or certificate'],
		[
			'an empty key',
			'-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----',
			'is not one key or certificate',
		],
		[
			'letters that are no base64',
			'-----BEGIN PUBLIC KEY-----\nschlüssel\n-----END PUBLIC KEY-----',
			'is not one key or certificate',
		],
		[
			'something else in PEM',
			'-----BEGIN GARBAGE-----\nAAAA\n-----END GARBAGE-----',
			'is not one key or certificate',
		],
		[
			'an elliptic curve key',
			ec.pem,
			'is not an RSA key, which RS256 requires. Enter a key that matches',
		],
		[
			'an RSA-PSS key',
			generateKeyPairSync('rsa-pss', { modulusLength: 2048 })
				.publicKey.export({ type: 'spki', format: 'pem' })
				.toString(),
			'is not an RSA key',
		],
		[
			'a short RSA key',
			rsaPair(1024).pem,
			'is an RSA key of 1024 bits, but RS256 requires 2048 or more',
		],
	])('is refused for RS256, as first or second key, when it is %s', (_, pem, words) => {
		expect(refusal({ publicKey: pem })).toContain(`'Public Key' ${words}`);
		expect(refusal({ publicKey: rsa.pem, secondPublicKey: pem })).toContain(
			`'Second Public Key' ${words}`,
		);
	});

	it.each([
		['an RSA key', rsa.pem],
		['a key on another curve', ecPair('P-384').pem],
		['a key on the curve of Bitcoin', ecPair('secp256k1').pem],
		['an Ed25519 key', spki(generateKeyPairSync('ed25519').publicKey) as string],
	])('is refused for ES256 when it is %s', (_, publicKey) => {
		expect(refusal({ algorithm: 'ES256', publicKey })).toContain(
			"'Public Key' is not an elliptic curve key on the curve P-256, which ES256 requires",
		);
	});

	it.each(['-----BEGIN A-----', '-----BEGIN ', '-----BEGIN A-----\nx', '-----END A-----', '-'])(
		'is refused in time in proportion to its length when it is made of many %j',
		async (piece) => {
			const make = (size: number) => piece.repeat(size / piece.length);
			expect(refusal({ publicKey: make(100_000) })).toContain("'Public Key'");
			const refuse = (publicKey: string) => refusal({ publicKey });
			expect(await growthOf(make, refuse)).toBeLessThan(LINEAR);
		},
	);

	it('is never shown in a message, nor is a private key entered in its place', () => {
		const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
		expect(createPrivateKey(pem).type).toBe('private');
		expect(refusal({ publicKey: pem })).not.toContain(pem.split('\n')[1]);
		expect(refusal({ publicKey: ec.pem })).not.toContain(ec.pem.split('\n')[1]);
	});
});
