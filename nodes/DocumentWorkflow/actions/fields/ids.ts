import type { INodeProperties, NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../../../../service/contract';
import { readIdentifier } from '../../../../service/identifier';
import { excerptOf, plainText } from '../../../../service/text';
import type { Place } from '../../panel/place';
import { errorAt } from '../../panel/place';

export const workflowField: INodeProperties = {
	displayName: 'Workflow',
	name: 'workflowId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description: 'The workflow in your document service, not an n8n workflow',
	modes: [
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. policy-intake',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*(?:[^\\s/?#]+|[hH][tT][tT][pP][sS]?://.+/[wW]orkflows?/[^/?#\\s]+.*)\\s*$',
						errorMessage: 'Enter an ID without spaces or slashes, or paste the URL of the workflow',
					},
				},
			],
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/workflows/policy-intake',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*[hH][tT][tT][pP][sS]?://.+/[wW]orkflows?/[^/?#\\s]+.*$',
						errorMessage:
							'The URL must contain the ID after /workflows/, as in the dashboard of the service',
					},
				},
			],
		},
	],
};

export const executionIdField: INodeProperties = {
	displayName: 'Execution ID',
	name: 'executionId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.executionId }}',
	description: 'The executionId from the output of Create Execution',
};

const ADDRESS_ADVICE =
	'Paste the URL of the workflow from the dashboard of the service, with the ID after /workflows/, or enter the ID';

/**
 * Reads the ID of the workflow, also from a pasted URL.
 * @throws NodeOperationError when it is empty, or holds no ID
 */
export function readWorkflowId(place: Place): string {
	const { context, itemIndex } = place;
	const given: unknown = context.getNodeParameter('workflowId', itemIndex, '');
	const { mode, value } = isRecord(given) ? given : { mode: 'id', value: given };
	const found = typeof value === 'string' ? workflowIdInAddress(value) : undefined;
	if (found === undefined && mode !== 'url')
		return readId(place, value, 'Workflow', 'Enter the ID of the workflow, or paste its URL');
	if (found === undefined)
		throw errorAt(place, "The URL in 'Workflow' contains no workflow ID", ADDRESS_ADVICE);
	const id = readIdentifier(found);
	if (id === undefined) throw notAnId(place, 'Workflow', found, ADDRESS_ADVICE);
	return id;
}

/** @throws NodeOperationError when it is empty, or holds what no ID holds */
export function readExecutionId(place: Place): string {
	const { context, itemIndex } = place;
	const value: unknown = context.getNodeParameter('executionId', itemIndex, '');
	return readId(
		place,
		value,
		'Execution ID',
		'Enter the executionId from the output of Create Execution, e.g. {{ $json.executionId }}',
	);
}

function readId(place: Place, value: unknown, field: string, advice: string): string {
	const id = readIdentifier(value);
	if (id !== undefined && !/[\s/?#]/.test(id)) return id;
	const text = excerptOf(value ?? '');
	if (text === '') throw errorAt(place, `'${field}' is empty`, advice);
	if (typeof value !== 'number') throw notAnId(place, field, text, advice);
	throw errorAt(
		place,
		`'${field}' is a number that is not exact: ${text}`,
		'Give the ID as a text, in quotes, where it is first written: numbers keep about 15 digits',
	);
}

function notAnId(place: Place, field: string, text: string, advice: string): NodeOperationError {
	return errorAt(place, `'${field}' is not an ID: '${plainText(text, [], 80)}'`, advice);
}

/** The ID after `workflows/` in an address of the service's dashboard or API. */
const IN_ADDRESS = /\/workflows?\/([^/?#\s]+)/i;

/** The ID in an address, also in its fragment as in single-page dashboards; undefined when there is none. */
export function workflowIdInAddress(address: string): string | undefined {
	const found = IN_ADDRESS.exec(address.trim())?.[1];
	if (found === undefined || !/^https?:\/\//i.test(address.trim())) return undefined;
	try {
		return decodeURIComponent(found);
	} catch {
		return found;
	}
}
