import { accepts, CLAIMS, NOW, SECONDS, settingsFor, signedText } from './tokens';

describe('a signed token', () => {
	const settings = settingsFor('HS256', {
		issuer: 'https://login.example.com/',
		audience: 'webhook',
	});
	const accepted = (changed: Record<string, unknown>, now = NOW, given = settings) =>
		accepts(given, signedText({ alg: 'HS256' }, { ...CLAIMS, ...changed }), now);

	it('is accepted with the right issuer and audience while it is valid', () =>
		expect(accepted({})).toBe(true));

	it('is accepted until its expiry time plus the tolerance, to the second', () => {
		expect(accepted({ exp: SECONDS - 59 })).toBe(true);
		expect(accepted({ exp: SECONDS - 60 })).toBe(false);
		expect(accepted({ exp: SECONDS - 60 }, NOW - 1)).toBe(true);
	});

	it.each([undefined, null, '', String(SECONDS + 3600), true, [SECONDS + 3600], {}])(
		'is rejected when its expiry time is %j',
		(exp) => expect(accepted({ exp })).toBe(false),
	);

	it('is rejected when it has no expiry time', () => {
		expect(accepts(settingsFor('HS256'), signedText({ alg: 'HS256' }, '{"exp": 1e999}'))).toBe(
			false,
		);
		expect(
			accepts(settingsFor('HS256'), signedText({ alg: 'HS256' }, `{"exp": ${SECONDS + 1}}`)),
		).toBe(true);
	});

	it.each(['nbf', 'iat'])(
		'is rejected before it is valid (%s), with the same tolerance',
		(claim) => {
			expect(accepted({ [claim]: SECONDS + 60 })).toBe(true);
			expect(accepted({ [claim]: SECONDS + 61 })).toBe(false);
			expect(accepted({ [claim]: undefined })).toBe(true);
		},
	);

	it.each(['nbf', 'iat'])('is rejected when %s is no number', (claim) => {
		for (const odd of [null, String(SECONDS - 10), true, [], {}])
			expect(accepted({ [claim]: odd })).toBe(false);
	});

	it.each([
		undefined,
		null,
		'',
		'https://login.example.com',
		'https://LOGIN.example.com/',
		['https://login.example.com/'],
		7,
	])('is rejected when its issuer is %j', (iss) => {
		expect(accepted({ iss })).toBe(false);
	});

	it('is accepted when our audience is one of several', () => {
		expect(accepted({ aud: ['webhook'] })).toBe(true);
		expect(accepted({ aud: ['other', 'webhook'] })).toBe(true);
	});

	const OTHERS = [
		undefined,
		null,
		'',
		'other',
		'webhooks',
		'WEBHOOK',
		[],
		['other'],
		[['webhook']],
		[null],
		{ 0: 'webhook' },
		7,
	];

	it.each(OTHERS)('is rejected when its audience is %j', (aud) => {
		expect(accepted({ aud })).toBe(false);
	});

	it('needs no issuer and audience when none was entered', () => {
		expect(accepted({ iss: undefined, aud: 'other' }, NOW, settingsFor('HS256'))).toBe(true);
	});

	it.each([[[]], ['null'], ['7'], ['"text"'], ['{'], ['']])(
		'is rejected when it is no JSON object (%j), even if the signature is right',
		(payload) => {
			expect(accepts(settingsFor('HS256'), signedText({ alg: 'HS256' }, payload))).toBe(false);
		},
	);

	it.each([[['HS256']], ['"HS256"'], ['null'], ['{"alg":"HS256"'], ['']])(
		'is rejected when its header is %j',
		(header) => {
			expect(accepts(settingsFor('HS256'), signedText(header, CLAIMS))).toBe(false);
		},
	);

	it('is rejected while our clock has no valid time', () =>
		expect(accepted({ nbf: undefined, iat: undefined }, Number.NaN)).toBe(false));

	it('is accepted whatever its length', () => {
		const long = signedText({ alg: 'HS256' }, { ...CLAIMS, groups: 'g'.repeat(12_000) });
		expect(accepts(settings, long)).toBe(true);
	});
});
