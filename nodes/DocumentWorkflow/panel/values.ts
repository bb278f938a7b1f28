import type { INodeProperties } from 'n8n-workflow';
import { excerptOf, plainText } from '../../../service/text';
import type { Place } from './options';
import { errorAt } from './options';

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

export type ReadNumber =
	{ ok: true; number: number } | { ok: false; message: string; advice: string };

/**
 * Reads a number within the bounds that its field has in `typeOptions`, which the panel enforces for entered numbers only. Accepts
 * numeric text, as expressions give it. The field's default counts where there is no value.
 */
export function numberIn(field: INodeProperties, value: unknown): ReadNumber {
	const { displayName, typeOptions: { minValue = -Infinity, maxValue = Infinity } = {} } = field;
	const given = value ?? field.default;
	const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof number === 'number' && number >= minValue && number <= maxValue)
		return { ok: true, number };
	const bounds = `a number from ${minValue} to ${maxValue}`;
	return {
		ok: false,
		message: `'${displayName}' must be ${bounds}, but is ${shown(given)}`,
		advice: `Enter ${bounds}, or remove the option`,
	};
}

/** @throws NodeOperationError when the value is not a number within the bounds of the field */
export function readNumber(place: Place, value: unknown, field: INodeProperties): number {
	const read = numberIn(field, value);
	if (read.ok) return read.number;
	throw errorAt(place, read.message, read.advice);
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
