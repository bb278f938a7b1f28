import type { JsonRecord } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { mistakeInJson, readJsonObject } from '../../../service/userJson';
import { plainText } from '../../../service/text';
import type { Place } from './options';
import { errorAt } from './options';

/** For error messages: the name of a field, e.g. 'Text Inputs', and of one entry, e.g. 'text input'. */
interface FieldWords {
	field: string;
	one: string;
}

/** A name for an error message, cut to this many characters. */
const MAX_NAME = 80;

/**
 * Reads the name–value pairs of a fixed collection as texts: dates in ISO 8601, other values as JSON, missing values as empty texts.
 * @throws NodeOperationError naming the pair that is wrong
 */
export function pairsOf(
	place: Place,
	collection: unknown,
	words: FieldWords,
): Record<string, string> {
	const values = new Map<string, string>();
	listOfPairs(place, collection, words).forEach((pair, index) => {
		const { name: givenName, value } = isRecord(pair) ? pair : {};
		const name = asText(givenName)?.trim() ?? '';
		const text = asText(value);
		if (name === '')
			throw errorAt(
				place,
				`The ${words.one} at position ${index + 1} has no name`,
				`Enter its name under '${words.field}', or remove it`,
			);
		if (values.has(name))
			throw errorAt(
				place,
				`The ${words.one} '${plainText(name, [], MAX_NAME)}' appears twice`,
				`Remove one of them under '${words.field}'`,
			);
		if (text === undefined)
			throw errorAt(
				place,
				`The ${words.one} '${plainText(name, [], MAX_NAME)}' cannot be sent as it is`,
				`Its expression under '${words.field}' returns ${NO_TEXT}. Correct the expression, or return a text`,
			);
		values.set(name, text);
	});
	return Object.fromEntries(values);
}

function listOfPairs(place: Place, collection: unknown, { field }: FieldWords): unknown[] {
	const pairs = isRecord(collection) ? (collection.pairs ?? []) : (collection ?? []);
	if (Array.isArray(pairs)) return pairs;
	throw errorAt(
		place,
		`'${field}' must be a list of names and values`,
		'Enter each name with its value. Do not use one expression for the whole list',
	);
}

/** Values for which `asText` returns undefined. */
const NO_TEXT = 'an invalid number, an invalid date, or a number with too many digits';

/** The value of an expression as text, dates in ISO 8601; undefined where the text would not say the same. */
export function asText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	const json = jsonOf(value);
	if (json === undefined || mistakeInJson(json) !== undefined) return undefined;
	// Dates, also those of Luxon in n8n's expressions, become strings in JSON.
	return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/**
 * Reads an object from JSON text or from an expression. An empty text is an empty object.
 * @throws NodeOperationError naming the place of the mistake in the JSON
 */
export function jsonObjectOf(
	place: Place,
	given: unknown,
	field: string,
	example: string,
): JsonRecord {
	const text = typeof given === 'string' ? given : jsonOf(given ?? {});
	if (text === undefined)
		throw errorAt(
			place,
			`'${field}' contains a value that JSON does not support`,
			`Its expression returns ${NO_TEXT}, or an object that contains itself. Correct the expression`,
		);
	const read = readJsonObject(text);
	if (read.ok) return read.value;
	const { message, cure } = read.mistake;
	throw errorAt(
		place,
		`'${field}' ${message}`,
		cure ??
			`Enter names and values, e.g. ${example}. In an expression, use JSON.stringify() for whole objects`,
	);
}

/** JSON of a value; undefined when JSON has no such value, or writes null in place of a number or a date. */
function jsonOf(value: unknown): string | undefined {
	let isAltered = false;
	const check = function (this: Record<string, unknown>, name: string, inner: unknown): unknown {
		isAltered ||= typeof inner === 'number' && !Number.isFinite(inner);
		isAltered ||= inner === null && this[name] !== null;
		return inner;
	};
	try {
		const json: string | undefined = JSON.stringify(value, check);
		return isAltered ? undefined : json;
	} catch {
		return undefined;
	}
}
