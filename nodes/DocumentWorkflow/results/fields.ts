import type { INodeProperties } from 'n8n-workflow';

export const DEFAULT_MINIMUM = 0.8;

export const outputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'One Item per Row',
				value: 'rows',
				description: 'A table: one item for each extracted row, with its fields as columns',
			},
			{ name: 'Raw', value: 'raw', description: 'The unchanged answer of the service' },
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'As Simplified, with only the fields that you name',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'One item per execution, with its values by step',
			},
		],
		default: 'simplified',
		description: 'What the output items contain',
	},
	{
		displayName: 'Step',
		name: 'step',
		type: 'string',
		default: '',
		placeholder: 'e.g. coverages (empty: the rows of all steps)',
		description: 'The step whose rows to return. Leave empty for the rows of all steps.',
		displayOptions: { show: { output: ['rows'] } },
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: 'e.g. policy_number, coverages.limit, metadata',
		hint: 'Separate names by commas: an extracted field, step.field, a step, or a field of the item.',
		description: 'The fields to return. Leave empty for all.',
		displayOptions: { show: { output: ['selected'] } },
	},
	{
		displayName: 'Minimum Confidence',
		name: 'minimumConfidence',
		type: 'number',
		default: 0.8,
		hint: '0.8 = 80 %',
		description: 'Values with less confidence need review. With 0, no value is judged.',
	},
];
