import { createHmac } from 'node:crypto';

import { signatureHeaders } from '../../../../simulator/webhooks/headers';
import type { Entered, Headers } from './support';
import { refusal, SECRET, shown, usable } from './support';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECONDS = NOW / 1000;
const BODY = Buffer.from(
	'{"workflow_execution_id": "e-1", "status": "completed", "name": "Müller"}',
);

const call = (headers: Headers, rawBody = BODY, now = NOW) => ({ headers, rawBody, now });

describe('the settings of a signature', () => {
	const secret = { authentication: 'hmac', signingSecret: SECRET };
	const required = (entered: Entered) => usable({ ...secret, ...entered }).required;

	it('ask for header, form, time and secret', () => {
		expect(shown({ authentication: 'hmac' })).toEqual([
			...['Authentication', 'Signature Header', 'Prefix', 'Encoding', 'Timestamp Header'],
			...['Secret', 'Second Secret'],
		]);
	});

	it('name the headers in which a call must have signature and time', () => {
		const plain = 'a signature (HMAC-SHA256) in the header x-signature';
		expect(required({})).toBe(plain);
		expect(required({ timestampHeader: 'Sent-At' })).toBe(
			`${plain}, and its time in the header sent-at`,
		);
		expect(required({ signatureHeader: 'Digest' })).toBe(
			'a signature (HMAC-SHA256) in the header digest',
		);
	});

	it.each<[string, Entered]>([
		['is empty', { signingSecret: '' }],
		['is white space', { signingSecret: ' \n' }],
		['was never entered', {}],
		['is that of another method', { apiKey: SECRET, jwtSecret: SECRET }],
	])('are refused when the secret %s', (_, entered) => {
		expect(refusal({ authentication: 'hmac', ...entered }).message).toBe("'Secret' is empty");
	});

	it('are refused when a secret has fewer than 16 characters', () => {
		const short = 'x'.repeat(15);
		for (const [field, entered] of [
			['Secret', { signingSecret: short }],
			['Second Secret', { secondSigningSecret: short }],
		] as const)
			expect(refusal({ ...secret, ...entered }).message).toMatch(
				`'${field}' has fewer than 16 characters`,
			);
		expect(required({ signingSecret: 'x'.repeat(16) })).toContain('a signature');
	});

	it.each<[string, Entered]>([
		["'Signature Header' is empty", { signatureHeader: ' ' }],
		["'Signature Header' is not a valid header name", { signatureHeader: 'x signature' }],
		["'Timestamp Header' is not a valid header name", { timestampHeader: 'x-time:' }],
		[
			"The selected 'Encoding' is not supported by this version of the package",
			{ encoding: 'binary' },
		],
	])('are refused when %s', (message, entered) => {
		expect(refusal({ ...secret, ...entered }).message).toBe(message);
	});

	it('may have only the second secret, and secrets in any script', () => {
		const { isAuthentic } = usable({
			authentication: 'hmac',
			secondSigningSecret: ' ein-langer-schlüssel ',
		});
		const signature = (key: string) => createHmac('sha256', key).update(BODY).digest('hex');
		const signed = (key: string) => call({ 'x-signature': signature(key) });
		expect(isAuthentic(signed('ein-langer-schlüssel'))).toBe(true);
		expect(isAuthentic(signed(''))).toBe(false);
	});
});

