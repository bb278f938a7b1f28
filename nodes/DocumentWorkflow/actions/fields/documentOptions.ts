import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Treatment } from '../../documents/inspect';
import type { Choice } from '../../documents/select';
import type { Option, Place } from '../../panel/options';
import { collectionField, fieldsOf, oneOf, readOptions } from '../../panel/options';
import { readPatterns } from './documents';
import { FILTERS } from './filters';

const FAIL: INodePropertyOptions = {
	name: 'Fail',
	value: 'refuse',
	description: 'Stop with an error; nothing from this item is sent',
};
const SEND: INodePropertyOptions = {
	name: 'Send',
	value: 'send',
	description: 'Send the file as it is',
};
const SKIP: INodePropertyOptions = {
	name: 'Skip',
	value: 'skip',
	description: 'Send the other files; the output lists this one as skipped',
};

const emptyDocuments: Option<'refuse' | 'skip'> = {
	field: {
		displayName: 'On Empty File',
		name: 'emptyDocuments',
		type: 'options',
		options: [FAIL, SKIP],
		default: 'refuse',
		description: 'What to do with files of zero bytes',
	},
	read: (value) => oneOf(value, ['skip'], 'refuse'),
};

const mislabelledDocuments: Option<Treatment> = {
	field: {
		displayName: 'On Type Mismatch',
		name: 'mislabelledDocuments',
		type: 'options',
		options: [FAIL, SEND, SKIP],
		default: 'refuse',
		description: 'What to do when a file is not what its name says',
	},
	read: (value) => oneOf<Treatment>(value, ['skip', 'send'], 'refuse'),
};

const lockedPdfs: Option<Treatment> = {
	field: {
		displayName: 'On Password-Protected PDF',
		name: 'lockedPdfs',
		type: 'options',
		options: [FAIL, SEND, SKIP],
		default: 'refuse',
		description: 'What to do with PDFs that only open with a password',
	},
	read: (value) => oneOf<Treatment>(value, ['skip', 'send'], 'refuse'),
};

const withoutDocuments: Option<Choice['withoutDocuments']> = {
	field: {
		displayName: 'On No Documents',
		name: 'withoutDocuments',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description:
					'Fail if no file matches Input Data Field Name; skip if the filters skipped all',
			},
			{ name: 'Fail', value: 'refuse', description: 'Stop with an error' },
			{
				name: 'Send Text Inputs',
				value: 'send',
				description: 'Start the execution with text inputs only',
			},
			{ name: 'Skip', value: 'skip', description: 'Continue with the status skipped' },
		],
		default: 'automatic',
		description: 'What to do with items that have no document to send',
	},
	read: (value) =>
		oneOf<Choice['withoutDocuments']>(value, ['refuse', 'skip', 'send'], 'automatic'),
};

const skipInlineImages = switchOption({
	displayName: 'Skip Inline Images',
	name: 'skipInlineImages',
	type: 'boolean',
	default: true,
	description: 'Whether to skip small images in the text of mails, such as logos',
});

const skipSameDocument = switchOption({
	displayName: 'Skip Duplicates',
	name: 'skipSameDocument',
	type: 'boolean',
	default: true,
	description: 'Whether to send files with the same content only once per execution',
});

/** n8n sets a switch to its default, which is on, when the user adds it. */
function switchOption(field: INodeProperties): Option<boolean> {
	return { field, read: (value) => value === true };
}

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

const CHECKS = { emptyDocuments, mislabelledDocuments, lockedPdfs };

const OTHERS = { withoutDocuments, skipInlineImages, skipSameDocument, sentMemory };

export const documentOptionsField: INodeProperties = {
	...collectionField('Document Options', GROUP, fieldsOf({ ...FILTERS, ...CHECKS, ...OTHERS })),
	displayOptions: { show: { documents: ['files'] } },
};

export interface DocumentChoice extends Choice {
	skipSameDocument: boolean;
	sentMemory: SentMemory;
}

/** @throws NodeOperationError when a value cannot be used */
export function readDocumentChoice(place: Place): DocumentChoice {
	return {
		patterns: readPatterns(place.context, place.itemIndex),
		filters: readOptions(place, GROUP, FILTERS),
		...readOptions(place, GROUP, { ...CHECKS, ...OTHERS }),
	};
}
