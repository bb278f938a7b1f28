import { createHmac } from 'node:crypto';

import type { HmacSettings } from '../../../../credentials/webhook/hmac';
import { readWebhookSettings, type WebhookSettings } from '../../../../credentials/webhookSettings';
import { isProven } from '../../../../nodes/DocumentWorkflow/trigger/proof/isProven';
import { signatureHeaders } from '../../../../simulator/webhooks/headers';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECONDS = NOW / 1000;
const BODY = Buffer.from(
	'{"workflow_execution_id": "e-1", "status": "completed", "name": "Müller"}',
);

type Headers = Parameters<typeof isProven>[1]['headers'];

const call = (headers: Headers, rawBody = BODY, now = NOW) => ({ headers, rawBody, now });

function settingsOf(credentials: Parameters<typeof readWebhookSettings>[0]): WebhookSettings {
	const read = readWebhookSettings(credentials);
	if (!read.ok) throw new Error(read.message);
	return read.settings;
}

describe('a signature', () => {
	const FORMS: Array<
		[
			string,
			Record<string, string>,
			{ header: string; encoding: 'hex' | 'base64'; prefix?: string; timestampHeader?: string },
		]
	> = [
		['X-Signature', { preset: 'plain' }, { header: 'x-signature', encoding: 'hex' }],
		[
			'X-Hub-Signature-256',
			{ preset: 'hub' },
			{ header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' },
		],
		[
			'X-Signature and X-Timestamp',
			{ preset: 'timestamp' },
			{ header: 'x-signature', encoding: 'hex', timestampHeader: 'x-timestamp' },
		],
		[
			'Custom',
			{
				preset: 'custom',
				signatureHeader: 'Signature',
				encoding: 'base64',
				prefix: 'v1=',
				timestampHeader: 'Sent-At',
			},
			{ header: 'Signature', encoding: 'base64', prefix: 'v1=', timestampHeader: 'Sent-At' },
		],
		[
			'Custom, without prefix and time',
			{ preset: 'custom', signatureHeader: 'Digest', encoding: 'base64' },
			{ header: 'Digest', encoding: 'base64' },
		],
	];

	describe.each(FORMS)('of the preset %s', (_, entered, form) => {
		const settings = settingsOf({
			authentication: 'hmac',
			signingSecret: 'secret-1',
			secondSigningSecret: 'secret-2',
			...entered,
		});
		const sign = (secret: string, body = BODY.toString(), now = NOW) =>
			signatureHeaders({ type: 'hmac', ...form, secret }, body, now);

		it('is accepted as the simulator writes it, with either of two secrets', () => {
			expect(isProven(settings, call(sign('secret-1')))).toBe(true);
			expect(isProven(settings, call(sign('secret-2')))).toBe(true);
		});

		it('is accepted for an empty body and for one of any bytes', () => {
			expect(isProven(settings, call(sign('secret-1', ''), Buffer.alloc(0)))).toBe(true);
			const bytes = Buffer.from([0, 255, 254, 10, 13, 128]);
			const time =
				form.timestampHeader === undefined ? {} : { [form.timestampHeader]: String(SECONDS) };
			const digest = createHmac('sha256', 'secret-1')
				.update(form.timestampHeader === undefined ? '' : `${SECONDS}.`)
				.update(bytes)
				.digest(form.encoding);
			expect(
				isProven(
					settings,
					call({ [form.header]: `${form.prefix ?? ''}${digest}`, ...time }, bytes),
				),
			).toBe(true);
		});

		it('is refused when any one byte of the body is another, or one is missing or added', () => {
			const headers = sign('secret-1');
			for (let place = 0; place < BODY.length; place++) {
				const changed = Buffer.from(BODY);
				changed[place] = (changed[place] ?? 0) ^ 1;
				expect(isProven(settings, call(headers, changed))).toBe(false);
			}
			expect(isProven(settings, call(headers, BODY.subarray(0, -1)))).toBe(false);
			expect(isProven(settings, call(headers, Buffer.concat([BODY, Buffer.from('\n')])))).toBe(
				false,
			);
		});

		it('is refused with another secret, with none, and without a header that it needs', () => {
			expect(isProven(settings, call(sign('secret-3')))).toBe(false);
			expect(isProven(settings, call(sign('')))).toBe(false);
			for (const missing of Object.keys(sign('secret-1'))) {
				expect(isProven(settings, call({ ...sign('secret-1'), [missing]: undefined }))).toBe(false);
				expect(isProven(settings, call({ ...sign('secret-1'), [missing]: '' }))).toBe(false);
			}
		});

		it('is refused when a header came twice', () => {
			for (const [name, value] of Object.entries(sign('secret-1'))) {
				for (const doubled of [`${value}, ${value}`, [value, value], [value]]) {
					expect(isProven(settings, call({ ...sign('secret-1'), [name]: doubled }))).toBe(false);
				}
				expect(
					isProven(
						settings,
						call({ ...sign('secret-1'), [name]: value, [name.toUpperCase()]: value }),
					),
				).toBe(false);
			}
		});

		it('is refused in any other writing', () => {
			const value = String(sign('secret-1')[form.header]);
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
				expect(isProven(settings, call({ ...sign('secret-1'), [form.header]: written }))).toBe(
					false,
				);
		});

		it('proves nothing where no secret was entered', () => {
			expect(isProven({ ...(settings as HmacSettings), secrets: [] }, call(sign('')))).toBe(false);
		});

		it('is refused where the body was not read', () => {
			expect(
				isProven(settings, {
					...call(sign('secret-1', '')),
					rawBody: undefined as unknown as Buffer,
				}),
			).toBe(false);
		});
	});

	const plain: HmacSettings = {
		method: 'hmac',
		header: 'x-signature',
		encoding: 'hex',
		prefix: '',
		secrets: ['secret'],
	};
	const base64: HmacSettings = { ...plain, encoding: 'base64' };
	const digest = createHmac('sha256', 'secret').update(BODY).digest();

	it('in hex may be in capital letters', () => {
		expect(isProven(plain, call({ 'x-signature': digest.toString('hex').toUpperCase() }))).toBe(
			true,
		);
		expect(isProven(plain, call({ 'x-signature': digest.toString('base64') }))).toBe(false);
	});

	it('in Base64 may be Base64url, with or without padding, and never in other letters', () => {
		// Of this body the signature has both letters that differ between the alphabets.
		const body = [...Array(100).keys()]
			.map((n) => Buffer.from(`body ${n}`))
			.find((one) => {
				const text = createHmac('sha256', 'secret').update(one).digest('base64');
				return text.includes('+') && text.includes('/');
			});
		const bytes = createHmac('sha256', 'secret')
			.update(body ?? '')
			.digest();
		const standard = bytes.toString('base64');
		const url = bytes.toString('base64url');
		for (const written of [standard, standard.slice(0, -1), url, `${url}=`])
			expect(isProven(base64, call({ 'x-signature': written }, body))).toBe(true);
		for (const written of [
			standard.toLowerCase(),
			`${standard}=`,
			bytes.toString('hex'),
			`=${url}`,
		]) {
			expect(isProven(base64, call({ 'x-signature': written }, body))).toBe(false);
		}
	});

	it('may stand behind a prefix and a space, and not without its prefix', () => {
		const settings: HmacSettings = { ...plain, prefix: 'HMAC-SHA256' };
		const hex = digest.toString('hex');
		expect(isProven(settings, call({ 'x-signature': `HMAC-SHA256 ${hex}` }))).toBe(true);
		expect(isProven(settings, call({ 'x-signature': `HMAC-SHA256${hex}` }))).toBe(true);
		for (const written of [hex, `hmac-sha256 ${hex}`, `HMAC-SHA1 ${hex}`])
			expect(isProven(settings, call({ 'x-signature': written }))).toBe(false);
	});
});

describe('the time of a signature', () => {
	const settings: HmacSettings = {
		method: 'hmac',
		header: 'x-signature',
		encoding: 'hex',
		prefix: '',
		timestampHeader: 'x-timestamp',
		secrets: ['secret'],
	};
	const signed = (stamp: string, written = stamp) => ({
		'x-signature': createHmac('sha256', 'secret').update(`${stamp}.`).update(BODY).digest('hex'),
		'x-timestamp': written,
	});

	it.each([0, 1, 299, 300])('may be %i seconds ago or ahead', (seconds) => {
		expect(isProven(settings, call(signed(String(SECONDS - seconds))))).toBe(true);
		expect(isProven(settings, call(signed(String(SECONDS + seconds))))).toBe(true);
	});

	it.each([301, 3600, SECONDS])(
		'may not be %i seconds ago or ahead, however well it is signed',
		(seconds) => {
			expect(isProven(settings, call(signed(String(SECONDS - seconds))))).toBe(false);
			expect(isProven(settings, call(signed(String(SECONDS + seconds))))).toBe(false);
		},
	);

	it('is part of what is signed', () => {
		expect(isProven(settings, call(signed(String(SECONDS - 10), String(SECONDS))))).toBe(false);
		expect(
			isProven(
				settings,
				call({
					...signed(String(SECONDS)),
					'x-signature': createHmac('sha256', 'secret').update(BODY).digest('hex'),
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
		'is refused when it is %j, however well it is signed',
		(stamp) => {
			expect(isProven(settings, call(signed(stamp)))).toBe(false);
		},
	);

	it('is refused while our own clock gives no time', () => {
		expect(isProven(settings, call(signed(String(SECONDS)), BODY, Number.NaN))).toBe(false);
	});
});
