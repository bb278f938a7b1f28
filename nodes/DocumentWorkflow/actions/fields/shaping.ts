import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readMinimumConfidence } from '../../results/confidence';
import type { Shaping } from '../../results/shaping';
import { listOf } from './documents';
import type { ReadParameter } from './parameters';

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
		placeholder: 'e.g. policy_number, policy_details.total_premium',
		hint: 'Names of extracted fields, with or without their step in front, separated by commas. A name may also be that of a step.',
		description: 'The extracted fields that the output holds; all of them when this is empty',
		displayOptions: { show: { output: ['selected'] } },
	},
];

/** In alphabetical order. */
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
				description: 'Items in which nothing is below the minimum are left out',
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

/** What an item asks of the results. */
export interface ResultChoice {
	shaping: Shaping;
	includeInput: boolean;
	attachReport: boolean;
	/** Whether to fetch the data of steps that came with an address. */
	fetchData: boolean;
}

/** @throws NodeOperationError when the minimum confidence is none */
export function readResultChoice(
	node: INode,
	read: ReadParameter,
	itemIndex: number,
): ResultChoice {
	const option = (name: string): unknown => read(`options.${name}`, null);
	const output = read('output', 'simplified');
	const below = option('below');
	const minimum = readMinimumConfidence(option('minimumConfidence') ?? undefined);
	if (!minimum.ok) throw new NodeOperationError(node, minimum.refusal, { itemIndex });
	return {
		shaping: {
			output:
				output === 'rows' || output === 'raw' || output === 'selected' ? output : 'simplified',
			minimumConfidence: minimum.minimum,
			below: below === 'blank' || below === 'only' ? below : 'mark',
			onlySteps: names(option('onlySteps')),
			includeConfidence: option('includeConfidence') !== false,
			fields: names(read('fields', '')),
		},
		includeInput: option('includeInput') === true,
		attachReport: option('attachReport') === true,
		fetchData: option('fetchData') === true,
	};
}

/** Names apart by commas, or a list from an expression. */
export function names(given: unknown): string[] {
	return [given].flat().flatMap((entry) => (typeof entry === 'string' ? listOf(entry) : []));
}
