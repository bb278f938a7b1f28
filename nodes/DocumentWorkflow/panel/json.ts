import type { JsonRecord } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import type { Place } from './place';
import { errorAt } from './place';

/** For error messages: the name of a field, e.g. 'Text Inputs', and of one entry, e.g. 'text input'. */
interface FieldWords {
	field: string;
	one: string;
}

/**
 * Reads the name–value pairs of a fixed collection as texts: dates in ISO 8601, other values as JSON, missing values as empty texts.
 * @throws NodeOperationError naming the pair that is wrong
 */
export function pairsOf(
	place: Place,
	collection: unknown,
	words: FieldWords,
): Record<string, string> {
	const pairs = isRecord(collection) && Array.isArray(collection.pairs) ? collection.pairs : [];
	const values = new Map<string, string>();
	pairs.forEach((pair, index) => {
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
				`The ${words.one} '${name}' is there twice`,
				`Remove one of them under '${words.field}'`,
			);
		if (text === undefined)
			throw errorAt(
				place,
				`The ${words.one} '${name}' is not a value`,
				'Its expression gives no number, or no valid date. Correct it',
			);
		values.set(name, text);
	});
	return Object.fromEntries(values);
}

/** The value of an expression as text, dates in ISO 8601; undefined for NaN, infinity and invalid dates. */
export function asText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	const json: string | undefined = JSON.stringify(value);
	if (json === undefined || json === 'null') return undefined;
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
	const value = typeof given === 'string' ? parse(given) : (given ?? {});
	if (value instanceof SyntaxError) {
		throw errorAt(
			place,
			`'${field}' is not valid JSON: ${mistakeIn(String(given), value.message)}`,
			`Enter an object, e.g. ${example}. In an expression, use JSON.stringify() for whole objects`,
		);
	}
	if (!isRecord(value)) {
		throw errorAt(
			place,
			`'${field}' must be an object, and it is ${kindOf(value)}`,
			`Enter names with their values between braces, e.g. ${example}`,
		);
	}
	return value;
}

function parse(text: string): unknown {
	if (text.trim() === '') return {};
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		return error;
	}
}

/** V8's message with line and column instead of an offset. Without an offset, V8 quotes ten characters around the mistake. */
export function mistakeIn(text: string, message: string): string {
	const found = /(?: in JSON)? at position (\d+)/.exec(message);
	if (found === null)
		return message
			.replace(/ is not valid JSON$/, '')
			.replace(/, (?=(?:\.{3})?")/, ' in ')
			.replace(/\s+/g, ' ');
	const lines = text.slice(0, Number(found[1])).split('\n');
	const column = (lines.at(-1)?.length ?? 0) + 1;
	return `${message.slice(0, found.index)} at line ${lines.length}, column ${column}`;
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
