import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { JsonRecord } from '../../../../service/contract';
import { isRecord } from '../../../../service/contract';
import type { Treatment } from '../../documents/inspect';
import type { Choice } from '../../documents/select';
import { readNames } from '../../panel/lists';
import { readNumber } from '../../panel/numbers';
import { oneOf } from '../../panel/options';
import { readPatterns } from './documents';

const REFUSE: INodePropertyOptions = {
	name: 'Refuse',
	value: 'refuse',
	description: 'The item fails, and nothing of it is sent',
};
const SEND: INodePropertyOptions = {
	name: 'Send',
	value: 'send',
	description: 'The document is sent as it is',
};
const SKIP: INodePropertyOptions = {
	name: 'Skip',
	value: 'skip',
	description: 'The other documents are sent, and the output lists this one as skipped',
};

const largest: INodeProperties = {
	displayName: 'Largest Size (MB)',
	name: 'largestMegabytes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10_000 },
	default: 100,
	description: 'Only documents of this many million bytes or fewer; 0 for no limit',
};

const smallest: INodeProperties = {
	displayName: 'Smallest Size (kB)',
	name: 'smallestKilobytes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10_000_000 },
	default: 5,
	description: 'Only documents of this many thousand bytes or more; 0 for no limit',
};

export const filterFields: INodeProperties[] = [
	{
		displayName: 'Filters and Checks',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description:
			'Which of these documents are left out, and what is looked at before anything is sent. The output lists what was skipped, and why.',
		displayOptions: { show: { documents: ['files'] } },
		options: [
			{
				displayName: 'File Extensions',
				name: 'extensions',
				type: 'string',
				default: '',
				placeholder: 'e.g. pdf, docx, tif',
				description: 'Only documents whose name ends with one of these',
			},
			{
				displayName: 'File Name Pattern',
				name: 'fileNamePattern',
				type: 'string',
				default: '',
				placeholder: 'e.g. policy*, *claim*',
				description: 'Only documents whose name fits one of these. A * stands for any text.',
			},
			{
				displayName: 'If a Document Is Empty',
				name: 'emptyDocuments',
				type: 'options',
				options: [REFUSE, SKIP],
				default: 'refuse',
				description: 'What becomes of a file of zero bytes',
			},
			{
				displayName: 'If a Document Is Not What Its Name Says',
				name: 'mislabelledDocuments',
				type: 'options',
				options: [REFUSE, SEND, SKIP],
				default: 'refuse',
				description:
					'What becomes of, for example, a web page that was saved as a PDF. Images with the name of another kind of image are always sent.',
			},
			{
				displayName: 'If a PDF Needs a Password',
				name: 'lockedPdfs',
				type: 'options',
				options: [REFUSE, SEND, SKIP],
				default: 'refuse',
				description:
					'What becomes of a PDF that nobody can open without a password. To know it, each PDF is read once before it is sent.',
			},
			{
				displayName: 'If No Document Is Left',
				name: 'withoutDocuments',
				type: 'options',
				options: [
					{
						name: 'Automatic',
						value: 'automatic',
						description: 'Refuse where no file has the name, skip where the filters left none',
					},
					{ name: 'Refuse', value: 'refuse', description: 'The item fails' },
					{
						name: 'Send Text Inputs Only',
						value: 'send',
						description: 'The workflow is started without documents',
					},
					{ name: 'Skip', value: 'skip', description: 'The item goes on with the status skipped' },
				],
				default: 'automatic',
				description:
					'What becomes of an item in which no file matches, such as a mail without attachments',
			},
			largest,
			{
				displayName: 'Media Types',
				name: 'mediaTypes',
				type: 'string',
				default: '',
				placeholder: 'e.g. application/pdf, image/*',
				description: 'Only documents of one of these types. A * stands for any text.',
			},
			{
				displayName: 'Skip Inline Images',
				name: 'skipInlineImages',
				type: 'boolean',
				default: true,
				description:
					'Whether to leave out the small images within the text of a mail, such as the logo of a signature',
			},
			{
				displayName: 'Skip Repeated Documents',
				name: 'skipSameDocument',
				type: 'boolean',
				default: true,
				description:
					'Whether to send a document once when an execution would get it several times. Contents are compared, not names.',
			},
			smallest,
		],
	},
];

/** @throws NodeOperationError when a value cannot be used */
export function readChoice(
	context: IExecuteFunctions,
	itemIndex: number,
): Choice & { skipSameDocument: boolean } {
	const given = readFilters(context, itemIndex);
	/** In bytes. Undefined for no limit. */
	const size = (field: INodeProperties, unit: number) => {
		const value = given[field.name] ?? 0;
		return readNumber({ context, itemIndex }, value, field) * unit || undefined;
	};
	return {
		patterns: readPatterns(context, itemIndex),
		filters: {
			fileNamePatterns: readNames(given.fileNamePattern, 'File Name Pattern'),
			extensions: readNames(given.extensions, 'File Extensions').map((extension) =>
				extension.replace(/^\*?\./, '').toLowerCase(),
			),
			mediaTypes: readNames(given.mediaTypes, 'Media Types').map((mediaType) =>
				mediaType.toLowerCase(),
			),
			smallestBytes: size(smallest, 1000),
			largestBytes: size(largest, 1_000_000),
		},
		skipInlineImages: given.skipInlineImages === true,
		skipSameDocument: given.skipSameDocument === true,
		emptyDocuments: given.emptyDocuments === 'skip' ? 'skip' : 'refuse',
		mislabelledDocuments: oneOf<Treatment>(given.mislabelledDocuments, ['skip', 'send'], 'refuse'),
		lockedPdfs: oneOf<Treatment>(given.lockedPdfs, ['skip', 'send'], 'refuse'),
		withoutDocuments: oneOf<Choice['withoutDocuments']>(
			given.withoutDocuments,
			['refuse', 'skip', 'send'],
			'automatic',
		),
	};
}

function readFilters(context: IExecuteFunctions, itemIndex: number): JsonRecord {
	const given: unknown = context.getNodeParameter('filters', itemIndex, {});
	return isRecord(given) ? given : {};
}
