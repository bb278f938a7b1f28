import { extensionIn } from './mediaTypes';
import { matcherOf } from './selection';

/** Which documents are left out; what is undefined or empty leaves out nothing. */
export interface Filters {
	/** Patterns with * for the file name, of which one must fit. */
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

/** Why a document is left out, as a person reads it; undefined when it is not. */
export function reasonToSkip(
	{ fileName, mediaType, bytes }: Described,
	filters: Filters,
): string | undefined {
	const { fileNamePatterns, extensions, mediaTypes, smallestBytes, largestBytes } = filters;
	if (!fits(fileName, fileNamePatterns))
		return `its name does not fit ${fileNamePatterns.join(', ')}`;
	if (extensions.length > 0 && !extensions.includes(extensionIn(fileName)))
		return `its extension is not among ${extensions.join(', ')}`;
	if (!fits(mediaType, mediaTypes))
		return `its type, ${mediaType}, is not among ${mediaTypes.join(', ')}`;
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
