/** Reads JSON of the service in time in proportion to its length. `JSON.parse` alone rounds long integers, such as IDs. */
import type { Json, JsonRecord } from './contract';
import { tryTo } from './tryTo';

/** Shorter integers are always exact. Without the upper bound, a pattern throws on millions of digits. */
const LONG_INTEGER = /(?<![\d.e+-])-?\d{16,10000}(?![\d.e])/gi;

/** The value of a JSON text; undefined when it is none, or has a number that is too large. Integers beyond 2^53, of up to 10,000 digits, become texts. */
export function parseJson(text: string): unknown {
	// A byte order mark is no JSON.
	const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
	return tryTo<unknown>(() => (MAY_BE_INEXACT.test(json) ? parseExactly(json) : JSON.parse(json)));
}

/** The object in a JSON text; empty when it is none. */
export function parseRecord(text: string): JsonRecord {
	const value = parseJson(text);
	return isRecord(value) ? value : {};
}

/** Each match of the two other patterns contains a match of this one. One search is quicker than two. */
const MAY_BE_INEXACT = /\d(?:\d{15}|e\+?\d{3})/i;

function parseExactly(json: string): unknown {
	const exactly = json.search(LONG_INTEGER) < 0 ? json : withExactIntegers(json);
	return JSON.parse(exactly, MAY_BE_INFINITE.test(exactly) ? finite : undefined);
}

/** `JSON.parse` makes infinity of some such numbers. */
const MAY_BE_INFINITE = /\de\+?\d{3}|\d{200}/i;

function finite(_name: string, value: unknown): unknown {
	if (value === Infinity || value === -Infinity) throw new RangeError('An infinite number');
	return value;
}

function withExactIntegers(json: string): string {
	const parts: string[] = [];
	for (let at = 0; at < json.length;) {
		const quote = json.indexOf('"', at);
		const begin = quote < 0 ? json.length : quote;
		const end = endOfString(json, begin);
		parts.push(json.slice(at, begin).replace(LONG_INTEGER, exact), json.slice(begin, end));
		at = end;
	}
	return parts.join('');
}

function exact(digits: string): string {
	return Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`;
}

/** Whether a JSON text has more values: each begins a list or an object, or stands first or behind a comma in one. */
export function hasMoreValues(json: string, max: number): boolean {
	if (countSigns(json, max) <= max) return false;
	let count = 0;
	for (let at = 0; at < json.length && count <= max; at++) {
		const sign = json[at];
		if (sign === '"') at = endOfString(json, at) - 1;
		else if (sign === ',' || sign === '[' || sign === '{') count++;
	}
	return count > max;
}

/** Signs before values, those in strings too. Most answers need no exact count, which takes three times as long. */
function countSigns(json: string, max: number): number {
	let count = 0;
	for (const sign of ',[{')
		for (let at = json.indexOf(sign); at >= 0 && count <= max; at = json.indexOf(sign, at + 1))
			count++;
	return count;
}

/** The index behind the string that begins at `begin`; the length of the text when the string does not end. */
function endOfString(json: string, begin: number): number {
	for (let at = begin + 1; ;) {
		const quote = json.indexOf('"', at);
		if (quote < 0) return json.length;
		let backslashes = 0;
		while (json[quote - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return quote + 1;
		at = quote + 1;
	}
}

/** Whether a value is a record or a list. */
export function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

export function isRecord(value: unknown): value is JsonRecord {
	return isObject(value) && !Array.isArray(value);
}

/** Extracted data has few levels of nesting. n8n cannot store far more. */
export const MAX_LEVELS = 100;

/** Whether a value is nested deeper than that. */
export function isTooDeep(value: unknown, levels = MAX_LEVELS): boolean {
	if (!isObject(value) || levels === 0) return isObject(value);
	if (Array.isArray(value)) return value.some((each) => isTooDeep(each, levels - 1));
	for (const name in value)
		if (isObject(value[name as never]) && isTooDeep(value[name as never], levels - 1)) return true;
	return false;
}

/** Whether a value says nothing. Zero and false do. */
export function isEmpty(value: unknown): value is '' | null | undefined {
	if (isObject(value)) return Object.keys(value).length === 0;
	return value === undefined || value === null || value === '';
}

/** A record of what is picked from each entry. */
export function recordOf<T extends { name: string }>(
	entries: readonly T[],
	pick: (each: T) => Json,
): JsonRecord {
	const record: JsonRecord = {};
	for (const each of entries) {
		// Only a defined __proto__ is an ordinary field.
		if (each.name !== '__proto__') record[each.name] = pick(each);
		else Object.defineProperty(record, each.name, { ...ORDINARY, value: pick(each) });
	}
	return record;
}

const ORDINARY = { configurable: true, enumerable: true, writable: true };

/** The values of the fields that a record has itself under some names, in the order of the names. */
export function valuesUnder(record: JsonRecord, names: readonly string[]): Json[] {
	return names.filter((name) => Object.hasOwn(record, name)).map((name) => record[name] ?? null);
}

/** The same, where they are records. */
export function recordsUnder(record: JsonRecord, names: readonly string[]): JsonRecord[] {
	return valuesUnder(record, names).filter(isRecord);
}

/** The first of some fields that holds a text or a number. */
export function textUnder(record: JsonRecord, names: readonly string[]): string | undefined {
	const isText = (value: Json) => typeof value === 'string' || typeof value === 'number';
	const texts = valuesUnder(record, names).filter(isText);
	return texts.map((text) => String(text).trim()).find((text) => text !== '');
}
