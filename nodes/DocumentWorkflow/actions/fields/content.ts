import type { INodeProperties } from 'n8n-workflow';

import type { CreateSettings } from '../../../../credentials/createSettings';
import type { JsonRecord } from '../../../../service/contract';
import { EXTERNAL_ID, REFERENCE } from '../../../../service/contract';
import type { Content } from '../../documents/body';
import { bodyFault } from '../../documents/body';
import { asText, jsonObjectOf, pairsOf } from '../../panel/json';
import type { Option } from '../../panel/options';
import { fieldsOf, pairsEntry, readOptions } from '../../panel/options';
import type { Place } from '../../panel/place';
import { errorAt } from '../../panel/place';
import { readTextInputs } from './textInputs';

const additional: Option<JsonRecord> = {
	field: {
		displayName: 'Additional Body Fields (JSON)',
		name: 'additionalFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"priority": "high"}',
		description:
			'Further fields of the request, for services that ask for more than files, text inputs and metadata. Secrets belong in the credential.',
	},
	read: (value, place) =>
		jsonObjectOf(place, value, 'Additional Body Fields (JSON)', '{"priority": "high"}'),
};

const externalId: Option<JsonRecord> = {
	field: {
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. INV-2024-001',
		description:
			'Your own identifier of the case. It goes into the metadata as external_id, and comes back with the result.',
	},
	read: (value, place): JsonRecord => {
		const text = textOf(place, value, 'External ID');
		return text === '' ? {} : { [EXTERNAL_ID]: text };
	},
};

/** The text that was entered, or that an expression returned; empty where there is none. */
function textOf(place: Place, value: unknown, field: string): string {
	const text = asText(value)?.trim();
	if (text === undefined || (typeof value === 'object' && /^[[{]/.test(text)))
		throw errorAt(
			place,
			`'${field}' must be a text, a number or a date, and it is something else`,
			'Enter a text, a number or a date, e.g. {{ $json.id }}',
		);
	return text;
}

const metadata: Option<JsonRecord> = {
	field: {
		displayName: 'Metadata',
		name: 'metadata',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add metadata',
		default: {},
		description:
			'Values of your own that the service keeps with the execution and gives back with the result',
		options: [
			pairsEntry('Entry', 'The name under which it comes back', [
				'e.g. mailbox',
				'e.g. claims@example.com',
			]),
		],
	},
	read: (value, place) => pairsOf(place, value, { field: 'Metadata', one: 'metadata entry' }),
};

const metadataJson: Option<JsonRecord> = {
	field: {
		displayName: 'Metadata (JSON)',
		name: 'metadataJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"mailbox": "claims@example.com"}',
		description: 'The same as one JSON object',
	},
	read: (value, place) =>
		jsonObjectOf(place, value, 'Metadata (JSON)', '{"mailbox": "claims@example.com"}'),
};

/** The options that are sent in the body of a create. */
const OPTIONS = { additional, metadataJson, metadata, externalId };

export const contentOptions: INodeProperties[] = fieldsOf(OPTIONS);

/**
 * Reads the content of a create, without its documents. `fileUrls` are those of the create, none when it uploads files.
 * @throws NodeOperationError saying what is wrong, and where
 */
export function readContent(place: Place, settings: CreateSettings, fileUrls: string[]): Content {
	const options = readOptions(place, OPTIONS);
	const content = {
		textInputs: readTextInputs(place),
		metadata: together(place, [options.metadataJson, options.metadata, options.externalId]),
		additional: options.additional,
	};
	const fault = bodyFault(content, settings, fileUrls);
	if (fault !== undefined) throw errorAt(place, fault.message, fault.advice);
	return content;
}

function together(place: Place, sources: JsonRecord[]): JsonRecord {
	const entries = sources.flatMap((source) => Object.entries(source));
	const names = entries.map(([name]) => name);
	if (names.includes(REFERENCE))
		throw errorAt(
			place,
			`'${REFERENCE}' cannot be used in the metadata: the node keeps its own reference there`,
			'Choose another name for this entry',
		);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined)
		throw errorAt(
			place,
			`'${twice}' is given twice in the metadata`,
			"Give it once, in 'Metadata', 'Metadata (JSON)' or, for external_id, in 'External ID'",
		);
	return Object.fromEntries(entries);
}
