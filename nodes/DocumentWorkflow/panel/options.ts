import type { IExecuteFunctions, INode, INodeProperties } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { excerptOf, plainText, withoutTags } from '../../../service/text';
import type { Json, JsonRecord } from '../../../service/contract';
import { mistakeInJson, readJsonObject } from '../../../service/userJson';

/** The input item whose parameters are read. */
export interface Place {
	context: IExecuteFunctions;
	itemIndex: number;
}

export function errorAt(
	{ context, itemIndex }: Place,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	// n8n replaces a message with a code such as ECONNRESET by its own, which advises to send the request again.
	error.message = message;
	return error;
}

/** Turns anything thrown while an item was processed into an error of the node. */
export function asNodeError(
	node: INode,
	thrown: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	return new NodeOperationError(node, thrown instanceof Error ? thrown : String(thrown), {
		itemIndex,
	});
}

/** What people see of an error. No name and no answer in it becomes markup. */
export function shownOf({ message, description }: NodeApiError | NodeOperationError): {
	message: string;
	description: string;
} {
	return { message: withoutTags(message), description: withoutTags(description ?? '') };
}

/** Reads a parameter of the panel by its name; returns `fallback` where it is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

export function parametersOf(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	return (name, fallback) => context.getNodeParameter(name, itemIndex, fallback);
}

/** An entry of a collection, with its reader. Its value is null when the user has not added it. */
export interface Option<T> {
	field: INodeProperties;
	read: (value: unknown, place: Place) => T;
}

type Options = Record<string, Option<unknown>>;

export type ValuesOf<T extends Options> = {
	[Name in keyof T]: T[Name] extends Option<infer Value> ? Value : never;
};

/**
 * Reads entries of the collection `group`.
 * @throws NodeOperationError when a value cannot be used
 */
export function readOptions<T extends Options>(
	place: Place,
	group: string,
	options: T,
): ValuesOf<T> {
	const { context, itemIndex } = place;
	const values = Object.entries(options).map(([name, { field, read }]) => [
		name,
		read(context.getNodeParameter(`${group}.${field.name}`, itemIndex, null), place),
	]);
	return Object.fromEntries(values) as ValuesOf<T>;
}

export function fieldsOf(options: Options): INodeProperties[] {
	return Object.values(options).map(({ field }) => field);
}

/** A collection; the user adds the entries that are needed. n8n's guidelines ask for alphabetical order. */
export function collectionField(
	displayName: string,
	name: string,
	entries: INodeProperties[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...entries].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
	};
}

export function oneOf<T extends string>(value: unknown, known: readonly T[], defaultValue: T): T {
	return known.find((one) => one === value) ?? defaultValue;
}

/**
 * Reads comma-separated names, or a list of them from an expression, each once.
 * @throws Error naming the field when it holds anything but texts and numbers: as an empty list it would mean everything
 */
export function readNames(given: unknown, field: string): string[] {
	const entries: unknown[] = [given ?? []].flat();
	const names = entries.flatMap((entry) => {
		if (typeof entry === 'string' || typeof entry === 'number') return String(entry).split(',');
		throw new Error(
			`'${field}' must be names separated by commas, but contains ${excerptOf(entry, [], 40)}`,
		);
	});
	return [...new Set(names.map((name) => name.trim()).filter(Boolean))];
}

/**
 * Reads a number within the bounds that its field has in `typeOptions`, which the panel enforces for entered numbers only. Accepts
 * numeric text, as expressions give it. The field's default counts where there is no value.
 * @throws NodeOperationError when the value is not such a number
 */
export function readNumber(place: Place, value: unknown, field: INodeProperties): number {
	const { displayName, typeOptions: { minValue = -Infinity, maxValue = Infinity } = {} } = field;
	const given = value ?? field.default;
	const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof number === 'number' && number >= minValue && number <= maxValue) return number;
	const bounds = `a number from ${minValue} to ${maxValue}`;
	throw errorAt(
		place,
		`'${displayName}' must be ${bounds}, but is ${shown(given)}`,
		`Enter ${bounds}, or remove the option`,
	);
}

/** In characters. */
const MAX_SHOWN = 40;

function shown(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string'
		? `"${plainText(value, [], MAX_SHOWN)}"`
		: excerptOf(value, [], MAX_SHOWN);
}

/** Whether a text matches one of the patterns; any text if there is none. */
export function matchesOne(text: string, patterns: string[]): boolean {
	return patterns.length === 0 || patterns.some((pattern) => matcherOf(pattern)(text));
}

/** Matches a pattern with *, ignoring case. Not by a regular expression: several .* could take very long. */
export function matcherOf(pattern: string): (text: string) => boolean {
	const parts = pattern.toLowerCase().split('*');
	return (text) => matchesParts(text.toLowerCase(), parts);
}

/** The first part must start the text, the last must end it, and the others must follow in order between them. */
function matchesParts(text: string, parts: string[]): boolean {
	const [first = '', ...rest] = parts;
	const last = rest.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	let from = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, from);
		if (found < 0) return false;
		from = found + part.length;
	}
	return from <= text.length - last.length;
}

/** Values for which `asText` and `asJson` return undefined. */
export const NO_TEXT = 'an invalid number, an invalid date, or a number with too many digits';

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
