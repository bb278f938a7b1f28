import type { INodeProperties } from 'n8n-workflow';

import type { FileAccess } from '../../../../credentials/settings';
import { tryTo } from '../../../../service/tryTo';
import type { Json, JsonRecord } from '../../../../service/contract';
import { isRecord } from '../../../../service/json';
import { plainText } from '../../../../service/text';
import { mistakeInJson } from '../../../../service/userJson';
import { bodyFault, type Content } from '../../documents/body';
import { errorAt, type Place } from '../../panel/options';

const FIELD = 'Text Inputs and Metadata';

/** A kind of entry, and how the value of an expression is sent. */
interface EntryKind {
	displayName: string;
	description: string;
	placeholders: string[];
	valueOf: (value: unknown) => Json | undefined;
}

const KINDS = {
	textInputs: {
		displayName: 'Text Input',
		description: 'The name that the workflow in your document service expects',
		placeholders: ['e.g. policy_number', 'e.g. CPP-1001'],
		valueOf: asText,
	},
	metadata: {
		displayName: 'Metadata',
		description: 'Returned with the result; external_id is also in errors and in the log of n8n',
		placeholders: ['e.g. external_id', 'e.g. INV-2024-001'],
		valueOf: asText,
	},
	additional: {
		displayName: 'Additional Field',
		description: 'Another field of the request. Secrets belong in the credential.',
		placeholders: ['e.g. desk', 'e.g. claims'],
		valueOf: asJson,
	},
} satisfies Record<string, EntryKind>;

const TEXT = { type: 'string', default: '' } as const;

const inputsField: INodeProperties = {
	displayName: FIELD,
	name: 'inputs',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add value',
	default: {},
	description: 'Values to send with the documents, or in place of them',
	options: Object.entries(KINDS).map(([name, { displayName, description, placeholders }]) => ({
		displayName,
		name,
		values: [
			{ ...TEXT, displayName: 'Name', name: 'name', placeholder: placeholders[0], description },
			{ ...TEXT, displayName: 'Value', name: 'value', placeholder: placeholders[1] },
		],
	})),
};

export const contentFields = [inputsField];

/**
 * Reads the content of a create, without its documents. `fileUrls` are those of the create, none when it uploads files.
 * @throws NodeOperationError saying what is wrong, and where
 */
export function readContent(place: Place, fileAccess: FileAccess, fileUrls: string[]): Content {
	const given: unknown = place.context.getNodeParameter('inputs', place.itemIndex, {});
	const lists: Record<string, unknown> = isRecord(given) ? given : { textInputs: given };
	const content = {
		textInputs: pairsOf(place, lists.textInputs, KINDS.textInputs),
		metadata: pairsOf(place, lists.metadata, KINDS.metadata),
		additional: pairsOf(place, lists.additional, KINDS.additional),
	};
	const fault = bodyFault(content, fileAccess, fileUrls);
	if (fault !== undefined) throw errorAt(place, fault.message, fault.advice);
	return content;
}

/** A name for an error message, cut to this many characters. */
const MAX_NAME = 80;

/** Reads names with their values, as n8n keeps them for a fixed collection. */
function pairsOf(place: Place, given: unknown, { displayName, valueOf }: EntryKind): JsonRecord {
	const one = `The ${displayName.toLowerCase()}`;
	const pairs: unknown[] = [given ?? []].flat();
	const values = new Map<string, Json>();
	pairs.forEach((pair, index) => {
		const entry = isRecord(pair) ? pair : {};
		const name = asText(entry.name)?.trim() ?? '';
		const value = valueOf(entry.value);
		const called = `${one} '${plainText(name, [], MAX_NAME)}'`;
		if (name === '')
			throw errorAt(
				place,
				`${one} at position ${index + 1} has no name`,
				`Enter its name under '${FIELD}', or remove it`,
			);
		if (values.has(name))
			throw errorAt(place, `${called} appears twice`, `Remove one of them under '${FIELD}'`);
		if (value === undefined)
			throw errorAt(
				place,
				`${called} cannot be sent as it is`,
				`Its expression under '${FIELD}' returns an invalid number, an invalid date, or a number with too many digits. Correct the expression, or return a text`,
			);
		values.set(name, value);
	});
	return Object.fromEntries(values);
}

/** The value of an expression as text; undefined where the text would not say the same. */
function asText(value: unknown): string | undefined {
	const json = asJson(value);
	return json === undefined || typeof json === 'string' ? json : JSON.stringify(json);
}

/** The value of an expression as JSON: dates in ISO 8601, missing values as empty texts; undefined where JSON would not say the same. */
function asJson(value: unknown): Json | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	const json = jsonOf(value);
	return json === undefined || mistakeInJson(json) !== undefined
		? undefined
		: (JSON.parse(json) as Json);
}

/** JSON of a value; undefined when JSON has no such value, or writes null in place of a number or a date. */
function jsonOf(value: unknown): string | undefined {
	let isAltered = false;
	const check = function (this: Record<string, unknown>, name: string, inner: unknown): unknown {
		isAltered ||= typeof inner === 'number' && !Number.isFinite(inner);
		isAltered ||= inner === null && this[name] !== null;
		return inner;
	};
	const json = tryTo(() => JSON.stringify(value, check));
	return isAltered ? undefined : json;
}
