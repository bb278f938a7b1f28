import type { CreateSettings } from '../../../../credentials/createSettings';
import type { JsonRecord } from '../../../../service/contract';
import { EXTERNAL_ID } from '../../../../service/contract';
import { plainText } from '../../../../service/text';
import type { Content } from '../../documents/body';
import { bodyFault } from '../../documents/body';
import { asText, jsonObjectOf, pairsOf } from '../../panel/json';
import type { Option, Place } from '../../panel/options';
import { collectionField, errorAt, fieldsOf, pairsEntry, readOptions } from '../../panel/options';
import { readAdditionalFields } from './sending';

const textInputs: Option<JsonRecord> = {
	field: {
		displayName: 'Text Inputs',
		name: 'textInputs',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add text input',
		default: {},
		description: 'Text values that the workflow expects, besides or instead of documents',
		options: [
			pairsEntry('Text Input', 'The name that the workflow expects', [
				'e.g. policy_number',
				'e.g. CPP-1001',
			]),
		],
	},
	read: (value, place) => pairsOf(place, value, { field: 'Text Inputs', one: 'text input' }),
};

const textInputsJson: Option<JsonRecord> = {
	field: {
		displayName: 'Text Inputs (JSON)',
		name: 'textInputsJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"policy_number": "CPP-1001"}',
		description: 'Text inputs as one JSON object, for example from an expression',
	},
	read: (value, place) =>
		jsonObjectOf(place, value, 'Text Inputs (JSON)', '{"policy_number": "CPP-1001"}'),
};

const externalId: Option<JsonRecord> = {
	field: {
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. INV-2024-001',
		description: 'Your own ID for the execution, returned with its result',
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
			`'${field}' must be a text, a number or a date`,
			'Enter a text, a number or a date, e.g. the expression $json.id',
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
		description: 'Your own values, which the service returns with the result',
		options: [
			pairsEntry('Entry', 'The name of the value in the result', [
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
		description: 'Metadata as one JSON object, for example from an expression',
	},
	read: (value, place) =>
		jsonObjectOf(place, value, 'Metadata (JSON)', '{"mailbox": "claims@example.com"}'),
};

const GROUP = 'inputs';

const OPTIONS = { textInputs, textInputsJson, metadata, metadataJson, externalId };

export const inputsField = collectionField('Text Inputs and Metadata', GROUP, fieldsOf(OPTIONS));

/**
 * Reads the content of a create, without its documents. `fileUrls` are those of the create, none when it uploads files.
 * @throws NodeOperationError saying what is wrong, and where
 */
export function readContent(place: Place, settings: CreateSettings, fileUrls: string[]): Content {
	const read = readOptions(place, GROUP, OPTIONS);
	const content = {
		textInputs: together(
			place,
			[read.textInputsJson, read.textInputs],
			'text inputs',
			"in 'Text Inputs' or in 'Text Inputs (JSON)'",
		),
		metadata: together(
			place,
			[read.metadataJson, read.metadata, read.externalId],
			'metadata',
			"in 'Metadata', 'Metadata (JSON)' or, for external_id, in 'External ID'",
		),
		additional: readAdditionalFields(place),
	};
	const fault = bodyFault(content, settings, fileUrls);
	if (fault !== undefined) throw errorAt(place, fault.message, fault.advice);
	return content;
}

/** All entries in one object. The same name twice is refused: it would be unclear which value counts. */
function together(place: Place, sources: JsonRecord[], what: string, where: string): JsonRecord {
	const entries = sources.flatMap((source) => Object.entries(source));
	const names = entries.map(([name]) => name);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined)
		throw errorAt(
			place,
			`'${plainText(twice, [], MAX_NAME)}' appears twice in the ${what}`,
			`Enter it only once, ${where}`,
		);
	return Object.fromEntries(entries);
}

/** A name in an error message, in characters. */
const MAX_NAME = 80;
