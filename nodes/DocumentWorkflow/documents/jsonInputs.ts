import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { JsonRecord } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { firstMistake, lineAndColumn } from './jsonPosition';

/** A field of the panel in the words of the panel, e.g. 'Text Inputs'; `one` is one entry of it, e.g. 'text input'. */
export interface FieldWords {
	field: string;
	one: string;
}

/**
 * Name–value pairs of a fixed collection as texts: numbers and booleans as JSON writes them, dates in ISO 8601, objects and lists
 * as JSON, what is empty as an empty text.
 * @throws NodeOperationError saying which pair is wrong, before anything is sent
 */
export function pairsOf(
	context: IExecuteFunctions,
	itemIndex: number,
	collection: unknown,
	words: FieldWords,
): Record<string, string> {
	const pairs = isRecord(collection) && Array.isArray(collection.pairs) ? collection.pairs : [];
	const values = new Map<string, string>();
	const refuse = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	pairs.forEach((pair, index) => {
		const { name: givenName, value } = isRecord(pair) ? pair : {};
		const name = asText(givenName)?.trim() ?? '';
		const text = asText(value);
		if (name === '')
			throw refuse(
				`The ${words.one} at position ${index + 1} has no name`,
				`Enter its name under '${words.field}', or remove it`,
			);
		if (values.has(name))
			throw refuse(
				`The ${words.one} '${name}' is there twice`,
				`Remove one of them under '${words.field}'`,
			);
		if (text === undefined)
			throw refuse(
				`The ${words.one} '${name}' is not a value`,
				'Its expression gives no number, or no valid date. Correct it',
			);
		values.set(name, text);
	});
	return Object.fromEntries(values);
}

/** What an expression may give, as text, dates in ISO 8601; undefined for numbers and dates that are none. */
export function asText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	const json: string | undefined = JSON.stringify(value);
	if (json === undefined || json === 'null') return undefined;
	// A date of JavaScript, or one of n8n's own expressions, is a text in JSON.
	return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/**
 * An object given as JSON text, or by an expression as it is; without a text it is empty.
 * @throws NodeOperationError with line and column of the mistake, before anything is sent
 */
export function jsonObjectOf(
	context: IExecuteFunctions,
	itemIndex: number,
	given: unknown,
	field: string,
	example: string,
): JsonRecord {
	const refuse = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	const value = typeof given === 'string' ? parse(given) : (given ?? {});
	if (value === UNREADABLE) {
		throw refuse(
			`'${field}' is not valid JSON${placeOf(String(given))}`,
			`Enter an object, e.g. ${example}. In an expression, use JSON.stringify() for whole objects`,
		);
	}
	if (!isRecord(value)) {
		throw refuse(
			`'${field}' must be an object, and it is ${kindOf(value)}`,
			`Enter names with their values between braces, e.g. ${example}`,
		);
	}
	return value;
}

const UNREADABLE = Symbol('unreadable');

function parse(text: string): unknown {
	if (text.trim() === '') return {};
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return UNREADABLE;
	}
}

function placeOf(text: string): string {
	const offset = firstMistake(text);
	const { line, column } = lineAndColumn(text, offset);
	const found = text.slice(offset, offset + 20).split('\n')[0] ?? '';
	return `: line ${line}, column ${column}${offset >= text.length ? ', where it breaks off' : `, at ${JSON.stringify(found)}`}`;
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
