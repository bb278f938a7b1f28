/**
 * White space; or a run of signs that addresses may hold as well, where white space, the end of the text or a further address follows it.
 * A run is tried from its first sign only, and what follows a run is read up to the next one at most, so that the time grows with the length alone.
 */
const SEPARATOR = /\s+|(?<![,;|])[,;|]+(?=\s|$|["'<[]*(?:https?:|[a-z][a-z0-9+.-]*:\/\/))/i;

/** White space in an entry of a list, with the run of separating signs just before it. */
const SEPARATOR_IN_ENTRY = /(?<![,;|])[,;|]*\s+/;

const SEPARATING = ',;|';

/** What is often pasted around an address: a list's brackets and quotes, angle brackets. No address begins with one of them. */
const WRAPPING = `"'<>[]`;

/**
 * The addresses in a text, without what is pasted around them, or in a list from an expression, where all but white space belongs to them.
 * @returns undefined where it is neither a text nor a list of texts
 */
export function addressesIn(given: unknown): string[] | undefined {
	const list: unknown[] = Array.isArray(given) ? given : [given ?? ''];
	if (!list.every((entry) => typeof entry === 'string')) return undefined;
	return list.flatMap((text) =>
		Array.isArray(given) ? split(text, SEPARATOR_IN_ENTRY) : inText(text),
	);
}

function inText(text: string): string[] {
	const bracketed = openingOf(text.trimStart()).includes('[');
	const parts = split(text, SEPARATOR).map((part) => unwrapped(part, bracketed));
	return parts.filter(Boolean);
}

function split(text: string, separator: RegExp): string[] {
	return text.split(separator).filter(Boolean);
}

/** The wrapping signs at the beginning of a text. */
function openingOf(text: string): string {
	let length = 0;
	while (length < text.length && WRAPPING.includes(text.charAt(length))) length++;
	return text.slice(0, length);
}

/** A part of a text without the signs around its address. Separating signs before a closing bracket go with it: a list may end in a comma. */
function unwrapped(part: string, bracketed: boolean): string {
	const opening = openingOf(part);
	const address = part.slice(opening.length);
	const closing = closingSigns(opening, address, bracketed);
	let end = address.length;
	for (
		let sign = address.charAt(end - 1);
		(closing.get(sign) ?? 0) > 0;
		sign = address.charAt(end - 1)
	) {
		closing.set(sign, (closing.get(sign) ?? 0) - 1);
		end = sign === ']' ? endBeforeSeparators(address, end - 1) : end - 1;
	}
	return address.slice(0, end);
}

/**
 * How many of each sign may go from the end of an address: those that it cannot hold, all; single quotes, as many as were opened before it;
 * square brackets, those that were opened before it or before the whole text, and not in the address itself.
 */
function closingSigns(opening: string, address: string, bracketed: boolean): Map<string, number> {
	const brackets =
		bracketed || opening.includes('[') ? countOf(']', address) - countOf('[', address) : 0;
	return new Map([
		...['"', '<', '>'].map((sign): [string, number] => [sign, Infinity]),
		["'", countOf("'", opening)],
		[']', brackets],
	]);
}

function endBeforeSeparators(text: string, end: number): number {
	let index = end;
	while (index > 0 && SEPARATING.includes(text.charAt(index - 1))) index--;
	return index;
}

function countOf(sign: string, text: string): number {
	return text.split(sign).length - 1;
}
