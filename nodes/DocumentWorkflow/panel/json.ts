import type { Json, JsonRecord } from '../../../service/contract';
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
 * Reads names with their values, as n8n keeps them for a fixed collection.
 * @throws NodeOperationError naming the pair that is wrong
 */
export function pairsOf(
	place: Place,
	given: unknown,
	{ field, one }: FieldWords,
	valueOf: (value: unknown) => Json | undefined,
): JsonRecord {
	const pairs: unknown[] = [given ?? []].flat();
	const values = new Map<string, Json>();
	pairs.forEach((pair, index) => {
		const { name: givenName, value: givenValue } = isRecord(pair) ? pair : {};
		const name = asText(givenName)?.trim() ?? '';
		const value = valueOf(givenValue);
		if (name === '')
			throw errorAt(
				place,
				`The ${one} at position ${index + 1} has no name`,
				`Enter its name under '${field}', or remove it`,
			);
		if (values.has(name))
			throw errorAt(
				place,
				`The ${one} '${plainText(name, [], MAX_NAME)}' appears twice`,
				`Remove one of them under '${field}'`,
			);
		if (value === undefined)
			throw errorAt(
				place,
				`The ${one} '${plainText(name, [], MAX_NAME)}' cannot be sent as it is`,
				`Its expression under '${field}' returns ${NO_TEXT}. Correct the expression, or return a text`,
			);
		values.set(name, value);
	});
	return Object.fromEntries(values);
}

/** Values for which `asText` and `asJson` return undefined. */
const NO_TEXT = 'an invalid number, an invalid date, or a number with too many digits';

/** The value of an expression as text; undefined where the text would not say the same. */
export function asText(value: unknown): string | undefined {
	const json = asJson(value);
	return json === undefined || typeof json === 'string' ? json : JSON.stringify(json);
}

/** The value of an expression as JSON: dates in ISO 8601, missing values as empty texts; undefined where JSON would not say the same. */
export function asJson(value: unknown): Json | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	const json = jsonOf(value);
	return json === undefined || mistakeInJson(json) !== undefined
		? undefined
		: (JSON.parse(json) as Json);
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
