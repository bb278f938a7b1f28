/**
 * The gate for every text from outside that a person reads: answers, notifications, names, thrown errors. It cuts before it masks, so
 * that its work is bounded.
 */
import { maskOf, PATTERNS, SECRET_NAME, widthOf } from './secrets';

/** Characters of a text that a person reads (assumed). */
const MAX_LENGTH = 500;

/** Limits for what is shown of a value. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 20;

/** In characters. Shorter texts are no secrets, and masking them would make messages unreadable. */
const SHORTEST_SECRET = 4;

/** Characters that are read beyond what is shown, so that a token at the end is recognized. */
const MARGIN = 200;

const NOT_ON_ONE_LINE = /[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu;

/** One line without control characters and secrets, cut to a length. `secrets`: values that are masked however they are escaped. */
export function plainText(text: string, secrets: readonly string[] = [], max = MAX_LENGTH): string {
	return gateFor(secrets)(text, max);
}

/** The message of anything thrown. */
export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? plainText(thrown.message) : excerptOf(thrown);
}

/** What a value from outside looks like, in short: at most `max` characters of JSON. Texts are masked before they are serialized. */
export function excerptOf(
	value: unknown,
	secrets: readonly string[] = [],
	max = MAX_LENGTH,
): string {
	const gate = gateFor(secrets);
	if (typeof value === 'string') return gate(value, max);
	let left = max;
	return cut(JSON.stringify(shortened(value, 0)), max);

	function shown(text: string): string {
		const plain = gate(text, Math.max(1, left));
		left -= plain.length;
		return plain;
	}

	function unlessSecret(each: number): number | string {
		const plain = gate(String(each), MAX_LENGTH);
		return plain === String(each) ? each : plain;
	}

	function shortened(each: unknown, depth: number): unknown {
		left--;
		if (typeof each === 'string') return shown(each);
		if (typeof each === 'number') return unlessSecret(each);
		if (typeof each === 'boolean') return each;
		if (typeof each !== 'object' || each === null) return null;
		if (depth >= MAX_DEPTH) return '…';
		const isList = Array.isArray(each);
		const all = Object.entries<unknown>(isList ? each.slice(0, MAX_ENTRIES + 1) : { ...each });
		const entries: Array<[string, unknown]> = [];
		for (const [name, inner] of all) {
			if (left <= 0 || entries.length === MAX_ENTRIES) {
				entries.push(['…', '…']);
				break;
			}
			const plain = isList ? name : shown(name);
			const isSecret = !isList && SECRET_NAME.test(name) && holdsText(inner);
			entries.push([plain, isSecret ? '[secret]' : shortened(inner, depth + 1)]);
		}
		return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
	}
}

function holdsText(value: unknown): boolean {
	return (
		(typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null)
	);
}

/** Masks and cuts texts. */
function gateFor(secrets: readonly string[]): (text: string, max: number) => string {
	const known = secrets.map(oneLine).filter(({ length }) => length >= SHORTEST_SECRET);
	const masks = [...PATTERNS, ...known.map(maskOf)];
	const overlap = MARGIN + Math.max(0, ...known.map(widthOf));
	return (text, max) => {
		// White space may take most of a text, so more of it is read than is masked.
		const given = text.trimStart().slice(0, 10 * (max + overlap));
		const line = oneLine(given).slice(0, 2 * (max + overlap));
		// What begins before the end of what is shown also ends within the line, and so is recognized as a whole.
		const isWhole = given.length === text.trimStart().length;
		const end = Math.min(max, isWhole ? line.length : Math.max(0, line.length - overlap));
		const found = masks
			.flatMap(({ pattern, label }) =>
				[...line.matchAll(pattern)].map(({ index, 0: { length } }) => ({
					label,
					from: index,
					to: index + length,
				})),
			)
			.sort((a, b) => a.from - b.from);
		let plain = '';
		let at = 0;
		for (const { label, from, to } of found) {
			if (from >= end) break;
			if (from >= at) plain += line.slice(at, from) + label;
			at = Math.max(at, to);
		}
		plain += line.slice(at, end);
		return cut(isWhole && line.length <= max ? plain : `${plain}…`, max);
	};
}

function oneLine(text: string): string {
	return text.replace(NOT_ON_ONE_LINE, ' ').trim();
}

/** Never ends with half a character. */
function cut(plain: string, max: number): string {
	const shown = plain.length <= max ? plain : `${plain.slice(0, max - 1)}…`;
	return shown.replace(/[\ud800-\udbff](?=…$)/, '');
}
