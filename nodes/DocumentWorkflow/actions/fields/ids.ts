import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../../../service/json';
import { readIdentifier, workflowIdIn } from '../../../../service/identifier';
import { excerptOf, plainText } from '../../../../service/text';
import { errorAt, type Place } from '../../panel/options';

export const workflowField: INodeProperties = {
	displayName: 'Workflow',
	name: 'workflowId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	hint: 'A workflow of your document service, not of n8n',
	builderHint: {
		propertyHint:
			'A workflow of the external document service, never an n8n workflow. Ask the user for its ID, and use { mode: "id", value: the ID }.',
	},
	description: 'The workflow that processes the documents, configured in your document service',
	// No `validation`: n8n gives its regex 250 ms, also before each check of a wait. On a busy machine the wait would be lost.
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a workflow...',
			typeOptions: { searchListMethod: 'searchWorkflows', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. policy-intake, or its URL',
		},
	],
};

export const executionIdField: INodeProperties = {
	displayName: 'Execution ID',
	name: 'executionId',
	type: 'string',
	required: true,
	default: '={{ $json.executionId }}',
	description: 'The executionId from the output of Create Execution',
};

/** @throws NodeOperationError when it is empty, or holds neither an ID nor the URL of a workflow */
export function readWorkflowId(place: Place): string {
	const given: unknown = place.context.getNodeParameter('workflowId', place.itemIndex, '');
	const value = isRecord(given) ? given.value : given;
	const id = typeof value === 'string' ? workflowIdIn(value) : value;
	const advice =
		'Select a workflow From List, or choose By ID and enter its ID, or its URL with the ID after /workflows/';
	return checkId(place, id, 'Workflow', advice);
}

/** @throws NodeOperationError when it is empty, or holds what no ID holds */
export function readExecutionId(place: Place): string {
	const value: unknown = place.context.getNodeParameter('executionId', place.itemIndex, '');
	const advice =
		'Enter the executionId from the output of Create Execution, e.g. the expression $json.executionId';
	return checkId(place, value, 'Execution ID', advice);
}

function checkId(place: Place, value: unknown, field: string, advice: string): string {
	const id = readIdentifier(value);
	if (id !== undefined && !/[\s/?#]/.test(id)) return id;
	const text = excerptOf(value ?? '');
	if (text === '') throw errorAt(place, `'${field}' is empty`, advice);
	if (typeof value === 'number')
		throw errorAt(
			place,
			`'${field}' is a number with too many digits: ${text}`,
			'Enter the ID as a text, in quotes, in the node that sets it: numbers keep only about 15 digits',
		);
	throw errorAt(place, `'${field}' is not an ID: '${plainText(text, [], 80)}'`, advice);
}
