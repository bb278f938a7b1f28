import type { INodeProperties } from 'n8n-workflow';

import type { Choice } from '../../documents/select';
import type { Option, Place } from '../../panel/options';
import { collectionField, fieldsOf, oneOf, readNames, readOptions } from '../../panel/options';
import { readPatterns } from './documents';

const fileNames: Option<string[]> = {
	field: {
		displayName: 'File Names',
		name: 'fileNames',
		type: 'string',
		default: '',
		placeholder: 'e.g. *.pdf, *.docx, *claim*',
		description: 'Send only files with a matching name; * matches any text',
	},
	read: (value) => readNames(value, 'File Names'),
};

const includeInlineImages: Option<boolean> = {
	field: {
		displayName: 'Include Inline Images',
		name: 'includeInlineImages',
		type: 'boolean',
		default: true,
		description: 'Whether to send small images in the text of mails, such as logos',
	},
	// n8n sets a switch to its default, which is on, when the user adds it.
	read: (value) => value === true,
};

const unusableFiles: Option<Choice['unusableFiles']> = {
	field: {
		displayName: 'On Unusable File',
		name: 'unusableFiles',
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'fail',
				description: 'Stop with an error; nothing from this item is sent',
			},
			{
				name: 'Skip and Flag',
				value: 'skip',
				description: 'Send the other files; the output needs review and says why',
			},
		],
		default: 'skip',
		description:
			'What to do with files that are empty, falsely named, or wrap others (winmail.dat)',
	},
	read: (value) => oneOf(value, ['fail'], 'skip'),
};

const withoutDocuments: Option<Choice['withoutDocuments']> = {
	field: {
		displayName: 'On No Documents',
		name: 'withoutDocuments',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Stop with an error' },
			{
				name: 'Send Text Inputs',
				value: 'send',
				description: 'Start the execution with text inputs only',
			},
			{ name: 'Skip', value: 'skip', description: 'Continue with the status skipped' },
		],
		default: 'skip',
		description: 'What to do with items that have no document to send',
	},
	read: (value) => oneOf(value, ['fail', 'send'], 'skip'),
};

/** Where sent documents are remembered: nowhere, for this node, or for all nodes of the n8n workflow. */
export type SentMemory = 'off' | 'node' | 'workflow';

const sentMemory: Option<SentMemory> = {
	field: {
		displayName: 'Skip Already Sent',
		name: 'skipAlreadySent',
		type: 'options',
		options: [
			{
				name: 'By This Node',
				value: 'node',
				description: 'Safer: no other node shares this record',
			},
			{
				name: 'By This Workflow',
				value: 'workflow',
				description:
					'One record for all nodes of this n8n workflow, and its Remove Duplicates nodes',
			},
			{ name: 'Off', value: 'off', description: 'Send files each time' },
		],
		default: 'node',
		description:
			'Skip files that an earlier run sent to the same workflow of your document service',
	},
	read: (value) => oneOf(value, ['node', 'workflow'], 'off'),
};

const GROUP = 'documentOptions';

const OPTIONS = { fileNames, includeInlineImages, unusableFiles, withoutDocuments, sentMemory };

export const documentOptionsField: INodeProperties = {
	...collectionField('Document Options', GROUP, fieldsOf(OPTIONS)),
	displayOptions: { show: { documents: ['files'] } },
};

export interface DocumentChoice extends Choice {
	sentMemory: SentMemory;
}

/** @throws NodeOperationError when a value cannot be used */
export function readDocumentChoice(place: Place): DocumentChoice {
	return {
		patterns: readPatterns(place.context, place.itemIndex),
		...readOptions(place, GROUP, OPTIONS),
	};
}
