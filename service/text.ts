/**
 * The gate for every text from outside that a person reads: answers, notifications, names. It cuts first, then masks, so that its work is
 * bounded.
 */

/** Characters of a text that a person reads (assumed). */
const MAX_LENGTH = 500;

/** Limits for what is shown of a value. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 20;

/** A JWT: base64url, the first part of which is encoded JSON. */
const JWT = /\beyJ[\w-]{10,}(?:\.[\w-]*){0,2}/g;

/** A token in a quoted header. */
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;

/** The query of an address, which is the signature of a signed one. */
const QUERY = /(\bhttps?:\/\/[^\s"'<>?]{1,500})\?[^\s"'<>]*/gi;

const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu;

/** One line without control characters and secrets, cut to a length. `secrets`: values that are masked wherever they stand. */
export function plainText(text: string, secrets: readonly string[] = [], max = MAX_LENGTH): string {
	// A secret at the end of the cut must be recognized, so the cut for masking is longer.
	const longest = Math.max(0, ...secrets.map(({ length }) => length));
	let plain = text.slice(0, max * 2 + longest);
	for (const secret of secrets) if (secret !== '') plain = plain.replaceAll(secret, '[secret]');
	plain = plain
		.replace(LINE_BREAKS_AND_CONTROLS, ' ')
		.replace(JWT, '[token]')
		.replace(BEARER, '$1 [token]')
		.replace(QUERY, '$1?[query]')
		.trim();
	return plain.length > max ? `${plain.slice(0, max)}…` : plain;
}

/** What a value from outside looks like, in short: at most `max` characters of JSON, texts masked before they are serialized. */
export function excerptOf(
	value: unknown,
	secrets: readonly string[] = [],
	max = MAX_LENGTH,
): string {
	if (typeof value === 'string') return plainText(value, secrets, max);
	return plainText(JSON.stringify(shortened(value, secrets, max, 0)) ?? '', [], max);
}

function shortened(
	value: unknown,
	secrets: readonly string[],
	max: number,
	depth: number,
): unknown {
	if (typeof value === 'string') return plainText(value, secrets, max);
	if (typeof value !== 'object' || value === null) return value;
	if (depth >= MAX_DEPTH) return '…';
	const inner = (each: unknown) => shortened(each, secrets, max, depth + 1);
	if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(inner);
	const entries = Object.entries(value).slice(0, MAX_ENTRIES);
	return Object.fromEntries(
		entries.map(([name, each]) => [plainText(name, secrets, max), inner(each)]),
	);
}
