import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../../../service/contract';
import { pairsEntry } from '../../panel/options';
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
export function readTextInputs(context: IExecuteFunctions, itemIndex: number): JsonRecord {
	if (context.getNodeParameter('specifyTextInputs', itemIndex, 'fields') === 'json') {
		const given: unknown = context.getNodeParameter('textInputsJson', itemIndex, '{}');
		return jsonObjectOf(
			context,
			itemIndex,
			given,
			'Text Inputs (JSON)',
			'{"policy_number": "CPP-1001"}',
		);
	}
	return pairsOf(context, itemIndex, context.getNodeParameter('textInputs', itemIndex, {}), {
		field: 'Text Inputs',
		one: 'text input',
	});
}
