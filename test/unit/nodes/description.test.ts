import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { operationField, OPERATIONS } from '../../../nodes/DocumentWorkflow/actions';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { withInner } from '../structure/offered';
import { node } from '../support/context';

const { description } = new DocumentWorkflow();
const operations = operationField.options as INodePropertyOptions[];

/** The visible fields of an operation, with the given values and defaults for the others. */
function panelOf(operation: string, values: Record<string, string> = {}): INodeProperties[] {
	const atFirst = Object.fromEntries(
		description.properties.map(({ name, default: value }) => [name, value]),
	);
	const chosen = { ...atFirst, operation, ...values };
	return description.properties.filter((property) =>
		NodeHelpers.displayParameter(chosen, property, node, description),
	);
}

const entriesOf = (operation: string, collection: string) =>
	(panelOf(operation).find(({ name }) => name === collection)?.options ?? []) as INodeProperties[];

/** What the editor shows for a text of the description. */
function shownFor(text: string | undefined, parameters: INodeParameters): unknown {
	const shown = { ...node, name: 'Document Workflow', type: 'shown', parameters };
	const { expression } = new Workflow({
		nodes: [shown],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => new DocumentWorkflow(),
			getByNameAndVersion: () => new DocumentWorkflow(),
			getKnownTypes: () => ({}),
		},
	});
	return expression.getSimpleParameterValue(shown, text, 'internal', {});
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const namesOf = (...given: Parameters<typeof panelOf>) =>
	panelOf(...given)
		.map(({ name }) => name)
		.slice(1);

const everyProperty = description.properties.flatMap(withInner);

describe('the panel', () => {
	it('asks for the operation first, without expressions', () => {
		const [first] = description.properties;
		expect([first?.name, first?.noDataExpression]).toEqual(['operation', true]);
	});

	it('lists the operations with the most used first, under names that begin as in the list of actions', () => {
		expect(operations.map(({ name, action }) => [name, action])).toEqual([
			['Create and Wait', 'Create and wait for extracted data'],
			['Create Execution', 'Create execution without waiting'],
			['Get Execution', 'Get execution status and data'],
			['Wait for Completion', 'Wait for completion of execution'],
		]);
	});

	it.each(['unlisted', '', undefined, 'toString'])(
		'has no handler for the unlisted operation %s',
		(value) => {
			expect(OPERATIONS.get(value)).toBeUndefined();
		},
	);

	it.each([
		['files', ['documents', 'inputDataFieldName', 'groupBy'], ['documentOptions']],
		['urls', ['documents', 'fileUrls', 'groupBy'], []],
		['none', ['documents'], []],
	])(
		'shows only the fields that documents from %s need in Create Execution, and Create and Wait',
		(documents, first, options) => {
			expect(namesOf('create', { documents })).toEqual([
				'workflowId',
				...first,
				'inputs',
				...options,
				'outputOptions',
				'maximumInParallel',
			]);
			expect(namesOf('createAndWait', { documents })).toEqual([
				'workflowId',
				...first,
				'output',
				'minimumConfidence',
				'inputs',
				...options,
				'waiting',
				'outputOptions',
				'maximumInParallel',
			]);
		},
	);

	it.each([
		['get', ['outputOptions']],
		['wait', ['waiting', 'outputOptions']],
	])('shows four fields before the collections of %s', (operation, collections) => {
		expect(namesOf(operation)).toEqual([
			'workflowId',
			'executionId',
			'output',
			'minimumConfidence',
			...collections,
		]);
	});

	it.each(['wait', 'createAndWait'])('offers the same entries for waiting in %s', (operation) => {
		expect(entriesOf(operation, 'waiting').map(({ name }) => name)).toEqual([
			'firstCheckSeconds',
			'longestIntervalMinutes',
			'longestWaitHours',
			'ifTimedOut',
			'pauseAfterSeconds',
			'ifHeld',
		]);
	});

	it.each([
		[{}, ', for up to 24 hours.'],
		[{ waiting: {} }, ', for up to 24 hours.'],
		[{ waiting: { longestWaitHours: 100 } }, ', for up to 100 hours.'],
		[{ waiting: { longestWaitHours: '={{ $json.hours }}' } }, '.'],
	])('says while it waits how long it does so at most: %j', (parameters, end) => {
		expect(shownFor(description.waitingNodeTooltip, parameters)).toBe(
			`n8n checks the document service regularly${end} You do not need to enter anything here. If a person must act, they do so in the document service.`,
		);
	});

	it.each<[INodeParameters, string]>([
		[{}, 'create and wait'],
		[{ operation: 'get' }, 'get'],
		[{ operation: 'createAndWait', workflowId: byId('') }, 'create and wait'],
		[{ operation: 'createAndWait', workflowId: byId('intake') }, 'create and wait: intake'],
		[{ operation: 'create', workflowId: 'intake' }, 'create'],
		[{ operation: 'create', workflowId: byId('={{ $json.id }}') }, 'create'],
		[
			{ operation: 'create', workflowId: { ...byId('intake'), cachedResultName: 'Policy Intake' } },
			'create: Policy Intake',
		],
		[
			{
				operation: 'wait',
				workflowId: byId('https://app.example.com/workflows/intake/runs?x=1'),
			},
			'wait: intake',
		],
	])('has under its name what it does to which workflow: %j', (parameters, subtitle) => {
		expect(shownFor(description.subtitle, parameters)).toBe(subtitle);
	});

	it('sends by default the input files, all of an item in one execution', () => {
		expect(panelOf('create').map(({ name, default: value }) => [name, value])).toEqual(
			expect.arrayContaining([
				['documents', 'files'],
				['inputDataFieldName', '*'],
				['groupBy', 'item'],
			]),
		);
	});

	it('offers an AI agent file URLs and no input files', () => {
		const tool = { ...description, name: `${description.name}Tool` };
		const create = { operation: 'create' };
		const [source, ...others] = description.properties.filter(
			(property) =>
				property.name === 'documents' && NodeHelpers.displayParameter(create, property, node, tool),
		);
		expect(others).toEqual([]);
		expect(source?.default).toBe('urls');
		const offered = source?.options as INodePropertyOptions[];
		expect(offered.map(({ value }) => value)).toEqual(['urls', 'none']);
		const { properties } = description;
		const parameters = NodeHelpers.getNodeParameters(properties, create, true, false, node, tool);
		expect(parameters).toHaveProperty('fileUrls');
		expect(parameters).not.toHaveProperty('inputDataFieldName');
	});

	it('tells an AI agent what the node does, and nothing that only some operations do', () => {
		expect(description.description).toMatch(
			/^Extract data from documents (?!.*(file|exec|status))/,
		);
	});

	it('has hints for AI that builds n8n workflows, and no expression in them', () => {
		const hints = [
			description.builderHint?.searchHint,
			...everyProperty.map(({ builderHint }) => builderHint?.propertyHint),
		].filter((hint) => hint !== undefined);
		expect(new Set(hints).size).toBe(3);
		expect(hints.filter((hint) => hint.includes('={{'))).toEqual([]);
	});

	it('asks for output fields only for Selected Fields', () => {
		for (const operation of ['createAndWait', 'get', 'wait']) {
			expect(namesOf(operation, { output: 'selected' })).toContain('fields');
			expect(namesOf(operation)).not.toContain('fields');
		}
	});

	it('has switches that switch something on when they are added', () => {
		const collections = description.properties.filter(({ type }) => type === 'collection');
		const switches = collections
			.flatMap(({ options = [] }) => options as INodeProperties[])
			.filter(({ type }) => type === 'boolean');
		expect(switches.length).toBeGreaterThan(3);
		const off = switches.filter(({ default: value }) => value !== true);
		expect(off.map(({ name }) => name)).toEqual([]);
	});

	it('states the default times of a wait', () => {
		const times = entriesOf('wait', 'waiting').filter(({ displayName }) =>
			/\((?:Seconds|Minutes|Hours)\)/.test(displayName),
		);
		const defaults = Object.fromEntries(
			times.map(({ name, default: value }) => [name, Number(value)]),
		);
		expect(defaults).toEqual({
			firstCheckSeconds: 5,
			longestIntervalMinutes: 15,
			longestWaitHours: 24,
			pauseAfterSeconds: 20,
		});
		for (const { description: text, default: value } of times)
			expect(text).toMatch(
				new RegExp(`${Number(value)} .*by default|by default .*${Number(value)}`),
			);
		expect(times.at(-1)?.description).toContain('in the editor after 180');
	});

	it('limits the times of a wait', () => {
		for (const { type, typeOptions, default: value } of entriesOf('wait', 'waiting')) {
			if (type !== 'number') continue;
			expect(typeOptions?.minValue).toBeGreaterThan(0);
			expect(typeOptions?.maxValue).toBeGreaterThan(Number(value));
		}
	});
});

