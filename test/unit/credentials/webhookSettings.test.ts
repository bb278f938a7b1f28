import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readWebhookSettings, webhookFields } from '../../../credentials/webhookSettings';

const SECRET = 's3cr3t-of-the-webhook';

/** Why settings are refused; no secret may be in it, and each field that it names is one of the form. */
function refusal(credentials: ICredentialDataDecryptedObject): { message: string; advice: string } {
	const read = readWebhookSettings(credentials);
	if (read.ok) throw new Error('These settings were accepted');
	expect(JSON.stringify(read)).not.toContain(SECRET);
	for (const [, field] of read.message.matchAll(/'([^']+)'/g))
		expect(webhookFields.map(({ displayName }) => displayName)).toContain(field);
	return { message: read.message, advice: read.advice };
}

/** The settings that are read, which must be usable. */
function settings(credentials: ICredentialDataDecryptedObject): unknown {
	const read = readWebhookSettings(credentials);
	return read.ok ? read.settings : read;
}

describe('the settings of an API key', () => {
	it('are a header and a key, without white space around them', () => {
		expect(
			settings({
				authentication: 'apiKey',
				headerName: ' X-Webhook-Key ',
				apiKey: ` ${SECRET}\n`,
				secondApiKey: '',
			}),
		).toEqual({
			method: 'apiKey',
			header: 'x-webhook-key',
			keys: [SECRET],
		});
	});

	it('are what a credential without other choices means, in the header x-api-key', () => {
		expect(settings({ apiKey: SECRET })).toEqual({
			method: 'apiKey',
			header: 'x-api-key',
			keys: [SECRET],
		});
	});

	it('may hold a second key, and the second alone when the first was taken out', () => {
		expect(settings({ apiKey: 'old', secondApiKey: ' new ' })).toMatchObject({
			keys: ['old', 'new'],
		});
		expect(settings({ apiKey: ' ', secondApiKey: 'new' })).toMatchObject({ keys: ['new'] });
	});

	it('may hold a key of all that a header carries', () => {
		const key = 'Bearer ~!"#$%&()*+,-./09:;<=>?@AZ[]^_`az{|}';
		expect(settings({ apiKey: key })).toMatchObject({ keys: [key] });
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		['nothing was entered', {}],
		['the key is empty', { authentication: 'apiKey', apiKey: '', secondApiKey: '' }],
		['the key is white space', { authentication: 'apiKey', apiKey: ' \t\n', secondApiKey: ' ' }],
		[
			'secrets of other methods are there',
			{ authentication: 'apiKey', signingSecret: SECRET, jwtSecret: SECRET, publicKey: SECRET },
		],
	])('are refused when %s', (_, credentials) => {
		expect(refusal(credentials)).toEqual({
			message: "'Key' is empty",
			advice:
				'Enter it in the Document Workflow Webhook API credential. Until then every call is refused',
		});
	});

	it.each(['é', 'ключ', 'a\nb', 'a\u0000b', '€'])(
		'are refused with a key that a header does not carry (%j), first or second',
		(odd) => {
			for (const name of ['apiKey', 'secondApiKey']) {
				expect(refusal({ apiKey: SECRET, [name]: `${SECRET}${odd}${SECRET}` }).message).toContain(
					"'Key' or 'Second Key' holds a character that a header does not carry",
				);
			}
		},
	);

	it.each(['x api key', 'x-api-key:', 'x-api-kéy', 'x,y', '(x)', '"x"', 'a\nb'])(
		'are refused with a header of the name %j',
		(headerName) => {
			expect(refusal({ apiKey: SECRET, headerName })).toEqual({
				message: "'Header Name' is not the name of a header",
				advice: 'Enter the name alone, without colon and spaces, e.g. x-api-key',
			});
		},
	);

	it('are refused when the name of the header was taken out', () => {
		expect(refusal({ apiKey: SECRET, headerName: ' ' }).message).toBe("'Header Name' is empty");
	});
});

