import type { INodeProperties } from 'n8n-workflow';

import { collectionField } from '../panel/options';
import { valueOptions } from './valueFields';

/** The output options of the action node and the trigger. */
const resultOptions: INodeProperties[] = [
	{
		displayName: 'Attach Report',
		name: 'attachReport',
		type: 'boolean',
		default: true,
		description: 'Whether to add a page with the data for people, in the file field report',
	},
	{
		displayName: 'Include Details',
		name: 'includeDetails',
		type: 'boolean',
		default: true,
		description: 'Whether rows have executionDetails, and nested tables as they are, not as text',
		displayOptions: { show: { '/output': ['rows'] } },
	},
	{
		displayName: 'Minimums per Field',
		name: 'fieldMinimums',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add field',
		default: {},
		description: 'Fields with a minimum confidence of their own',
		options: [
			{
				displayName: 'Field',
				name: 'pairs',
				values: [
					{
						displayName: 'Field Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. total_premium',
						description: 'A field, with or without its step in front, or a step for all its fields',
					},
					{
						displayName: 'Minimum Confidence',
						name: 'minimum',
						type: 'number',
						default: 0.95,
						hint: '0.95 = 95 %',
						description: 'With 0, the field is not judged',
					},
				],
			},
		],
	},
	{
		displayName: 'Review Form',
		name: 'reviewForm',
		type: 'boolean',
		default: true,
		description: 'Whether to add a form definition with the low-confidence values, in reviewForm',
		displayOptions: { show: { '/output': ['rows', 'simplified'] } },
	},
	{
		displayName: 'Low-Confidence Values',
		name: 'below',
		type: 'options',
		options: [
			{
				name: 'Flag',
				value: 'mark',
				description: 'Keep the values, and list them as values to review',
			},
			{
				name: 'Set to Null',
				value: 'blank',
				description: 'Return null instead, and list the values as values to review',
			},
		],
		default: 'mark',
		description: 'What to do with values below their minimum confidence',
	},
];

const includeInput: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInput',
	type: 'boolean',
	default: true,
	description: 'Whether to keep the fields of the input item, in the field input',
};

const includeFiles: INodeProperties = {
	displayName: 'Include Input Files',
	name: 'includeFiles',
	type: 'boolean',
	default: true,
	description: 'Whether to pass on the files that were sent',
};

/** For an operation that only starts executions. */
export const inputOptionsField = collectionField('Output Options', 'outputOptions', [
	includeInput,
	includeFiles,
]);

export const outputOptionsField = collectionField('Output Options', 'outputOptions', [
	...resultOptions,
	...valueOptions,
	includeInput,
	includeFiles,
]);

/** The trigger has no input items. */
export const triggerOutputOptionsField = collectionField('Output Options', 'outputOptions', [
	...resultOptions,
	...valueOptions,
]);
