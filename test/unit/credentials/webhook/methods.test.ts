import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../../credentials/DocumentWorkflowApi.credentials';
import { DocumentWorkflowWebhookApi } from '../../../../credentials/DocumentWorkflowWebhookApi.credentials';
import { METHODS, readAuthentication } from '../../../../credentials/webhook/methods';
import { accepts, initially, refusal, SECRET, shown } from './support';

const credential = new DocumentWorkflowWebhookApi();
const { properties } = credential;
const ROOT = join(__dirname, '../../../..');

describe('the webhook credential', () => {
	it('is listed in package.json beside the other credential, and has its icons', () => {
		const { n8n } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
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

	it('asks for an API key by default, and is refused without one', () => {
		expect(shown()).toEqual(['Authentication', 'Header Name', 'Key', 'Second Key']);
		expect(initially).toMatchObject({
			authentication: 'apiKey',
			headerName: 'x-api-key',
			apiKey: '',
		});
		expect(refusal(initially).message).toBe("'Key' is empty");
	});

	it('has unique field names, because n8n keeps one value for each name', () => {
		const names = properties.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	it('hides keys, secrets and passwords, but not public keys', () => {
		const hidden = properties.filter(({ typeOptions }) => typeOptions?.password === true);
		const secret = properties.filter(({ name }) => /(?<!public)key$|secret|password/i.test(name));
		expect(hidden.map(({ name }) => name)).toEqual(secret.map(({ name }) => name));
		expect(hidden.length).toBeGreaterThan(5);
	});

	it('describes each field and each choice, and sorts the choices by name', () => {
		const undescribed = properties.filter(
			({ type, description = '' }) => type !== 'notice' && description === '',
		);
		expect(undescribed.map(({ displayName }) => displayName)).toEqual([]);
		const lists = properties.flatMap(({ type, options }) =>
			type === 'options' ? [options as INodePropertyOptions[]] : [],
		);
		expect(lists).toContainEqual(METHODS.map(({ option }) => option));
		for (const list of lists) {
			const names = list.map(({ name }) => name);
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
			expect(list.filter(({ description = '' }) => description === '')).toEqual([]);
		}
	});

	it('ends a description with a full stop only when it has several sentences', () => {
		const texts = properties
			.flatMap((property) => [property, ...((property.options ?? []) as INodePropertyOptions[])])
			.flatMap(({ description }) => description ?? []);
		expect(texts.length).toBeGreaterThan(25);
		expect(texts.filter((text) => /[.?] [A-Z]/.test(text) !== text.endsWith('.'))).toEqual([]);
	});

	it('has examples that begin with "e.g."', () => {
		const examples = properties.flatMap(({ placeholder }) => placeholder ?? []);
		expect(examples.length).toBeGreaterThan(5);
		expect(examples.filter((example) => !example.startsWith('e.g. '))).toEqual([]);
	});

	it("mentions the service operator's name of the bearer token in descriptions only", () => {
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

describe('the choice of a method', () => {
	const checking = METHODS.filter(({ option }) => option.value !== 'none');

	it.each(checking.map(({ option }) => [option.name, option.value]))(
		'is refused for %s when its fields are empty',
		(_, authentication) => {
			expect(refusal({ ...initially, authentication }).message).toMatch(/^'.+' is empty$/);
		},
	);

	it.each(['', 'None', 'oauth2', 'toString', 'constructor', false, 0])(
		'is refused when it is unknown (%j)',
		(authentication) => {
			expect(refusal({ authentication, apiKey: SECRET }).message).toBe(
				"The selected 'Authentication' is not supported by this version of the package",
			);
		},
	);

	it.each(METHODS.map(({ option }) => [option.name, option.value]))(
		'is refused for %s when any text field is not a text, so that no check is dropped',
		(_, authentication) => {
			const texts = properties.filter(({ type }) => type === 'string');
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

	it('accepts every call only if it is None', () => {
		expect(accepts({ authentication: 'none' }, {})).toBe(true);
		expect(accepts({ authentication: 'none', apiKey: SECRET }, {})).toBe(true);
		expect(readAuthentication({}).ok).toBe(false);
	});

	it('shows a warning and no other field if it is None', () => {
		const [, notice, ...others] = shown({ authentication: 'none' });
		expect(notice).toContain(
			'Calls are not authenticated: anyone who knows the URL of the trigger can start your n8n workflow',
		);
		expect(others).toEqual([]);
	});
});
