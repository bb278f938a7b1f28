import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../../../../service/contract';
import { workflowIdInAddress } from '../workflowId';

export const workflowField: INodeProperties = {
	displayName: 'Workflow',
	name: 'workflowId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description:
		'The workflow of the service that works on the documents. It is configured in the dashboard of the service.',
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
						regex: '^\\s*[^\\s/?#]+\\s*$',
						errorMessage: 'An ID has no spaces or slashes. For an address choose By URL.',
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
							'The address must hold the ID after /workflows/, as in the dashboard of the service',
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
	description: 'The ID that Create gave in its output as executionId',
};

/** @throws NodeOperationError when it is empty, or an address where an ID belongs */
export function readWorkflowId(context: IExecuteFunctions, itemIndex: number): string {
	const given: unknown = context.getNodeParameter('workflowId', itemIndex, '');
	const { mode, value } = isRecord(given) ? given : { mode: 'id', value: given };
	if (mode !== 'url') {
		return readId(
			context,
			itemIndex,
			value,
			'Workflow',
			'Enter the ID of the workflow, or choose By URL and paste its address',
		);
	}
	const id = typeof value === 'string' ? workflowIdInAddress(value) : undefined;
	if (id !== undefined) return id;
	throw new NodeOperationError(
		context.getNode(),
		"The address in 'Workflow' holds no ID of a workflow",
		{
			itemIndex,
			description:
				'Paste the address of the workflow from the dashboard of the service, with the ID after /workflows/, or choose By ID',
		},
	);
}

/** @throws NodeOperationError when it is empty, or holds what no ID holds */
export function readExecutionId(context: IExecuteFunctions, itemIndex: number): string {
	const value: unknown = context.getNodeParameter('executionId', itemIndex, '');
	return readId(
		context,
		itemIndex,
		value,
		'Execution ID',
		'Enter the executionId that Create gave, e.g. {{ $json.executionId }}',
	);
}

function readId(
	context: IExecuteFunctions,
	itemIndex: number,
	value: unknown,
	field: string,
	description: string,
): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const refuse = (message: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	if (id === '') throw refuse(`'${field}' is empty`);
	if (/[\s/?#]/.test(id) || id === '.' || id === '..')
		throw refuse(`'${field}' is not an ID: '${id.slice(0, 80)}'`);
	return id;
}
