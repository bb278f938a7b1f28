import { binaryFormat } from './binary';
import type { KnownType } from './known';
import { typeByExtension, typeByMediaType } from './known';
import { textFormat } from './text';

/** How many bytes of a document's beginning are inspected. */
export const HEAD_BYTES = 4100;

const ANY = 'application/octet-stream';

const GENERAL = ['text/plain', 'application/zip', 'application/xml', 'application/json'];

/** Registered and private types, but not "unknown/unknown" or "pdf". */
const MEDIA_TYPE =
	/^(?:application|audio|chemical|font|image|message|model|multipart|text|video|x-[a-z0-9-]+)\/[a-z0-9][\w.+-]*$/;

/** Used by programs for files of unknown type. */
const SOME_FILE =
	/\/(?:x-)?(?:octet(?:-?stream)?|binary|unknown|unknown-content-type|(?:force-?)?download|file|save|data)$/;

/**
 * The media type of a document by its first bytes; undefined when they do not show one.
 * @param head the first HEAD_BYTES, or all of a shorter document
 */
export function mediaTypeOfBytes(head: Uint8Array): string | undefined {
	const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES));
	return binaryFormat(bytes) ?? textFormat(bytes, bytes.length === HEAD_BYTES);
}

/** The usual extension of a media type, without a dot; undefined when it is not known. */
export function extensionOf(mediaType: string): string | undefined {
	return typeByMediaType(bare(mediaType))?.extensions[0];
}

/** @param extension without a dot, in any case */
export function mediaTypeOfExtension(extension: string): string | undefined {
	return typeByExtension(extension.toLowerCase())?.mediaType;
}

/** The text after the last dot of a file name, in lower case; empty without a dot. */
export function extensionIn(fileName: string): string {
	const dot = fileName.lastIndexOf('.');
	return dot < 0
		? ''
		: fileName
				.slice(dot + 1)
				.trimEnd()
				.toLowerCase();
}

/** Whether this media type is used for documents of many extensions, more than are known here. */
export function isGeneral(mediaType: string): boolean {
	return GENERAL.includes(typeByMediaType(bare(mediaType))?.mediaType ?? '');
}

/**
 * The media type to send: the given one if it is specific, otherwise that of the first bytes, otherwise that of the extension.
 * @param fileName repaired, because an encoded name hides its extension
 */
export function repairMediaType(
	given: string | undefined,
	fileName: string,
	head: Uint8Array,
): string {
	const stated = bare(given ?? '');
	const found = mediaTypeOfBytes(head);
	if (MEDIA_TYPE.test(stated) && !SOME_FILE.test(stated) && !isMereGuess(stated, found))
		return stated;
	const named = typeByExtension(extensionIn(fileName));
	if (found === undefined) return named?.mediaType ?? ANY;
	return named?.looksLike.includes(found) ? named.mediaType : found;
}

/** n8n gives text/plain to every document of unknown type. */
function isMereGuess(stated: string, found: string | undefined): boolean {
	return (
		stated === 'text/plain' && found !== undefined && typeByMediaType(found)?.families[0] !== 'text'
	);
}

/** The types by name and by content, in words such as "a PDF". */
interface Contradiction {
	claimed: string;
	found: string;
}

/**
 * The contradiction between file name and first bytes, if any. Both types must be known and of different families: a text or image may
 * have the extension of another kind, and so may documents of one Office program, which opens them by their content.
 */
export function contradiction(fileName: string, head: Uint8Array): Contradiction | undefined {
	const claimed = typeByExtension(extensionIn(fileName));
	const found = typeByMediaType(mediaTypeOfBytes(head) ?? '');
	if (claimed === undefined || found === undefined || mayBe(claimed, found)) return undefined;
	return { claimed: claimed.words, found: found.words };
}

function mayBe(claimed: KnownType, found: KnownType): boolean {
	if (
		claimed === found ||
		claimed.looksLike.includes(found.mediaType) ||
		found.looksLike.includes(claimed.mediaType)
	)
		return true;
	const [family] = found.families;
	return family !== undefined && claimed.families.includes(family);
}

/** In lower case, without parameters. Takes the first when a header was sent twice. */
function bare(mediaType: string): string {
	return (/[^;,]*/.exec(mediaType)?.[0] ?? '').trim().toLowerCase();
}
