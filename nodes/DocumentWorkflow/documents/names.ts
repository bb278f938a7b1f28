import { extensionIn, extensionOf, isGeneral, mediaTypeOfExtension } from './types/mediaTypes';

/** Limit of file systems. */
const MAX_NAME_BYTES = 255;
/** In characters. Encoded names with their path are shorter. Of a longer one, the end is used. */
const MAX_GIVEN_LENGTH = 4096;

/** A name that was encoded twice, and its path and quotes in between, take fewer (assumed). */
const MAX_LAYERS = 5;

const WHITE_SPACE = /[\s\x85]+/gu;
const LINE_BREAK = /[\n\v\f\r\t\x85\u2028\u2029]/;
const DOTS_AND_SPACES_AT_END = /(?<![.\s])[.\s]+$/;
/** Control characters, changes of the reading direction (which show "fdp.exe" as "exe.pdf"), zero-width marks, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u200b\ufeff]/gu;
const EXTENSION_SHAPE = /^(?=.*[a-z])[a-z0-9]{1,10}$/;

/**
 * The name under which a document is sent: readable, without folders and double quotes, with an extension, at most 255 bytes of UTF-8 in
 * normal form C. Repairing a repaired name changes nothing.
 * @param given from a mail, a disk or a form; may be encoded for a mail header
 * @param fallback used when nothing is left of the given name, e.g. the name of the field
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
	let name = given.slice(-MAX_GIVEN_LENGTH);
	for (let pass = 0; ; pass++) {
		const isLast = pass === MAX_LAYERS;
		const plain = decodeLayers(isLast ? withoutCodes(name) : name);
		const next = shorten(withExtension(plain, fallback, mediaType));
		if (next === name && !isLast) return name;
		name = next;
	}
}

/**
 * Repeats the cleaning, because it may reveal something else to clean, such as an encoded path. Each layer may multiply the length, so
 * that is limited too. What is encoded in more layers is no name that a program made, and is not decoded further.
 */
function decodeLayers(given: string): string {
	let name = given;
	for (let layer = 0; ; layer++) {
		const next = clean(name).slice(-MAX_GIVEN_LENGTH);
		if (next === name) return name;
		name = layer === MAX_LAYERS ? withoutCodes(next) : next;
	}
}

/** Replaces the signs that begin something encoded. Without them, cleaning only shortens a name. */
function withoutCodes(name: string): string {
	return name.replace(/[%'"]|=(?=\?)/g, '_');
}

function clean(name: string): string {
	const visible = correctUtf8(name)
		.replace(WHITE_SPACE, (space) => (LINE_BREAK.test(space) ? ' ' : space))
		.replace(INVISIBLE, '')
		.normalize('NFC')
		.trim();
	const decoded = decodePercents(decodeWords(withoutQuotes(visible)));
	const lastPart = decoded.split(/[\\/]/).findLast((part) => /[^.\s]/.test(part)) ?? '';
	// In the header of a form part a double quote would become %22.
	return lastPart.replaceAll('"', "'").replace(DOTS_AND_SPACES_AT_END, '').trimStart();
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
	if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
	const extension = extensionIn(name);
	const end = EXTENSION_SHAPE.test(extension) ? name.slice(-extension.length - 1) : '';
	const { read } = new TextEncoder().encodeInto(name, new Uint8Array(MAX_NAME_BYTES - end.length));
	return name.slice(0, read).replace(DOTS_AND_SPACES_AT_END, '') + end;
}

/**
 * Corrects UTF-8 that was read as Latin-1: "MÃ¼ller" becomes "Müller". n8n's mail nodes give such names where a mail header holds UTF-8
 * without declaring it. A text whose bytes are not UTF-8, such as "Müller" itself, is unchanged. Must run before control characters are
 * removed, because half of such a letter may be one.
 */
function correctUtf8(text: string): string {
	if (!/[\x80-\xff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
	} catch {
		return text;
	}
}

const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;
const WORD = String.raw`=\?[^?\s*]+(?:\*[^?\s]*)?\?[bq]\?[^?]*\?=`;
const ADJACENT_WORDS = new RegExp(String.raw`${WORD}(?:\s*${WORD})*`, 'gi');

/**
 * Decodes the encoded words of mail headers (RFC 2047), as in =?utf-8?B?TcO8bGxlcg==?=. A character may be split between two
 * words of the same charset. A word that cannot be decoded is kept, with its slashes replaced, because they separate no folders.
 */
function decodeWords(text: string): string {
	return text.replace(ADJACENT_WORDS, (words) => joined(words) ?? words.replace(/[\\/]/g, '_'));
}

function joined(words: string): string | undefined {
	const pieces: Array<{ charset: string; bytes: Buffer }> = [];
	for (const [, charset = '', encoding = '', content = ''] of words.matchAll(ENCODED_WORD)) {
		const bytes =
			encoding.toLowerCase() === 'b' ? fromBase64(content) : fromQuotedPrintable(content);
		if (bytes === undefined) return undefined;
		const last = pieces.at(-1);
		if (last?.charset === charset.toLowerCase()) last.bytes = Buffer.concat([last.bytes, bytes]);
		else pieces.push({ charset: charset.toLowerCase(), bytes });
	}
	const texts = pieces.map(({ charset, bytes }) => decode(charset, bytes));
	return texts.includes(undefined) ? undefined : texts.join('');
}

function fromBase64(content: string): Buffer | undefined {
	const digits = content.replace(/\s|(?<!=)=+\s*$/g, '');
	return /^[a-z0-9+/]*$/i.test(digits) && digits.length % 4 !== 1
		? Buffer.from(digits, 'base64')
		: undefined;
}

function fromQuotedPrintable(content: string): Buffer | undefined {
	return fromEscapes(content.replace(/_/g, ' '), '=');
}

/**
 * Decodes the percent signs of mail headers (RFC 2231), as in utf-8''M%C3%BCller.pdf, and of addresses, as in M%C3%BCller.pdf.
 * A name with spaces, or with a percent sign that encodes nothing, is kept.
 */
function decodePercents(text: string): string {
	const [, charset = 'utf-8', content = ''] =
		/^([\w.:-]+)'[\w-]*'(.*)/s.exec(text) ??
		(/^[^%\s]*%\S*$/.test(text) ? [text, 'utf-8', text] : []);
	const bytes = content === '' ? undefined : fromEscapes(content, '%');
	return (bytes && decode(charset, bytes)) ?? text;
}

/** Decodes bytes written as a sign and two hexadecimal digits; undefined where the sign has no digits. */
function fromEscapes(text: string, sign: string): Buffer | undefined {
	const [first = '', ...rest] = text.split(sign);
	if (!rest.every((part) => /^[0-9a-f]{2}/i.test(part))) return undefined;
	return Buffer.concat([
		Buffer.from(first),
		...rest.map((part) =>
			Buffer.concat([Buffer.from(part.slice(0, 2), 'hex'), Buffer.from(part.slice(2))]),
		),
	]);
}

/**
 * Undefined for an unknown charset, and for bytes that are invalid in it. Decodes in two steps: in one step Node 20 takes windows-1252 for
 * ISO 8859-1, and loses dashes and the euro sign.
 */
function decode(charset: string, bytes: Uint8Array): string | undefined {
	try {
		const decoder = new TextDecoder(charset, { fatal: true });
		return decoder.decode(bytes, { stream: true }) + decoder.decode();
	} catch {
		return undefined;
	}
}