describe('a signature', () => {
	const FORMS: Array<
		[
			string,
			Record<string, string>,
			{ header: string; encoding: 'hex' | 'base64'; prefix?: string; timestampHeader?: string },
		]
	> = [
		['of the body, in hex', {}, { header: 'x-signature', encoding: 'hex' }],
		[
			'of the body, with a prefix',
			{ signatureHeader: 'X-Hub-Signature-256', prefix: 'sha256=' },
			{ header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' },
		],
		[
			'of the body, in Base64',
			{ signatureHeader: 'Digest', encoding: 'base64' },
			{ header: 'digest', encoding: 'base64' },
		],
		[
			'of time and body, with the time in a header of its own',
			{
				signatureHeader: ' Signature ',
				encoding: 'base64',
				prefix: ' v1= ',
				timestampHeader: ' Sent-At ',
			},
			{ header: 'signature', encoding: 'base64', prefix: 'v1=', timestampHeader: 'sent-at' },
		],
	];

	describe.each(FORMS)('%s', (_, entered, form) => {
		const isTimed = form.timestampHeader !== undefined;
		const { isAuthentic } = usable({
			authentication: 'hmac',
			signingSecret: ' made-up-secret-1 ',
			secondSigningSecret: 'made-up-secret-2',
			...entered,
		});
		const sign = (secret: string, body = BODY.toString(), now = NOW) =>
			signatureHeaders({ type: 'hmac', ...form, secret }, body, now);

		it('is accepted as the simulator sends it, with either secret', () => {
			expect(isAuthentic(call(sign('made-up-secret-1')))).toBe(true);
			expect(isAuthentic(call(sign('made-up-secret-2')))).toBe(true);
		});

		it('is accepted for an empty body and for a binary one', () => {
			expect(isAuthentic(call(sign('made-up-secret-1', ''), Buffer.alloc(0)))).toBe(true);
			const bytes = Buffer.from([0, 255, 254, 10, 13, 128]);
			const digest = createHmac('sha256', 'made-up-secret-1')
				.update(isTimed ? `${SECONDS}.` : '')
				.update(bytes)
				.digest(form.encoding);
			const headers = sign('made-up-secret-1');
			const old = createHmac('sha256', 'made-up-secret-1')
				.update(isTimed ? `${SECONDS}.` : '')
				.update(BODY)
				.digest(form.encoding);
			const value = String(headers[form.header]).replace(old, digest);
			expect(isAuthentic(call({ ...headers, [form.header]: value }, bytes))).toBe(true);
		});

		it('is rejected when one byte of the body is changed, missing or added', () => {
			const headers = sign('made-up-secret-1');
			for (let place = 0; place < BODY.length; place++) {
				const changed = Buffer.from(BODY);
				changed[place] = (changed[place] ?? 0) ^ 1;
				expect(isAuthentic(call(headers, changed))).toBe(false);
			}
			expect(isAuthentic(call(headers, BODY.subarray(0, -1)))).toBe(false);
			expect(isAuthentic(call(headers, Buffer.concat([BODY, Buffer.from('\n')])))).toBe(false);
		});

		it('is rejected with another secret, without a secret, and when a header is missing', () => {
			expect(isAuthentic(call(sign('made-up-secret-3')))).toBe(false);
			expect(isAuthentic(call(sign('')))).toBe(false);
			for (const missing of Object.keys(sign('made-up-secret-1'))) {
				expect(isAuthentic(call({ ...sign('made-up-secret-1'), [missing]: undefined }))).toBe(
					false,
				);
				expect(isAuthentic(call({ ...sign('made-up-secret-1'), [missing]: '' }))).toBe(false);
			}
		});

		it('is rejected when a header is sent twice', () => {
			for (const [name, value] of Object.entries(sign('made-up-secret-1'))) {
				for (const doubled of [`${value}, ${value}`, [value, value], [value]]) {
					expect(isAuthentic(call({ ...sign('made-up-secret-1'), [name]: doubled }))).toBe(false);
				}
			}
		});

		it('is rejected in every other spelling', () => {
			const value = String(sign('made-up-secret-1')[form.header]);
			const other = [
				value.slice(0, -2),
				`${value}0`,
				`${value}\n`,
				`x${value}`,
				'é'.repeat(value.length),
				'0'.repeat(64),
				'A'.repeat(43),
				'a'.repeat(1_000_000),
			];
			for (const written of other)
				expect(isAuthentic(call({ ...sign('made-up-secret-1'), [form.header]: written }))).toBe(
					false,
				);
		});

		it('is rejected when n8n has not read the body', () => {
			expect(
				isAuthentic({
					...call(sign('made-up-secret-1', '')),
					rawBody: undefined as unknown as Buffer,
				}),
			).toBe(false);
		});
	});

	const plain = usable({ authentication: 'hmac', signingSecret: 'made-up-secret-0' });
	const base64 = usable({
		authentication: 'hmac',
		encoding: 'base64',
		signingSecret: 'made-up-secret-0',
	});
	const digest = createHmac('sha256', 'made-up-secret-0').update(BODY).digest();

	it('may be in capital letters in hex', () => {
		expect(plain.isAuthentic(call({ 'x-signature': digest.toString('hex').toUpperCase() }))).toBe(
			true,
		);
		expect(plain.isAuthentic(call({ 'x-signature': digest.toString('base64') }))).toBe(false);
	});

	it('may be Base64 or Base64url, with or without padding, but in no other alphabet', () => {
		// Of this body the signature has both letters that differ between the alphabets.
		const body = [...Array(100).keys()]
			.map((n) => Buffer.from(`body ${n}`))
			.find((one) => {
				const text = createHmac('sha256', 'made-up-secret-0').update(one).digest('base64');
				return text.includes('+') && text.includes('/');
			});
		const bytes = createHmac('sha256', 'made-up-secret-0')
			.update(body ?? '')
			.digest();
		const standard = bytes.toString('base64');
		const url = bytes.toString('base64url');
		for (const written of [standard, standard.slice(0, -1), url, `${url}=`])
			expect(base64.isAuthentic(call({ 'x-signature': written }, body))).toBe(true);
		for (const written of [
			standard.toLowerCase(),
			`${standard}=`,
			bytes.toString('hex'),
			`=${url}`,
		]) {
			expect(base64.isAuthentic(call({ 'x-signature': written }, body))).toBe(false);
		}
	});

	it('may follow its prefix and a space, and is rejected without its prefix', () => {
		const { isAuthentic } = usable({
			authentication: 'hmac',
			prefix: ' HMAC-SHA256 ',
			signingSecret: 'made-up-secret-0',
		});
		const hex = digest.toString('hex');
		expect(isAuthentic(call({ 'x-signature': `HMAC-SHA256 ${hex}` }))).toBe(true);
		expect(isAuthentic(call({ 'x-signature': `HMAC-SHA256${hex}` }))).toBe(true);
		for (const written of [hex, `hmac-sha256 ${hex}`, `HMAC-SHA1 ${hex}`])
			expect(isAuthentic(call({ 'x-signature': written }))).toBe(false);
	});
});

describe('the time of a signature', () => {
	const { isAuthentic } = usable({
		authentication: 'hmac',
		timestampHeader: 'x-timestamp',
		signingSecret: 'made-up-secret-0',
	});
	const signed = (stamp: string, written = stamp) => ({
		'x-signature': createHmac('sha256', 'made-up-secret-0')
			.update(`${stamp}.`)
			.update(BODY)
			.digest('hex'),
		'x-timestamp': written,
	});

	it.each([0, 1, 299, 300])('is accepted when it is %i seconds ago or ahead', (seconds) => {
		expect(isAuthentic(call(signed(String(SECONDS - seconds))))).toBe(true);
		expect(isAuthentic(call(signed(String(SECONDS + seconds))))).toBe(true);
	});

	it.each([301, 3600, SECONDS])(
		'is rejected when it is %i seconds ago or ahead, even if the signature is right',
		(seconds) => {
			expect(isAuthentic(call(signed(String(SECONDS - seconds))))).toBe(false);
			expect(isAuthentic(call(signed(String(SECONDS + seconds))))).toBe(false);
		},
	);

	it('is part of what is signed', () => {
		expect(isAuthentic(call(signed(String(SECONDS - 10), String(SECONDS))))).toBe(false);
		expect(
			isAuthentic(
				call({
					...signed(String(SECONDS)),
					'x-signature': createHmac('sha256', 'made-up-secret-0').update(BODY).digest('hex'),
				}),
			),
		).toBe(false);
	});

	const OTHERS = [
		'',
		'now',
		'NaN',
		'-1',
		`+${SECONDS}`,
		` ${SECONDS}`,
		`${SECONDS}.0`,
		`${SECONDS}e0`,
		`0x${SECONDS.toString(16)}`,
	];

	it.each([...OTHERS, String(NOW), new Date(NOW).toISOString(), '1'.repeat(400), '١٧٦٨'])(
		'is rejected when it is %j, even if the signature is right',
		(stamp) => {
			expect(isAuthentic(call(signed(stamp)))).toBe(false);
		},
	);

	it('is rejected while our clock has no valid time', () => {
		expect(isAuthentic(call(signed(String(SECONDS)), BODY, Number.NaN))).toBe(false);
	});
});
