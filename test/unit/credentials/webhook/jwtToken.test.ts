import { createHmac, sign as signBytes } from 'node:crypto';

import { readKeys } from '../../../../credentials/webhook/jwtKeys';
import { isTokenValid } from '../../../../credentials/webhook/jwt';
import { usable } from './support';
import {
	accepts,
	acceptsHeader,
	ALGORITHMS,
	base64url,
	CLAIMS,
	ec,
	KEYS,
	NOW,
	rsa,
	settingsFor,
	signatureOf,
	tokenOf,
} from './tokens';

/** Another last letter of a signature, which differs only in bits that belong to no byte. */
const sameBits = (letter = '') => String.fromCharCode(letter.charCodeAt(0) + 1);

describe.each(ALGORITHMS)('a token signed with %s', (algorithm) => {
	const settings = settingsFor(algorithm);
	const read = readKeys(settings, algorithm);
	const keys = read.ok ? read.keys : [];
	const rule = { keys, issuer: '', audience: '' };

	it('is accepted in any case of its scheme', async () => {
		const token = await tokenOf(algorithm);
		expect(accepts(settings, token)).toBe(true);
		expect(
			usable(settings).isAuthentic({
				headers: { authorization: `bearer  ${token}` },
				now: NOW,
			}),
		).toBe(true);
	});

	it('is accepted each time it is signed, whatever bytes its signature has', async () => {
		for (let round = 0; round < 50; round++)
			expect(accepts(settings, await tokenOf(algorithm, { ...CLAIMS, jti: String(round) }))).toBe(
				true,
			);
	});

	it('is accepted with either of two keys during key rotation', async () => {
		const { other, ...own } = KEYS[algorithm];
		const both = settingsFor(algorithm, {}, [own.checking, other.checking]);
		for (const { signing } of [own, other])
			expect(accepts(both, await tokenOf(algorithm, CLAIMS, {}, signing))).toBe(true);
		for (const after of [[other.checking], ['', other.checking]])
			expect(
				accepts(
					settingsFor(algorithm, {}, after),
					await tokenOf(algorithm, CLAIMS, {}, own.signing),
				),
			).toBe(false);
	});

	it('is rejected when another key signed it, or no key was entered', async () => {
		const stranger = await tokenOf(algorithm, CLAIMS, {}, KEYS[algorithm].other.signing);
		expect(accepts(settings, stranger)).toBe(false);
		expect(accepts(settingsFor(algorithm, {}, ['']), await tokenOf(algorithm))).toBe(false);
	});

	it('is rejected when any letter of it is changed', async () => {
		const token = await tokenOf(algorithm);
		for (let place = 0; place < token.length; place++) {
			const letter = token[place] === 'A' ? 'B' : 'A';
			expect(accepts(settings, token.slice(0, place) + letter + token.slice(place + 1))).toBe(
				false,
			);
		}
	});

	it('is rejected when it is truncated, extended or encoded differently', async () => {
		const token = await tokenOf(algorithm);
		const [header = '', payload = '', signature = ''] = token.split('.');
		const others = [
			`${header}.${payload}`,
			`${header}.${payload}.`,
			`${header}..${signature}`,
			`.${payload}.${signature}`,
			`${token}.`,
			`${token}.${signature}`,
			`${token}=`,
			`${token}A`,
			`${token} `,
			token.slice(0, -4),
			token.slice(0, -1) + sameBits(token.at(-1)),
			`${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}!`,
			`${header}.${payload}.${'A'.repeat(signature.length)}`,
		];
		for (const other of others) expect(accepts(settings, other)).toBe(false);
	});

	it('is rejected when the header authorization contains anything else', async () => {
		const token = await tokenOf(algorithm);
		const right = `Bearer ${token}`;
		const others = [
			undefined,
			'',
			'Bearer',
			'Bearer ',
			token,
			`Basic ${token}`,
			`Token ${token}`,
			`Bearer\t${token}`,
			`${right}, ${right}`,
			[right],
			[right, right],
		];
		for (const other of others) expect(acceptsHeader(settings, other)).toBe(false);
		const elsewhere = {
			headers: { 'x-authorization': `Bearer ${token}`, cookie: `Bearer ${token}` },
			now: NOW,
		};
		expect(usable(settings).isAuthentic(elsewhere)).toBe(false);
	});

	it('is rejected when it declares a critical extension', async () => {
		const [, payload = ''] = (await tokenOf(algorithm)).split('.');
		for (const crit of [['b64'], ['exp'], [], null]) {
			const signed = `${base64url({ alg: algorithm, crit, b64: true })}.${payload}`;
			expect(accepts(settings, `${signed}.${signatureOf(algorithm, signed)}`)).toBe(false);
		}
		const without = `${base64url({ alg: algorithm })}.${payload}`;
		expect(accepts(settings, `${without}.${signatureOf(algorithm, without)}`)).toBe(true);
	});

	it('is rejected when the chosen algorithm or the one in its header is another', async () => {
		const token = await tokenOf(algorithm);
		for (const chosen of ALGORITHMS.filter((one) => one !== algorithm)) {
			expect(accepts(settingsFor(chosen), token)).toBe(false);
			expect(isTokenValid({ ...rule, algorithm: chosen }, `Bearer ${token}`, NOW)).toBe(false);
		}
		expect(isTokenValid({ ...rule, algorithm }, `Bearer ${token}`, NOW)).toBe(true);
		expect(isTokenValid({ ...rule, algorithm, keys: [] }, `Bearer ${token}`, NOW)).toBe(false);
		const [, payload = ''] = token.split('.');
		const others = ALGORITHMS.filter((one) => one !== algorithm);
		for (const alg of [
			'none',
			'None',
			'NONE',
			'',
			algorithm.toLowerCase(),
			`${algorithm} `,
			[algorithm],
			null,
			undefined,
			...others,
		]) {
			const signed = `${base64url({ alg })}.${payload}`;
			expect(accepts(settings, `${signed}.${signatureOf(algorithm, signed)}`)).toBe(false);
			expect(accepts(settings, `${signed}.`)).toBe(false);
		}
	});
});

describe('a forged signature', () => {
	it.each(['RS256', 'ES256'] as const)(
		'is rejected when it is HS256 with the text of the public key as secret (%s)',
		(algorithm) => {
			const { pem } = algorithm === 'RS256' ? rsa : ec;
			for (const text of [pem, pem.trim(), pem.replaceAll('\n', ''), pem.replaceAll('\n', ' ')]) {
				for (const alg of ['HS256', algorithm]) {
					const signed = `${base64url({ alg })}.${base64url(CLAIMS)}`;
					expect(
						accepts(
							settingsFor(algorithm),
							`${signed}.${createHmac('sha256', text).update(signed).digest('base64url')}`,
						),
					).toBe(false);
				}
			}
		},
	);

	it('is rejected when it is ES256 in DER form, all zeros, or of another length', () => {
		const signed = `${base64url({ alg: 'ES256' })}.${base64url(CLAIMS)}`;
		const der = signBytes('sha256', Buffer.from(signed), ec.privateKey);
		for (const bytes of [
			der,
			Buffer.alloc(64),
			Buffer.alloc(64, 255),
			Buffer.alloc(63, 1),
			Buffer.alloc(65, 1),
			Buffer.alloc(1),
		]) {
			expect(accepts(settingsFor('ES256'), `${signed}.${bytes.toString('base64url')}`)).toBe(false);
		}
	});
});
