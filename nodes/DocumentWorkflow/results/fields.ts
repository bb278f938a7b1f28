import type { INodeProperties } from 'n8n-workflow';

import { collectionField } from '../panel/options';

export const outputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'One Item per Row',
				value: 'rows',
				description:
					'An item for each extracted row, such as a vehicle or a claim, with its values under fields',
			},
			{
				name: 'Raw',
				value: 'raw',
				description: 'The answer of the service as it came, below response',
			},
			{
				name: 'Selected Fields',
				value: 'selected',
				description:
					'As Simplified, with the fields that you choose and no others; good for AI agents',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description:
					'One item for the execution: plain values by step, with their confidence beside them',
			},
		],
		default: 'simplified',
		description: 'What the output items hold',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: 'e.g. policy_number, data.policy_details[0].total_premium',
		hint: 'Names of extracted fields, with or without their step in front, or paths as the output shows them, separated by commas. A name may also be that of a step.',
		description: 'The extracted fields that the output holds; all of them when this is empty',
		displayOptions: { show: { output: ['selected'] } },
	},
];

export const shapingOptions: INodeProperties[] = [
	{
		displayName: 'Attach Report',
		name: 'attachReport',
		type: 'boolean',
		default: true,
		description:
			'Whether to attach the extracted rows as a CSV file for people, in the field report, e.g. to mail it or to put it into SharePoint',
	},
	{
		displayName: 'Below the Minimum Confidence',
		name: 'below',
		type: 'options',
		options: [
			{
				name: 'Blank the Value',
				value: 'blank',
				description: 'Values below the minimum are null; lowConfidenceFields lists them',
			},
			{
				name: 'Mark',
				value: 'mark',
				description: 'Values stay; needsReview and lowConfidenceFields tell what to look at',
			},
			{
				name: 'Only Those Items',
				value: 'only',
				description: 'Items that need no review are left out',
			},
		],
		default: 'mark',
		description: "What happens to values below the minimum. It needs 'Minimum Confidence'.",
	},
	{
		displayName: 'Fetch Data From Addresses',
		name: 'fetchData',
		type: 'boolean',
		default: true,
		description:
			'Whether to fetch the data of steps for which the service gives an address instead of the data',
	},
	{
		displayName: 'Include Confidence',
		name: 'includeConfidence',
		type: 'boolean',
		default: false,
		description:
			'Whether the output holds the confidence of each value. It does unless you switch it off here.',
	},
	{
		displayName: 'Include Input Fields',
		name: 'includeInput',
		type: 'boolean',
		default: true,
		description: 'Whether to keep the fields of the input item, in the field input',
	},
	{
		displayName: 'Minimum Confidence',
		name: 'minimumConfidence',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.8 or 80 %',
		description:
			'Values in which the service has less confidence than this need a review by a person. From 0 to 1, or in percent.',
	},
	{
		displayName: 'Only Steps',
		name: 'onlySteps',
		type: 'string',
		default: '',
		placeholder: 'e.g. policy_details, coverages',
		description:
			'The steps of the workflow whose data is put out, separated by commas; all of them when this is empty',
	},
];

export const outputOptionsField = collectionField(
	'Output Options',
	'outputOptions',
	shapingOptions,
);
