import type { Json } from '../../../service/contract';
import { mistakeInJson } from '../../../service/userJson';

/** Whether a text matches one of the patterns; any text if there is none. */
export function matchesOne(text: string, patterns: string[]): boolean {
	return patterns.length === 0 || patterns.some((pattern) => matcherOf(pattern)(text));
}

/** Matches a pattern with *, ignoring case. Not by a regular expression: several .* could take very long. */
export function matcherOf(pattern: string): (text: string) => boolean {
	const [first = '', ...between] = pattern.toLowerCase().split('*');
	const last = between.pop();
	return (given) => {
		const text = given.toLowerCase();
		if (last === undefined) return text === first;
		if (!text.startsWith(first) || !text.endsWith(last)) return false;
		let from = first.length;
		for (const part of between) {
			const found = text.indexOf(part, from);
			if (found < 0) return false;
			from = found + part.length;
		}
		return from <= text.length - last.length;
	};
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
