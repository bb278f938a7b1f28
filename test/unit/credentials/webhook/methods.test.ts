import type { INodePropertyOptions } from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../../credentials/DocumentWorkflowApi.credentials';
import { callFields, METHODS, readAuthentication } from '../../../../credentials/webhook/methods';
import { accepts, initially, refusal, SECRET, shown } from './support';

const { properties } = new DocumentWorkflowApi();

describe('the form of the credential', () => {
	it('asks last for the calls of the trigger, which it does not use at first', () => {
		expect(properties.slice(-callFields.length - 1)).toEqual([
			...callFields,
			expect.objectContaining({ name: 'accessToken', type: 'hidden' }),
		]);
		expect(shown()).toEqual(['Trigger Authentication']);
		expect(initially).toMatchObject({ triggerAuthentication: 'notUsed', headerName: 'x-api-key' });
		for (const entered of [initially, {}])
			expect(refusal({ ...entered, apiKey: SECRET })).toEqual({
				message: "'Trigger Authentication' is set to Not Used",
				advice:
					'In the Document Workflow API credential, choose how the service authenticates its calls',
			});
	});

	it('has unique field names, because n8n keeps one value for each name', () => {
		const names = properties.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	it('hides keys, secrets and passwords, but not public keys', () => {
		const hidden = callFields.filter(({ typeOptions }) => typeOptions?.password === true);
		const secret = callFields.filter(({ name }) => /(?<!public)key$|secret|password/i.test(name));
		expect(hidden.map(({ name }) => name)).toEqual(secret.map(({ name }) => name));
		expect(hidden.length).toBeGreaterThan(3);
	});

	it('describes each field and each choice', () => {
		const undescribed = properties.filter(
			({ type, description = '' }) => !['notice', 'hidden'].includes(type) && description === '',
		);
		expect(undescribed.map(({ displayName }) => displayName)).toEqual([]);
		const lists = properties.flatMap(({ type, options }) =>
			type === 'options' ? [options as INodePropertyOptions[]] : [],
		);
		expect(lists).toContainEqual(METHODS.map(({ option }) => option));
		for (const list of lists)
			expect(list.filter(({ description = '' }) => description === '')).toEqual([]);
	});

	it('ends a description with a full stop only when it has several sentences', () => {
		const texts = properties
			.flatMap((property) => [property, ...((property.options ?? []) as INodePropertyOptions[])])
			.flatMap(({ description }) => description ?? []);
		expect(texts.length).toBeGreaterThan(25);
		expect(texts.filter((text) => /[.?] [A-Z]/.test(text) !== text.endsWith('.'))).toEqual([]);
	});

	it('has examples that begin with "e.g."', () => {
		const examples = callFields.flatMap(({ placeholder }) => placeholder ?? []);
		expect(examples.length).toBeGreaterThan(3);
		expect(examples.filter((example) => !example.startsWith('e.g. '))).toEqual([]);
	});

	it("mentions the service operator's name of the bearer token in descriptions only", () => {
		expect(JSON.stringify(properties)).toContain('calls this method \\"oauth2\\"');
		const names = properties.flatMap(({ displayName, name, options = [] }) => [
			displayName,
			name,
			...(options as INodePropertyOptions[]).map((option) => option.name),
		]);
		expect(names.filter((name) => /oauth/i.test(name))).toEqual([]);
	});
});

describe('the choice of a method', () => {
	const checking = METHODS.filter(
		({ option }) => !['none', 'notUsed'].includes(String(option.value)),
	);

	it.each(checking.map(({ option }) => [option.name, option.value]))(
		'is refused for %s when its fields are empty',
		(_, triggerAuthentication) => {
			expect(refusal({ ...initially, triggerAuthentication }).message).toMatch(/^'.+' is empty$/);
		},
	);

	it.each(['', 'None', 'oauth2', 'toString', 'constructor', false, 0])(
		'is refused when it is unknown (%j)',
		(triggerAuthentication) => {
			expect(refusal({ triggerAuthentication, apiKey: SECRET }).message).toBe(
				"The selected 'Trigger Authentication' is not supported by this version of the package",
			);
		},
	);

	it.each(METHODS.map(({ option }) => [option.name, option.value]))(
		'is refused for %s when any text field is not a text, so that no check is dropped',
		(_, triggerAuthentication) => {
			const texts = callFields.filter(({ type }) => type === 'string');
			expect(texts.length).toBeGreaterThan(8);
			for (const { name, displayName } of texts) {
				for (const odd of [7, true, {}, [SECRET], null as unknown as string]) {
					expect(refusal({ triggerAuthentication, [name]: odd })).toEqual({
						message: `'${displayName}' is not a text`,
						advice: 'Correct it in the Document Workflow API credential',
					});
				}
			}
		},
	);

	it('accepts every call only if it is None', () => {
		expect(accepts({ triggerAuthentication: 'none' }, {})).toBe(true);
		expect(accepts({ triggerAuthentication: 'none', apiKey: SECRET }, {})).toBe(true);
		expect(readAuthentication({}).ok).toBe(false);
	});

	it('shows a warning and no other field if it is None', () => {
		const [, notice, ...others] = shown({ triggerAuthentication: 'none' });
		expect(notice).toContain(
			'anyone who knows the URL of the trigger and the IDs of an execution can start your n8n workflow with its data',
		);
		expect(others).toEqual([]);
	});
});
