import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	INodeProperties,
	INodePropertyOptions,
	IWebhookDescription,
	WorkflowActivateMode,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { outputOptionsField } from '../../../../nodes/DocumentWorkflow/results/settings/settings';
import { DocumentWorkflowTrigger } from '../../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';
import { triggerFields } from '../../../../nodes/DocumentWorkflow/trigger/fields';
import { node } from '../../support/context';

const { description, webhookMethods } = new DocumentWorkflowTrigger();
const outputOptions = triggerFields.find(({ name }) => name === 'outputOptions')
	?.options as INodeProperties[];
const everyProperty = [...triggerFields, ...outputOptions];

const atFirst = Object.fromEntries(triggerFields.map(({ name, default: value }) => [name, value]));
const shown = (chosen: Record<string, string> = {}) =>
	triggerFields
		.filter((property) =>
			NodeHelpers.displayParameter({ ...atFirst, ...chosen }, property, node, description),
		)
		.map(({ name }) => name);

describe('The panel of the trigger', () => {
	it('shows few fields at first, and begins with what to give the service operator', () => {
		expect(shown()).toEqual([
			'handOver',
			'path',
			'events',
			'output',
			'minimumConfidence',
			'outputOptions',
		]);
		expect(triggerFields[0]?.displayName).toMatch(
			/^[^.]*Production URL[^.]*authenticated: <i>Trigger Authentication<\/i>[^.]*\. <a href="[^"]*docs\/webhooks\.md#set-it-up"/,
		);
	});

	it('shows Fields only for Selected Fields', () =>
		expect(shown({ output: 'selected' })).toContain('fields'));

	it('has the output options of Get without the one about input items', () => {
		const namesOf = (listed: INodeProperties[]) => listed.map(({ name }) => name);
		const ofGet = namesOf(outputOptionsField.options as INodeProperties[]);
		expect(namesOf(outputOptions)).toEqual(ofGet.filter((name) => name !== 'includeFiles'));
	});

	it('labels each field with one to four words, and describes it with 4 to 15', () => {
		const own = everyProperty.filter(
			({ type }) => type !== 'notice' && !type.toLowerCase().endsWith('collection'),
		);
		const wordsIn = (text = '') => text.replace(/ \(\w+\)$/, '').split(' ').length;
		const choices = own.flatMap((field) => (field.options ?? []) as INodePropertyOptions[]);
		for (const { displayName, description: words } of own) {
			expect(wordsIn(displayName)).toBeLessThanOrEqual(4);
			expect(displayName.length).toBeLessThan(30);
			expect(wordsIn(words)).toBeGreaterThanOrEqual(4);
			expect(wordsIn(words)).toBeLessThanOrEqual(15);
		}
		expect(choices.filter(({ description: words = '' }) => words.length > 100)).toEqual([]);
	});
});

describe('The node', () => {
	it('is a trigger and no tool', () => {
		expect(description).toMatchObject({
			inputs: [],
			group: ['trigger'],
			displayName: 'Document Workflow Trigger',
			name: 'documentWorkflowTrigger',
		});
		expect(description).not.toHaveProperty('usableAsTool');
	});

	it('has one fixed address, and answers by itself', () => {
		const forTheEditor = JSON.parse(JSON.stringify(description.webhooks)) as unknown;
		expect(forTheEditor).toEqual([
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: '={{$parameter["path"]}}',
				isFullPath: true,
			},
		]);
		expect(atFirst.path).toBe('document-workflow');
	});

	let triggerAuthentication = 'none';
	beforeEach(() => void (triggerAuthentication = 'none'));
	const activate = async (
		name: 'checkExists' | 'create' | 'delete',
		values = {},
		mode: WorkflowActivateMode = 'activate',
	) => {
		const parameters: Record<string, unknown> = { path: 'intake', ...values };
		const context = {
			getNodeParameter: (field: string, fallback: unknown) => parameters[field] ?? fallback,
			getActivationMode: () => mode,
			getNode: () => node,
			getCredentials: async () => Promise.resolve({ triggerAuthentication }),
		};
		return webhookMethods.default[name].call(context as never);
	};

	it('registers nothing', async () => {
		for (const name of ['checkExists', 'create', 'delete'] as const)
			expect(await activate(name)).toBe(true);
	});

	it.each([
		[{ events: ['completed', 'ended'] }, `'Events' is "ended", but must be one of these`],
		[{ events: [] }, `'Events' is empty. Choose Completed, Failed or both`],
		[{ output: 'table' }, `'Output' is "table", but must be one of these`],
		[{ 'outputOptions.values': 'fr' }, `'Numbers and Dates' is "fr", but must be one of these`],
	])('cannot be activated with %j, and the message names the field', async (values, message) => {
		await expect(activate('checkExists', values)).rejects.toThrow(message);
	});

	it.each<WorkflowActivateMode>(['activate', 'create', 'update', 'manual'])(
		'(%s) cannot be activated by a person when every call would be rejected',
		async (mode) => {
			triggerAuthentication = 'notUsed';
			await expect(activate('checkExists', {}, mode)).rejects.toThrow('is set to Not Used');
		},
	);

	it.each<WorkflowActivateMode>(['init', 'leadershipChange'])(
		'(%s) is activated again by n8n whatever its fields and the credential say, so that calls get 503 and not 404',
		async (mode) => {
			triggerAuthentication = 'notUsed';
			expect(await activate('checkExists', { events: ['ended'] }, mode)).toBe(true);
		},
	);

	it('explains in its panel how to try it', () => {
		const { executionsHelp, activationHint } = description.triggerPanel as {
			executionsHelp: Record<string, string>;
			activationHint: string;
		};
		for (const help of Object.values(executionsHelp))
			expect(help).toMatch(/start listening.*Test URL.*#try-it.*simulated service/);
		expect(activationHint).toContain('Production URL');
	});

	it('lists an action for each event in the node list', () => {
		const events = triggerFields.find(({ name }) => name === 'events')?.options;
		expect((events as INodePropertyOptions[]).map(({ action }) => action)).toEqual([
			'On execution completed',
			'On execution failed',
		]);
	});

	it('has a codex file of its own', () => {
		const codex = JSON.parse(
			readFileSync(
				join(__dirname, '../../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node.json'),
				'utf8',
			),
		) as Record<string, unknown>;
		expect(codex).toMatchObject({
			node: `n8n-nodes-document-workflow.${description.name}`,
			nodeVersion: '1.0',
			codexVersion: '1.0',
		});
	});
});

/** The address as it is with a version of n8n that exports these. */
function addressWith(exported: object): unknown {
	let path: { address?: unknown } = {};
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => exported);
		path = jest.requireActual('../../../../nodes/DocumentWorkflow/trigger/fields');
		jest.dontMock('n8n-workflow');
	});
	return path.address;
}

describe('The address of the trigger', () => {
	it('is read by n8n 2 without an expression, unless the panel has one', () => {
		const address = addressWith(n8nWorkflow) as IWebhookDescription;
		const read = (path: string) =>
			n8nWorkflow.resolveWebhookDescriptionField({ parameters: { path } }, address, 'path');
		expect(read('intake')).toEqual({ resolved: true, value: 'intake' });
		expect(read('={{ "intake" }}')).toEqual({ resolved: false });
	});

	it('is an expression for the editor, and for n8n 1', () => {
		expect(JSON.parse(JSON.stringify(addressWith(n8nWorkflow)))).toEqual({
			path: '={{$parameter["path"]}}',
		});
		expect(addressWith({})).toEqual({ path: '={{ $parameter["path"] }}' });
	});
});
