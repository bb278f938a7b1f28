import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../../../service/contract';
import { pairsEntry } from '../../panel/options';
import type { Place } from '../../panel/place';
import { jsonObjectOf, pairsOf } from '../../panel/json';

export const textInputFields: INodeProperties[] = [
	{
		displayName: 'Specify Text Inputs',
		name: 'specifyTextInputs',
		type: 'options',
		options: [
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'Enter each text input by its name and value',
			},
			{ name: 'Using JSON', value: 'json', description: 'Enter all text inputs as one object' },
		],
		default: 'fields',
		description:
			'How to enter the text inputs that go with the documents, if the workflow asks for any',
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
			pairsEntry('Text Input', 'The name as the workflow expects it', [
				'e.g. policy_number',
				'e.g. CPP-1001',
			]),
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

/** @throws NodeOperationError saying which text input, or which place in the JSON, is wrong */
export function readTextInputs(place: Place): JsonRecord {
	const { context, itemIndex } = place;
	const parameter = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, itemIndex, fallback);
	return parameter('specifyTextInputs', 'fields') === 'json'
		? jsonObjectOf(
				place,
				parameter('textInputsJson', '{}'),
				'Text Inputs (JSON)',
				'{"policy_number": "CPP-1001"}',
			)
		: pairsOf(place, parameter('textInputs', {}), { field: 'Text Inputs', one: 'text input' });
}
