import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { CreateLimits } from '../../connection/connect';
import type { Choice } from '../../documents/select';
import type { Option, Place } from '../../panel/options';
import {
	collectionField,
	fieldsOf,
	oneOf,
	readNames,
	readNumber,
	readOptions,
} from '../../panel/options';
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

const skipsSent: Option<boolean> = {
	field: {
		displayName: 'Skip Already Sent',
		name: 'skipAlreadySent',
		type: 'boolean',
		default: true,
		description: 'Whether to skip files that an earlier run of this node has sent',
	},
	read: (value) => value === true,
};

const GROUP = 'documentOptions';

const OPTIONS = { fileNames, includeInlineImages, unusableFiles, withoutDocuments, skipsSent };

export const documentOptionsField: INodeProperties = {
	...collectionField('Document Options', GROUP, fieldsOf(OPTIONS)),
	displayOptions: { show: { documents: ['files'] } },
};

/** @throws NodeOperationError when a value cannot be used */
export function readDocumentChoice(place: Place): Choice {
	return {
		patterns: readPatterns(place),
		...readOptions(place, GROUP, OPTIONS),
	};
}

const maxInParallel: INodeProperties = {
	displayName: 'Maximum in Parallel',
	name: 'maximumInParallel',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 8,
	description: 'How many executions to start at the same time',
};

/** They say how to send, not what, so n8n shows them on its Settings tab, beside Retry On Fail. */
export const settingFields: INodeProperties[] = [maxInParallel].map((field) => ({
	...field,
	isNodeSetting: true,
}));

/** The first item's values count for the run. */
export function readLimits(context: IExecuteFunctions): CreateLimits {
	const given: unknown = context.getNodeParameter(maxInParallel.name, 0, null);
	const number = readNumber({ context, itemIndex: 0 }, given, maxInParallel);
	return { maxInParallel: Math.floor(number) };
}
