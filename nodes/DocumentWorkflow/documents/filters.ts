import { extensionIn } from './types';

/** Which documents to send. An undefined or empty filter accepts all. */
export interface Filters {
	/** Patterns with * for the file name. One of them must match. */
	fileNamePatterns: string[];
	/** In lower case, without a dot. */
	extensions: string[];
	/** In lower case; image/* stands for all images. */
	mediaTypes: string[];
	smallestBytes: number | undefined;
	largestBytes: number | undefined;
}

interface Described {
	fileName: string;
	mediaType: string;
	bytes: number;
}

/** The reason to skip a document, for the output; undefined when it is sent. */
export function reasonToSkip(
	{ fileName, mediaType, bytes }: Described,
	filters: Filters,
): string | undefined {
	const { fileNamePatterns, extensions, mediaTypes, smallestBytes, largestBytes } = filters;
	if (!fits(fileName, fileNamePatterns))
		return `its name does not match ${fileNamePatterns.join(', ')}`;
	if (extensions.length > 0 && !extensions.includes(extensionIn(fileName)))
		return `its extension is not one of ${extensions.join(', ')}`;
	if (!fits(mediaType, mediaTypes))
		return `its type, ${mediaType}, is not one of ${mediaTypes.join(', ')}`;
	if (smallestBytes !== undefined && bytes < smallestBytes)
		return `it is smaller than ${inWords(smallestBytes)}`;
	if (largestBytes !== undefined && bytes > largestBytes)
		return `it is larger than ${inWords(largestBytes)}`;
	return undefined;
}

function fits(text: string, patterns: string[]): boolean {
	return patterns.length === 0 || patterns.some((pattern) => matcherOf(pattern)(text));
}

function inWords(bytes: number): string {
	return bytes >= 1_000_000 ? `${bytes / 1_000_000} MB` : `${bytes / 1000} kB`;
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
