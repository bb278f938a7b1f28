import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { fileUrlsOf } from '../../documents/addresses';
import type { ChoiceField, Place, ValuesOf } from '../../panel/options';
import {
	choiceOption,
	collectionField,
	fieldsOf,
	namesOption,
	parametersOf,
	readNames,
	readNumberField,
	readOptions,
	switchOption,
} from '../../panel/options';
import type { DocumentChoice } from '../../documents/select';

type Source = 'files' | 'urls' | 'none';

const source: ChoiceField<Source> = {
	displayName: 'Documents',
	name: 'documents',
	type: 'options',
	options: [
		{
			name: 'Files From Input',
			value: 'files',
			description: 'Send files from the input items, such as mail attachments',
		},
		{
			name: 'Files From URLs',
			value: 'urls',
			description: 'Send URLs from which the service downloads the files',
		},
		{
			name: 'Text Inputs Only',
			value: 'none',
			description: 'Send no documents, only text inputs',
		},
	],
	default: 'files',
	description: 'Where the documents come from',
	displayOptions: { show: { '@tool': [false] } },
};

/** An AI agent hands over texts and no files. */
const sourceForAgents: INodeProperties = {
	...source,
	options: source.options.slice(1),
	default: 'urls',
	displayOptions: { show: { '@tool': [true] } },
};

const groupBy = choiceOption<'item' | 'document' | 'all'>({
	displayName: 'Group Documents By',
	name: 'groupBy',
	type: 'options',
	options: [
		{ name: 'All Items Together', value: 'all', description: 'Start one execution for all items' },
		{ name: 'Document', value: 'document', description: 'Start one execution for each document' },
		{
			name: 'Input Item',
			value: 'item',
			description: 'Start one execution for each input item, with all its documents',
		},
	],
	default: 'item',
	description: 'Which documents go into the same execution',
	displayOptions: { show: { documents: ['files', 'urls'] } },
});

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
		description: 'URLs (https://) of files that the service can download, or shared links of Box',
		builderHint: {
			propertyHint:
				'One https:// URL or several, separated by commas. In a tool for an AI agent let the agent fill this in with $fromAI.',
		},
		displayOptions: { show: { documents: ['urls'] } },
	},
	groupBy.field,
];

/** @throws NodeOperationError saying which address cannot be used */
export function readFileUrls(place: Place): string[] {
	return fileUrlsOf(place, place.context.getNodeParameter('fileUrls', place.itemIndex, ''));
}

/** One setting for all items, because it groups them. */
export function readGroupBy(context: IExecuteFunctions) {
	return readOptions(parametersOf({ context, itemIndex: 0 }), { groupBy }).groupBy;
}

const fileNames = namesOption({
	displayName: 'File Names',
	name: 'fileNames',
	placeholder: 'e.g. *.pdf, *.docx, *claim*',
	description: 'Send only files with a matching name; * matches any text',
});

const includeInlineImages = switchOption({
	displayName: 'Include Inline Images',
	name: 'includeInlineImages',
	description: 'Whether to send small images in the text of mails, such as logos',
});

const unusableFiles = choiceOption<DocumentChoice['unusableFiles']>({
	displayName: 'On Unusable File',
	name: 'unusableFiles',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, and nothing from it is sent',
		},
		{
			name: 'Skip and Flag',
			value: 'skip',
			description: 'Send the other files; the output needs review and says why',
		},
	],
	default: 'skip',
	description:
		'What to do with empty files, false PDFs and images, winmail.dat, and encrypted mails',
});

const withoutDocuments = choiceOption<'skip' | 'fail' | 'send'>({
	displayName: 'On No Documents',
	name: 'withoutDocuments',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item fails' },
		{
			name: 'Send Text Inputs',
			value: 'send',
			description: 'Start the execution with text inputs only',
		},
		{
			name: 'Skip and Flag',
			value: 'skip',
			description: 'The item continues with the status skipped, and needs review',
		},
	],
	default: 'skip',
	description: 'What to do with items that have no document to send',
});

const skipsSent = switchOption({
	displayName: 'Skip Already Sent',
	name: 'skipAlreadySent',
	description: 'Whether to skip files that an earlier run of this node has sent',
});

const GROUP = 'documentOptions';

const SELECTION = { fileNames, includeInlineImages, unusableFiles };
const HANDLING = { withoutDocuments, skipsSent };

/** How one create is handled. */
export type SendOptions = ValuesOf<typeof HANDLING>;

export const documentOptionsField: INodeProperties = {
	...collectionField('Document Options', GROUP, fieldsOf({ ...SELECTION, ...HANDLING })),
	displayOptions: { show: { documents: ['files'] } },
};

/** @throws Error when a value cannot be used, such as a file instead of the name of its field */
export function readDocumentOptions(place: Place): {
	source: Source;
	choice: DocumentChoice;
	handling: SendOptions;
} {
	const read = parametersOf(place);
	const chosen = readOptions(read, { source: choiceOption<Source>(source) });
	const patterns = readNames(read('inputDataFieldName', ''), 'Input Data Field Name');
	const handling = readOptions(read, HANDLING, GROUP);
	const { skipsSent } = handling;
	return {
		...chosen,
		choice: { patterns, ...readOptions(read, SELECTION, GROUP), skipsSent },
		handling,
	};
}

const maxInParallel: INodeProperties = {
	displayName: 'Maximum in Parallel',
	name: 'maximumInParallel',
	type: 'number',
	isNodeSetting: true,
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 8,
	description: 'How many executions to start at the same time',
};

/** They say how to send, not what, so n8n shows them on its Settings tab, beside Retry On Fail. */
export const settingFields = [maxInParallel];

/** The first item's values count for the run. */
export function readLimits(context: IExecuteFunctions): { maxInParallel: number } {
	const given: unknown = context.getNodeParameter(maxInParallel.name, 0, null);
	return { maxInParallel: Math.floor(readNumberField(given, maxInParallel)) };
}
