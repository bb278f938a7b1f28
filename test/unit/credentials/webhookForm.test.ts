import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { DocumentWorkflowWebhookApi } from '../../../credentials/DocumentWorkflowWebhookApi.credentials';
import { readWebhookSettings } from '../../../credentials/webhookSettings';

const credential = new DocumentWorkflowWebhookApi();
const { properties } = credential;
const atFirst = Object.fromEntries(
	properties.map(({ name, default: value }) => [name, value]),
) as ICredentialDataDecryptedObject;

/** What the form asks for, with the fields as they are at first, or as given. */
function shown(values: Record<string, string> = {}): string[] {
	return properties
		.filter((property) =>
			NodeHelpers.displayParameter({ ...atFirst, ...values }, property, null, null),
		)
		.map(({ displayName }) => displayName);
}

describe('the form of the webhook credential', () => {
	it('is listed in the package, beside the other credential and with its icons', () => {
		const { n8n } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
			n8n: { credentials: string[] };
		};
		expect(n8n.credentials).toContain('dist/credentials/DocumentWorkflowWebhookApi.credentials.js');
		expect(credential).toMatchObject({
			name: 'documentWorkflowWebhookApi',
			displayName: 'Document Workflow Webhook API',
			icon: new DocumentWorkflowApi().icon,
		});
		expect(credential.documentationUrl).toMatch(/\/docs\/webhooks\.md$/);
	});

	it('asks at first for the method and an API key, and without a key every call is refused', () => {
		expect(shown()).toEqual(['Authentication', 'Header Name', 'Key', 'Second Key']);
		expect(atFirst).toMatchObject({
			authentication: 'apiKey',
			headerName: 'x-api-key',
			apiKey: '',
		});
		expect(readWebhookSettings(atFirst)).toMatchObject({ ok: false, message: "'Key' is empty" });
	});

	it.each([
		['hmac', {}, ['Preset', 'Secret', 'Second Secret']],
		[
			'hmac',
			{ preset: 'custom' },
			[
				'Preset',
				'Signature Header',
				'Encoding',
				'Prefix',
				'Timestamp Header',
				'Secret',
				'Second Secret',
			],
		],
		[
			'jwt',
			{},
			[
				'Algorithm',
				'Public Key',
				'Second Public Key',
				'Issuer',
				'Audience',
				'Clock Tolerance (Seconds)',
			],
		],
		[
			'jwt',
			{ algorithm: 'ES256' },
			[
				'Algorithm',
				'Public Key',
				'Second Public Key',
				'Issuer',
				'Audience',
				'Clock Tolerance (Seconds)',
			],
		],
		[
			'jwt',
			{ algorithm: 'HS256' },
			['Algorithm', 'Secret', 'Second Secret', 'Issuer', 'Audience', 'Clock Tolerance (Seconds)'],
		],
	])('asks for what %s needs with %j, and for nothing else', (authentication, values, fields) => {
		expect(shown({ authentication, ...values })).toEqual(['Authentication', ...fields]);
	});

	it('warns where no check was chosen', () => {
		const [, notice, ...others] = shown({ authentication: 'none' });
		expect(notice).toContain(
			'Calls are not checked: anybody who knows the address of the trigger can start your workflow',
		);
		expect(others).toEqual([]);
	});

	it('hides what is entered into secrets, and nothing else', () => {
		const masked = properties
			.filter(({ typeOptions }) => typeOptions?.password === true)
			.map(({ name }) => name);
		expect(masked).toEqual([
			'apiKey',
			'secondApiKey',
			'signingSecret',
			'secondSigningSecret',
			'jwtSecret',
			'secondJwtSecret',
		]);
	});

	it('gives a public key more than one line', () => {
		expect(
			properties
				.filter(({ name }) => /publicKey/i.test(name))
				.map(({ typeOptions }) => typeOptions?.rows),
		).toEqual([5, 5]);
	});

	it('reads each choice that it offers, and each one in a way of its own', () => {
		const secrets = { apiKey: 'a', signingSecret: 'b', jwtSecret: 'c', signatureHeader: 'd' };
		const choices = (name: string) =>
			(
				properties.find((property) => property.name === name)?.options as INodePropertyOptions[]
			).map(({ value }) => value as string);
		expect(choices('authentication')).toHaveLength(4);
		const methods = choices('authentication').map((authentication) =>
			readWebhookSettings({ ...secrets, authentication, algorithm: 'HS256' }),
		);
		expect(methods.map((read) => read.ok && read.settings.method)).toEqual(
			choices('authentication'),
		);
		const forms = choices('preset').map((preset) =>
			JSON.stringify(readWebhookSettings({ ...secrets, authentication: 'hmac', preset })),
		);
		expect(forms).toHaveLength(4);
		expect(new Set(forms).size).toBe(4);
		expect(forms.filter((read) => !read.startsWith('{"ok":true'))).toEqual([]);
	});
});

describe('the texts of the form', () => {
	it('say what each field and each choice is for', () => {
		const silent = properties
			.filter(({ type, description = '' }) => type !== 'notice' && description === '')
			.map(({ displayName }) => displayName);
		expect(silent).toEqual([]);
		const lists = properties
			.filter(({ type }) => type === 'options')
			.map(({ options }) => options as INodePropertyOptions[]);
		expect(lists).toHaveLength(4);
		for (const list of lists) {
			const names = list.map(({ name }) => name);
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
			expect(list.filter(({ description = '' }) => description === '')).toEqual([]);
		}
	});

	it('end with a full stop only when they have several sentences', () => {
		const described = properties.flatMap((property) => [
			property,
			...((property.options ?? []) as INodePropertyOptions[]),
		]);
		const texts = described.flatMap(({ description }) => description ?? []);
		expect(texts.length).toBeGreaterThan(25);
		expect(texts.filter((text) => /[.?] [A-Z]/.test(text) !== text.endsWith('.'))).toEqual([]);
	});

	it('have examples that begin with "e.g."', () => {
		const examples = properties.flatMap(({ placeholder }) => placeholder ?? []);
		expect(examples.length).toBeGreaterThan(5);
		expect(examples.filter((example) => !example.startsWith('e.g. '))).toEqual([]);
	});

	it('say what the service operator calls the bearer token, which is in no name', () => {
		expect(JSON.stringify(properties)).toContain('calls this method \\"oauth2\\"');
		const names = properties.flatMap(({ displayName, name, options = [] }) => [
			displayName,
			name,
			...(options as INodePropertyOptions[]).map((option) => option.name),
		]);
		expect(
			[credential.name, credential.displayName, ...names].filter((name) => /oauth/i.test(name)),
		).toEqual([]);
	});
});
