import type { INodeProperties } from 'n8n-workflow';

import { readNames, readNumber } from '../../panel/values';
import type { Option } from '../../panel/options';

const extensions: Option<string[]> = {
	field: {
		displayName: 'File Extensions',
		name: 'extensions',
		type: 'string',
		default: '',
		placeholder: 'e.g. pdf, docx, tif',
		description: 'Send only files with one of these extensions',
	},
	read: (value) =>
		readNames(value, 'File Extensions').map((extension) =>
			extension.replace(/^\*?\./, '').toLowerCase(),
		),
};

const fileNamePatterns: Option<string[]> = {
	field: {
		displayName: 'File Name Pattern',
		name: 'fileNamePattern',
		type: 'string',
		default: '',
		placeholder: 'e.g. policy*, *claim*',
		description: 'Send only files with a matching name; * matches any text',
	},
	read: (value) => readNames(value, 'File Name Pattern'),
};

const mediaTypes: Option<string[]> = {
	field: {
		displayName: 'Media Types',
		name: 'mediaTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. application/pdf, image/*',
		description: 'Send only files of these types; * matches any text',
	},
	read: (value) => readNames(value, 'Media Types').map((mediaType) => mediaType.toLowerCase()),
};

/** A size in bytes, entered in `unit` (in bytes); undefined where nothing, or 0, was entered. */
function sizeOption(field: INodeProperties, unit: number): Option<number | undefined> {
	return {
		field,
		read: (value, place) => readNumber(place, value ?? 0, field) * unit || undefined,
	};
}

const largestBytes = sizeOption(
	{
		displayName: 'Maximum Size (MB)',
		name: 'largestMegabytes',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10_000 },
		default: 100,
		description: 'Send only files up to this size; 0 for no limit',
	},
	1_000_000,
);

const smallestBytes = sizeOption(
	{
		displayName: 'Minimum Size (kB)',
		name: 'smallestKilobytes',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10_000_000 },
		default: 5,
		description: 'Send only files of at least this size; 0 for no limit',
	},
	1000,
);

/** Which files of an item are sent. */
export const FILTERS = { extensions, fileNamePatterns, mediaTypes, largestBytes, smallestBytes };
