import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import type { PollingPlan } from '../../../service/polling';
import { DEFAULT_PLAN } from '../../../service/polling';
import type { Output } from '../results/shapes';
import { workflowIdInAddress } from './workflowId';

export const workflowField: INodeProperties = {
	displayName: 'Workflow',
	name: 'workflowId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description: 'The workflow of the service that works on the documents. It is configured in the dashboard of the service.',
	modes: [
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. policy-intake',
			validation: [
				{
					type: 'regex',
					properties: { regex: '^\\s*[^\\s/?#]+\\s*$', errorMessage: 'An ID has no spaces or slashes. For an address choose By URL.' },
				},
			],
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/workflows/policy-intake',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*[hH][tT][tT][pP][sS]?://.+/[wW]orkflows?/[^/?#\\s]+.*$',
						errorMessage: 'The address must hold the ID after /workflows/, as in the dashboard of the service',
					},
				},
			],
		},
	],
};

export const executionIdField: INodeProperties = {
	displayName: 'Execution ID',
	name: 'executionId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.executionId }}',
	description: 'The ID that Create gave in its output as executionId',
};

export const documentFields: INodeProperties[] = [
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		default: 'data',
		placeholder: 'e.g. data, attachment_0',
		hint: 'The name of the input field that holds the file to send. Separate several names with commas.',
		description: 'All files of an item go into one execution. Leave it empty to send text inputs only.',
	},
	{
		displayName: 'Specify Text Inputs',
		name: 'specifyTextInputs',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to enter the text inputs that go with the documents, if the workflow asks for any',
	},
	{
		displayName: 'Text Inputs',
		name: 'textInputs',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Text Input',
		default: {},
		displayOptions: { show: { specifyTextInputs: ['fields'] } },
		options: [
			{
				displayName: 'Text Input',
				name: 'pairs',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. policy_number',
						description: 'The name as the workflow expects it',
					},
					{ displayName: 'Value', name: 'value', type: 'string', default: '', placeholder: 'e.g. CPP-1001' },
				],
			},
		],
	},
	{
		displayName: 'Text Inputs (JSON)',
		name: 'textInputsJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"policy_number": "CPP-1001"}',
		description: 'The text inputs as one JSON object',
		displayOptions: { show: { specifyTextInputs: ['json'] } },
	},
];

export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw', description: 'The answer of the service as it came, below response' },
		{ name: 'Simplified', value: 'simplified', description: 'Plain values by step, with their confidence beside them' },
	],
	default: 'simplified',
	description: 'What the output item holds',
};

export const waitOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'First Look (Seconds)',
			name: 'firstLookSeconds',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			description: 'When to look at the execution for the first time, counted from its start; later looks are spaced further and further',
		},
		{
			displayName: 'Longest Interval (Seconds)',
			name: 'longestIntervalSeconds',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 30,
			description: 'Two looks at the execution are never further apart than this',
		},
		{
			displayName: 'Timeout (Minutes)',
			name: 'timeoutMinutes',
			type: 'number',
			typeOptions: { minValue: 0.1, numberPrecision: 1 },
			default: 60,
			description: 'How long to wait at most. The execution itself goes on in the service.',
		},
	],
};

/** @throws NodeOperationError when it is empty, or an address where an ID belongs */
export function readWorkflowId(context: IExecuteFunctions, itemIndex: number): string {
	const given: unknown = context.getNodeParameter('workflowId', itemIndex, '');
	const { mode, value } = isRecord(given) ? given : { mode: 'id', value: given };
	if (mode !== 'url') {
		return readId(context, itemIndex, value, 'Workflow', 'Enter the ID of the workflow, or choose By URL and paste its address');
	}
	const id = typeof value === 'string' ? workflowIdInAddress(value) : undefined;
	if (id !== undefined) return id;
	throw new NodeOperationError(context.getNode(), "The address in 'Workflow' holds no ID of a workflow", {
		itemIndex,
		description: 'Paste the address of the workflow from the dashboard of the service, with the ID after /workflows/, or choose By ID',
	});
}

/** @throws NodeOperationError when it is empty, or holds what no ID holds */
export function readExecutionId(context: IExecuteFunctions, itemIndex: number): string {
	const value: unknown = context.getNodeParameter('executionId', itemIndex, '');
	return readId(context, itemIndex, value, 'Execution ID', 'Enter the executionId that Create gave, e.g. {{ $json.executionId }}');
}

function readId(context: IExecuteFunctions, itemIndex: number, value: unknown, field: string, description: string): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const refuse = (message: string) => new NodeOperationError(context.getNode(), message, { itemIndex, description });
	if (id === '') throw refuse(`'${field}' is empty`);
	if (/[\s/?#]/.test(id) || id === '.' || id === '..') throw refuse(`'${field}' is not an ID: '${id.slice(0, 80)}'`);
	return id;
}

export function readOutput(context: IExecuteFunctions, itemIndex: number): Output {
	return context.getNodeParameter('output', itemIndex, 'simplified') === 'raw' ? 'raw' : 'simplified';
}

/** @throws NodeOperationError when a time is not a positive number */
export function readPlan(context: IExecuteFunctions, itemIndex: number): PollingPlan {
	const read = (name: string, field: string, unit: number, standard: number): number => {
		const value: unknown = context.getNodeParameter(`options.${name}`, itemIndex, standard / unit);
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		if (typeof number === 'number' && Number.isFinite(number) && number > 0) return number * unit;
		throw new NodeOperationError(context.getNode(), `'${field}' must be a number above zero, and it is ${JSON.stringify(value)}`, {
			itemIndex,
			description: 'Enter a number, or remove the option',
		});
	};
	return {
		firstMilliseconds: read('firstLookSeconds', 'First Look (Seconds)', 1000, DEFAULT_PLAN.firstMilliseconds),
		longestMilliseconds: read('longestIntervalSeconds', 'Longest Interval (Seconds)', 1000, DEFAULT_PLAN.longestMilliseconds),
		timeoutMilliseconds: read('timeoutMinutes', 'Timeout (Minutes)', 60_000, DEFAULT_PLAN.timeoutMilliseconds),
	};
}