describe('the settings of a signature', () => {
	const entered = { authentication: 'hmac', signingSecret: ` ${SECRET} ` };

	it.each<[string, ICredentialDataDecryptedObject, object]>([
		['no preset chosen', {}, { header: 'x-signature', encoding: 'hex', prefix: '' }],
		['X-Signature', { preset: 'plain' }, { header: 'x-signature', encoding: 'hex', prefix: '' }],
		[
			'X-Hub-Signature-256',
			{ preset: 'hub' },
			{ header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' },
		],
		[
			'X-Signature and X-Timestamp',
			{ preset: 'timestamp' },
			{ header: 'x-signature', encoding: 'hex', prefix: '', timestampHeader: 'x-timestamp' },
		],
	])('are those of the preset (%s), whatever stands in the fields of Custom', (_, preset, form) => {
		const hidden = {
			signatureHeader: 'x-other',
			encoding: 'base64',
			prefix: 'v1=',
			timestampHeader: 'x-time',
		};
		expect(settings({ ...entered, ...hidden, ...preset })).toEqual({
			method: 'hmac',
			...form,
			secrets: [SECRET],
		});
	});

	it('are those that were entered with Custom', () => {
		const form = {
			preset: 'custom',
			signatureHeader: ' Signature ',
			encoding: 'base64',
			prefix: ' v1= ',
			timestampHeader: ' Time ',
		};
		expect(settings({ ...entered, ...form })).toEqual({
			method: 'hmac',
			header: 'signature',
			encoding: 'base64',
			prefix: 'v1=',
			timestampHeader: 'time',
			secrets: [SECRET],
		});
	});

	it('need no prefix, timestamp or choice of encoding with Custom', () => {
		const form = { preset: 'custom', signatureHeader: 'signature' };
		expect(settings({ ...entered, ...form })).toEqual({
			method: 'hmac',
			header: 'signature',
			encoding: 'hex',
			prefix: '',
			secrets: [SECRET],
		});
	});

	it('may hold a second secret, and secrets of any letters', () => {
		expect(settings({ ...entered, secondSigningSecret: ' schlüssel ' })).toMatchObject({
			secrets: [SECRET, 'schlüssel'],
		});
		expect(settings({ authentication: 'hmac', secondSigningSecret: 'new' })).toMatchObject({
			secrets: ['new'],
		});
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		['is empty', { signingSecret: '' }],
		['is white space', { signingSecret: ' \n' }],
		['was never entered', {}],
		['is that of another method', { apiKey: SECRET, jwtSecret: SECRET }],
	])('are refused when the secret %s, with every preset', (_, credentials) => {
		for (const preset of ['plain', 'hub', 'timestamp', 'custom']) {
			expect(
				refusal({ authentication: 'hmac', preset, signatureHeader: 'signature', ...credentials })
					.message,
			).toBe("'Secret' is empty");
		}
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		["'Signature Header' is empty", {}],
		["'Signature Header' is not the name of a header", { signatureHeader: 'x signature' }],
		[
			"'Timestamp Header' is not the name of a header",
			{ signatureHeader: 'x-signature', timestampHeader: 'x-time:' },
		],
		[
			"'Signature Header' and 'Timestamp Header' are the same",
			{ signatureHeader: 'X-Signature', timestampHeader: 'x-signature' },
		],
		[
			"The chosen 'Encoding' is not known to this version of the package",
			{ signatureHeader: 'x-signature', encoding: 'binary' },
		],
	])('are refused with Custom when %s', (message, credentials) => {
		expect(refusal({ ...entered, preset: 'custom', ...credentials }).message).toBe(message);
	});

	it.each(['sha1', '', 'constructor'])(
		'are refused with the preset %j, which there is not',
		(preset) => {
			expect(refusal({ ...entered, preset })).toEqual({
				message: "The chosen 'Preset' is not known to this version of the package",
				advice: 'Choose it again in the credential, or update the package',
			});
		},
	);
});

describe('no check at all', () => {
	it('is there only when it was chosen', () => {
		expect(settings({ authentication: 'none' })).toEqual({ method: 'none' });
		expect(settings({ authentication: 'none', apiKey: SECRET })).toEqual({ method: 'none' });
	});

	it.each(['', 'None', 'oauth2', 'toString', false, 0])(
		'is not what an unknown method (%j) means',
		(authentication) => {
			expect(refusal({ authentication, apiKey: SECRET }).message).toBe(
				"The chosen 'Authentication' is not known to this version of the package",
			);
		},
	);
});

describe('a value that is no text', () => {
	it.each(['apiKey', 'hmac', 'jwt'])(
		'is refused, so that a check is never dropped for it (%s)',
		(authentication) => {
			const texts = webhookFields.filter(({ type }) => type === 'string');
			expect(texts.length).toBeGreaterThan(12);
			for (const { name, displayName } of texts) {
				for (const odd of [7, true, {}, [SECRET], null as unknown as string]) {
					expect(refusal({ authentication, [name]: odd })).toEqual({
						message: `'${displayName}' is not a text`,
						advice: 'Correct it in the Document Workflow Webhook API credential',
					});
				}
			}
		},
	);
});
