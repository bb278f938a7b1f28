import type { INodeProperties } from 'n8n-workflow';

import { collectionField } from '../panel/options';
import type { Style } from './values/numbers';

export const STYLE_NAMES: Record<Style, string> = { us: 'US', uk: 'UK', europe: 'Europe' };

const valueOptions: INodeProperties[] = [
	{
		displayName: 'Number Fields',
		name: 'numberFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. sq_ft, building*',
		description: 'Comma-separated fields whose texts are numbers. * stands for any text.',
		displayOptions: { show: { values: ['us', 'uk', 'europe'] } },
	},
	{
		displayName: 'Required Fields',
		name: 'requiredFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. policy_number, coverages.limit',
		description:
			'Comma-separated fields that must have a value. Without one, the item needs review.',
	},
	{
		displayName: 'Values',
		name: 'values',
		type: 'options',
		options: [
			{ name: 'As Extracted', value: 'asExtracted', description: 'Texts stay as they are' },
			{
				name: 'Convert: Europe',
				value: 'europe',
				description: 'Texts become numbers and dates: 1.234,56 and 31.12.2026',
			},
			{
				name: 'Convert: UK',
				value: 'uk',
				description: "1,234.56 and 31/12/2026. Also for Switzerland: 1'234.56.",
			},
			{
				name: 'Convert: US',
				value: 'us',
				description: 'Texts become numbers and dates: 1,234.56 and 12/31/2026',
			},
		],
		default: 'us',
		description: 'How the documents write numbers and dates. As Extracted if not added.',
	},
];

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
];

const includeFiles: INodeProperties = {
	displayName: 'Include Input Files',
	name: 'includeFiles',
	type: 'boolean',
	default: true,
	description: 'Whether to pass on the files that were sent',
};

/** For an operation that only starts executions. */
export const inputOptionsField = collectionField('Output Options', 'outputOptions', [includeFiles]);

export const outputOptionsField = collectionField('Output Options', 'outputOptions', [
	...resultOptions,
	...valueOptions,
	includeFiles,
]);

/** The trigger has no input items. */
export const triggerOutputOptionsField = collectionField('Output Options', 'outputOptions', [
	...resultOptions,
	...valueOptions,
]);
