import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { JsonRecord } from '../../../../service/contract';
import { EXTERNAL_ID, REFERENCE } from '../../../../service/contract';
import { asText, jsonObjectOf, pairsOf } from '../../panel/json';
import { readNumber } from './numbers';

/** What to do when an answer to a create was lost. */
export type IfUnknown = 'stop' | 'mark' | 'again';

/** Where it is remembered which documents were sent: nowhere, for this node, or for all nodes of the n8n workflow. */
export type SentMemory = 'off' | 'node' | 'workflow';

const DEFAULT_PARALLEL = 8;

/** In alphabetical order. */
export const sendingOptions: INodeProperties[] = [
	{
		displayName: 'Additional Body Fields (JSON)',
		name: 'additionalFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"priority": "high"}',
		description:
			'Further fields of the request, for services that ask for more than files, text inputs and metadata. Secrets belong in the credential.',
	},
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. INV-2024-001',
		description:
			'Your own identifier of the case. It goes into the metadata as external_id, and comes back with the result.',
	},
	{
		displayName: 'If the Outcome Is Unknown',
		name: 'ifUnknown',
		type: 'options',
		options: [
			{
				name: 'Continue and Mark',
				value: 'mark',
				description: 'The item goes on with the status unknown',
			},
			{
				name: 'Send Again',
				value: 'again',
				description: 'The documents are sent again. This may start a second execution.',
			},
			{ name: 'Stop', value: 'stop', description: 'The item fails, and says what to check' },
		],
		default: 'stop',
		description:
			'What to do when the connection broke before the service answered: the execution may have been started or not',
	},
	{
		displayName: 'Maximum in Parallel',
		name: 'maximumInParallel',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 8,
		description:
			'How many executions are started at the same time. All slow down together when the service is too busy.',
	},
	{
		displayName: 'Metadata',
		name: 'metadata',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add metadata',
		default: {},
		description:
			'Values of your own that the service keeps with the execution and gives back with the result',
		options: [
			{
				displayName: 'Entry',
				name: 'pairs',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. mailbox',
						description: 'The name under which it comes back',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. claims@example.com',
					},
				],
			},
		],
	},
	{
		displayName: 'Metadata (JSON)',
		name: 'metadataJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"mailbox": "claims@example.com"}',
		description: 'The same as one JSON object',
	},
	{
		displayName: 'Skip Documents Already Sent',
		name: 'skipAlreadySent',
		type: 'options',
		options: [
			{ name: 'Off', value: 'off', description: 'Documents are sent each time' },
			{
				name: 'Sent by This Node',
				value: 'node',
				description: 'The safer choice. To forget what was sent, replace the node by a copy of it.',
			},
			{
				name: 'Sent by This Workflow',
				value: 'workflow',
				description:
					'Not together with a Remove Duplicates node of the scope Workflow, because both use the same record. To forget what was sent, let such a node clear it.',
			},
		],
		default: 'off',
		description:
			'Whether to leave out documents that an earlier run has sent to the same workflow of the service. Contents are compared, not names, so it is for files and not for URLs. Only what the service accepted is remembered.',
	},
];

/**
 * Metadata of an execution: what is in the JSON, in the pairs, and the external ID.
 * @throws NodeOperationError when one name is given twice, or the JSON is wrong
 */
export function readMetadata(context: IExecuteFunctions, itemIndex: number): JsonRecord {
	const option = optionOf(context, itemIndex);
	const sources: JsonRecord[] = [
		jsonObjectOf(
			context,
			itemIndex,
			option('metadataJson'),
			'Metadata (JSON)',
			'{"mailbox": "claims@example.com"}',
		),
		pairsOf(context, itemIndex, option('metadata'), { field: 'Metadata', one: 'metadata entry' }),
		externalIdOf(context, itemIndex, option('externalId')),
	];
	const entries = sources.flatMap((source) => Object.entries(source));
	if (entries.some(([name]) => name === REFERENCE)) {
		throw new NodeOperationError(
			context.getNode(),
			`'${REFERENCE}' cannot be used in the metadata: the node keeps its own reference there`,
			{
				itemIndex,
				description: 'Choose another name for this entry',
			},
		);
	}
	const twice = entries
		.map(([name]) => name)
		.find((name, index, names) => names.indexOf(name) !== index);
	if (twice === undefined) return Object.fromEntries(entries);
	throw new NodeOperationError(context.getNode(), `'${twice}' is given twice in the metadata`, {
		itemIndex,
		description:
			"Give it once, in 'Metadata', 'Metadata (JSON)' or, for external_id, in 'External ID'",
	});
}

function externalIdOf(context: IExecuteFunctions, itemIndex: number, value: unknown): JsonRecord {
	const text = asText(value)?.trim();
	if (text === undefined || (typeof value === 'object' && /^[[{]/.test(text))) {
		throw new NodeOperationError(
			context.getNode(),
			"'External ID' must be a text, a number or a date, and it is something else",
			{
				itemIndex,
				description: 'Enter a text, a number or a date, e.g. {{ $json.id }}',
			},
		);
	}
	return text === '' ? {} : { [EXTERNAL_ID]: text };
}

/** @throws NodeOperationError when it is not a JSON object, or names a field that has a place of its own in the panel */
export function readAdditionalFields(
	context: IExecuteFunctions,
	itemIndex: number,
	taken: string[],
): JsonRecord {
	const fields = jsonObjectOf(
		context,
		itemIndex,
		optionOf(context, itemIndex)('additionalFields'),
		'Additional Body Fields (JSON)',
		'{"priority": "high"}',
	);
	const clash = taken.find((name) => name in fields);
	if (clash === undefined) return fields;
	throw new NodeOperationError(
		context.getNode(),
		`'Additional Body Fields (JSON)' holds '${clash}', which this node sends itself`,
		{
			itemIndex,
			description: "Use 'Documents', 'Text Inputs', 'Metadata' or the credential for it",
		},
	);
}

export function readIfUnknown(context: IExecuteFunctions, itemIndex: number): IfUnknown {
	const value = optionOf(context, itemIndex)('ifUnknown');
	return value === 'mark' || value === 'again' ? value : 'stop';
}

export function readSentMemory(context: IExecuteFunctions, itemIndex: number): SentMemory {
	const value = optionOf(context, itemIndex)('skipAlreadySent');
	return value === 'node' || value === 'workflow' ? value : 'off';
}

/** One for the run: of the first item. */
export function readMostInParallel(context: IExecuteFunctions): number {
	const value = optionOf(context, 0)('maximumInParallel');
	return value === null
		? DEFAULT_PARALLEL
		: Math.max(1, Math.floor(readNumber(context, 0, value, 'Maximum in Parallel')));
}

function optionOf(context: IExecuteFunctions, itemIndex: number): (name: string) => unknown {
	return (name) => context.getNodeParameter(`options.${name}`, itemIndex, null);
}
