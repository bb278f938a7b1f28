import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { fileUrlsOf } from '../../documents/addresses';
import type { Place } from '../../panel/options';
import { oneOf, readNames } from '../../panel/options';

/** Where the documents of an execution come from. */
export type Source = 'files' | 'urls' | 'none';

/** How documents are grouped into executions. */
export type GroupBy = 'item' | 'document' | 'all';

const fromUrls: INodePropertyOptions = {
	name: 'Files From URLs',
	value: 'urls',
	description: 'Send URLs from which the service downloads the files',
};

const withoutDocuments: INodePropertyOptions = {
	name: 'Text Inputs Only',
	value: 'none',
	description: 'Send no documents, only text inputs',
};

const source: INodeProperties = {
	displayName: 'Documents',
	name: 'documents',
	type: 'options',
	options: [
		{
			name: 'Files From Input',
			value: 'files',
			description: 'Send files from the input items, such as mail attachments',
		},
		fromUrls,
		withoutDocuments,
	],
	default: 'files',
	description: 'Where the documents come from',
	displayOptions: { show: { '@tool': [false] } },
};

/** An AI agent hands over texts and no files. */
const sourceForAgents: INodeProperties = {
	...source,
	options: [fromUrls, withoutDocuments],
	default: 'urls',
	displayOptions: { show: { '@tool': [true] } },
};

export const documentFields: INodeProperties[] = [
	sourceForAgents,
	source,
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		default: '*',
		placeholder: 'e.g. data, attachment_*',
		hint: '* for all files, or names such as data or attachment_*',
		description: 'Input fields with the files to send, separated by commas; * matches any text',
		displayOptions: { show: { documents: ['files'] } },
	},
	{
		displayName: 'File URLs',
		name: 'fileUrls',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. https://files.example.com/policy.pdf',
		hint: 'Separate several URLs with commas or line breaks',
		description: 'URLs (https://) that the service can download, or shared links of Box',
		builderHint: {
			propertyHint:
				'One https:// URL or several, separated by commas. In a tool for an AI agent let the agent fill this in with $fromAI.',
		},
		displayOptions: { show: { documents: ['urls'] } },
	},
	{
		displayName: 'Group Documents By',
		name: 'groupBy',
		type: 'options',
		options: [
			{
				name: 'All Items Together',
				value: 'all',
				description: 'Start one execution for all items',
			},
			{
				name: 'Document',
				value: 'document',
				description: 'Start one execution for each document',
			},
			{
				name: 'Input Item',
				value: 'item',
				description: 'Start one execution for each input item, with all its documents',
			},
		],
		default: 'item',
		description: 'Which documents go into the same execution',
		displayOptions: { show: { documents: ['files', 'urls'] } },
	},
];

export function readSource({ context, itemIndex }: Place): Source {
	const source: unknown = context.getNodeParameter('documents', itemIndex, null);
	return oneOf<Source>(source, ['urls', 'none'], 'files');
}

/** @throws NodeOperationError saying which address cannot be used */
export function readFileUrls(place: Place): string[] {
	return fileUrlsOf(place, place.context.getNodeParameter('fileUrls', place.itemIndex, ''));
}

/** One setting for all items, because it groups them. */
export function readGroupBy(context: IExecuteFunctions): GroupBy {
	const groupBy: unknown = context.getNodeParameter('groupBy', 0, null);
	return oneOf<GroupBy>(groupBy, ['document', 'all'], 'item');
}

/** @throws Error when it holds something else, such as a file instead of the name of its field */
export function readPatterns({ context, itemIndex }: Place): string[] {
	const given: unknown = context.getNodeParameter('inputDataFieldName', itemIndex, '');
	return readNames(given, 'Input Data Field Name');
}
