import { decodePercents, decodeWords } from './encodedNames';
import { extensionIn, extensionOf, isGeneral, mediaTypeOfExtension } from './mediaTypes';
import { rereadUtf8 } from './misreadUtf8';

/** What file systems take. */
const LONGEST_NAME_BYTES = 255;
/** An encoded name with its path is shorter; of what is longer, the end counts. */
const LONGEST_GIVEN = 4096;

const LINE_BREAKS = /\s*[\n\v\f\r\t\x85\u2028\u2029]+\s*/gu;
/** Control characters, those that turn the direction of reading (they show "fdp.exe" as "exe.pdf"), marks without width, halves of characters. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u200b\ufeff]/gu;
const EXTENSION_SHAPE = /^(?=.*[a-z])[a-z0-9]{1,10}$/;

/**
 * The name under which a document is sent: readable, without folders and double quotes, with an extension, at most 255 bytes of UTF-8 in normal form C.
 * Repairing a repaired name changes nothing.
 * @param given as it came with a mail, from a disk or from a form; it may be encoded for a mail header
 * @param fallback used when nothing is left of the given name, such as the name of the field
 * @param mediaType gives a missing extension; empty to add none
 */
export function repairFileName(
	given: string | undefined,
	fallback: string,
	mediaType: string,
): string {
	return repair(given ?? '', repair(fallback, 'document', ''), mediaType);
}

function repair(given: string, fallback: string, mediaType: string): string {
	return untilStable(given.slice(-LONGEST_GIVEN), (name) =>
		shorten(withExtension(untilStable(name, clean), fallback, mediaType)),
	);
}

/** A change may bring to light what wants the change itself, such as an encoded path. */
function untilStable(given: string, change: (name: string) => string): string {
	let name = given;
	for (let changed = change(name); changed !== name; changed = change(name)) name = changed;
	return name;
}

function clean(name: string): string {
	const visible = rereadUtf8(name)
		.replace(LINE_BREAKS, ' ')
		.replace(INVISIBLE, '')
		.normalize('NFC')
		.trim();
	const decoded = decodePercents(decodeWords(withoutQuotes(visible)));
	const lastPart = decoded.split(/[\\/]/).findLast((part) => /[^.\s]/.test(part)) ?? '';
	// In the header of a form a double quote would arrive as %22.
	return lastPart
		.replaceAll('"', "'")
		.replace(/[.\s]+$/, '')
		.trimStart();
}

function withoutQuotes(name: string): string {
	return /^"([^"]*)"$|^'([^']*)'$/.exec(name)?.slice(1).join('') ?? name;
}

function withExtension(name: string, fallback: string, mediaType: string): string {
	if (name === '') return withExtension(fallback, fallback, mediaType);
	const extension = extensionIn(name);
	const isKnown = mediaTypeOfExtension(extension) !== undefined;
	if (isKnown && /^[.\s]*$/.test(name.slice(0, -extension.length)))
		return extensionIn(fallback) === extension ? fallback : `${fallback}.${extension}`;
	if (
		isKnown ||
		(isGeneral(mediaType) && EXTENSION_SHAPE.test(extension) && name.lastIndexOf('.') > 0)
	)
		return name;
	const missing = extensionOf(mediaType);
	return missing === undefined ? name : `${name}.${missing}`;
}

function shorten(name: string): string {
	if (Buffer.byteLength(name) <= LONGEST_NAME_BYTES) return name;
	const extension = extensionIn(name);
	const end = EXTENSION_SHAPE.test(extension) ? name.slice(-extension.length - 1) : '';
	const { read } = new TextEncoder().encodeInto(
		name,
		new Uint8Array(LONGEST_NAME_BYTES - end.length),
	);
	return name.slice(0, read).replace(/[.\s]+$/, '') + end;
}
