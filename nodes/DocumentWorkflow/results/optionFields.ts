import type { INodeProperties } from 'n8n-workflow';

import { collectionField } from '../panel/options';

const FOR_ROWS = { show: { '/output': ['rows'] } };

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
		displayName: 'Row Details',
		name: 'rowDetails',
		type: 'options',
		options: [
			{
				name: 'Full',
				value: 'full',
				description: 'Also needsReview, and _execution with everything about the execution',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Only the extracted fields, to map them automatically',
			},
			{
				name: 'Short',
				value: 'short',
				description: 'Also needsReview, _lowConfidenceFields, _step, _row and _executionId',
			},
		],
		default: 'none',
		description: 'What rows have beside their extracted fields. Short if not added.',
		displayOptions: FOR_ROWS,
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

const includeInputInResult: INodeProperties = {
	...includeInput,
	description: "Whether to keep the input item's fields. In rows only with Row Details → Full.",
};

const leaveOutFiles: INodeProperties = {
	displayName: 'Leave Out Files',
	name: 'leaveOutFiles',
	type: 'boolean',
	default: true,
	description: 'Whether to drop the input files instead of passing them on',
};

/** For an operation that only starts executions. */
export const inputOptionsField = collectionField('Output Options', 'outputOptions', [
	includeInput,
	leaveOutFiles,
]);

export const outputOptionsField = collectionField('Output Options', 'outputOptions', [
	...resultOptions,
	includeInputInResult,
	leaveOutFiles,
]);

/** The trigger has no input items. */
export const triggerOutputOptionsField = collectionField(
	'Output Options',
	'outputOptions',
	resultOptions,
);
