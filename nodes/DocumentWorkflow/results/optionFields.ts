import type { INodeProperties } from 'n8n-workflow';

import { collectionField } from '../panel/options';

const NOT_FOR_ROWS = { show: { '/output': ['raw', 'selected', 'simplified'] } };

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
		displayName: 'Leave Out Confidence',
		name: 'leaveOutConfidence',
		type: 'boolean',
		default: true,
		description:
			'Whether to leave out confidence scores. Rows have them only with Include Details.',
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
						description: 'Name of an extracted field, with or without its step in front',
					},
					{
						displayName: 'Minimum Confidence',
						name: 'minimum',
						type: 'number',
						typeOptions: { minValue: 0, maxValue: 1 },
						default: 0.95,
						description: 'From 0 to 1; with 0 the field is not judged',
					},
				],
			},
		],
	},
	{
		displayName: 'Only Steps',
		name: 'onlySteps',
		type: 'string',
		default: '',
		placeholder: 'e.g. policy_details, coverages',
		description: 'Comma-separated step names to return. Leave empty for all.',
		displayOptions: NOT_FOR_ROWS,
	},
	{
		displayName: 'Review Form',
		name: 'reviewForm',
		type: 'boolean',
		default: true,
		description: 'Whether to add a form definition with the low-confidence values, in reviewForm',
		displayOptions: { show: { '/output': ['rows', 'simplified'] } },
	},
];

const FLAG = {
	name: 'Flag',
	value: 'mark',
	description: 'Keep the values, and list them as values to review',
};
const SET_TO_NULL = {
	name: 'Set to Null',
	value: 'blank',
	description: 'Return null instead, and list the values as values to review',
};

/** The trigger has an option of its own for items that need review. */
const lowConfidenceInTrigger: INodeProperties = {
	displayName: 'Low-Confidence Values',
	name: 'below',
	type: 'options',
	options: [FLAG, SET_TO_NULL],
	default: 'mark',
	description: 'What to do with values below their minimum confidence',
};

const lowConfidence: INodeProperties = {
	...lowConfidenceInTrigger,
	options: [
		FLAG,
		{
			name: 'Review Items Only',
			value: 'only',
			description: 'Leave out items that need no review',
		},
		SET_TO_NULL,
	],
};

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

const fetchData: INodeProperties = {
	displayName: 'Download Data',
	name: 'fetchData',
	type: 'boolean',
	default: true,
	description: 'Whether to download data for which the service returns a URL',
};

/** For an operation that only starts executions. */
export const inputOptionsField = collectionField('Output Options', 'outputOptions', [
	includeInput,
	includeFiles,
]);

export const outputOptionsField = collectionField('Output Options', 'outputOptions', [
	...resultOptions,
	lowConfidence,
	includeInput,
	includeFiles,
	fetchData,
]);

/** The trigger has no input items, and downloads data unless told otherwise. */
export const triggerOutputOptionsField = collectionField('Output Options', 'outputOptions', [
	...resultOptions,
	lowConfidenceInTrigger,
	{
		displayName: 'Skip Data Download',
		name: 'skipDownload',
		type: 'boolean',
		default: true,
		description: 'Whether to leave data at its URL instead of downloading it',
	},
]);