describe('the texts of the panel', () => {
	it.each(operations.map((option) => [option.name, option] as const))(
		'%s has a name in title case, an action in sentence case, and a description',
		(_name, option) => {
			expect(option.name).toMatch(/^[A-Z][a-z]+(?: (?:[A-Z][a-z]+|and|for))*$/);
			expect(option.action).toMatch(/^[A-Z][a-z ]+$/);
			expect(option.action).not.toMatch(/\b(?:a|an|the)\b/);
			expect(option.description).toMatch(/^[A-Z].+[^.]$/);
		},
	);

	it('files are never called binary', () => {
		expect(everyProperty.map(({ displayName }) => displayName)).toContain('Input Data Field Name');
		expect(JSON.stringify(description)).not.toMatch(/binary/i);
	});

	it('the workflow is entered by its ID unless another mode is chosen, because the list is empty at first', () => {
		const workflow = panelOf('create').find(({ name }) => name === 'workflowId');
		expect(workflow?.type).toBe('resourceLocator');
		expect(workflow?.modes?.map(({ name }) => name)).toEqual(['list', 'id']);
		expect(workflow?.default).toEqual({ mode: 'id', value: '' });
	});

	it('nothing has a regular expression for n8n to check: one that takes 250 ms, as on a busy machine, ends a paused n8n execution without its data', () => {
		expect(JSON.stringify(everyProperty)).not.toMatch(/regex/i);
	});
});

describe('the codex file', () => {
	const codex = JSON.parse(
		readFileSync(
			join(__dirname, '../../../nodes/DocumentWorkflow/DocumentWorkflow.node.json'),
			'utf8',
		),
	) as Record<string, unknown>;
	const { name } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
		name: string;
	};

	it('belongs to this node', () =>
		expect(codex).toMatchObject({
			node: `${name}.${description.name}`,
			nodeVersion: '1.0',
			codexVersion: '1.0',
		}));
});
