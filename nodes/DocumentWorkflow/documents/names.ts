/** The stages of a name: given by the input (`givenName` in open.ts), readable, complete. */
import { tryTo } from '../../../service/tryTo';
import { extensionIn, extensionOf, isGeneral, kindNamed } from './types';

/** Limit of file systems. */
const MAX_NAME_BYTES = 255;
/** In characters. Encoded names with their path are shorter. Of a longer one, the end is used. */
const MAX_GIVEN_LENGTH = 4096;

const WHITE_SPACE = /[\s\x85]+/gu;
const LINE_BREAK = /[\n\v\f\r\t\x85\u2028\u2029]/;
const DOTS_AND_SPACES_AT_END = /(?<![.\s])[.\s]+$/;
/** As in "COI 01/02/2026.pdf" and "Claim w/ photos.pdf". In "2026/scan.pdf" and "scans/2026/01.pdf" slashes separate folders. */
const SLASHES_IN_NAME = /(?<![\\/\d])\d+(?:\/\d+)+|(?<=[^\\/])\/(?=\s)/g;
/** Controls, changes of the reading direction ("fdp.exe" shows as "exe.pdf"), zero-width marks, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u200b\ufeff]/gu;
const EXTENSION_SHAPE = /^(?=.*[a-z])[a-z0-9]{1,10}$/;

const LAST_RESORT = 'document';

/**
 * A readable name: decoded once, without folders, double quotes and invisible characters, in normal form C.
 * @param given from a mail, a disk or a form; may be encoded for a mail header
 * @param fallback used when nothing or only an extension is left of the given name, e.g. the name of the field
 */
export function readableName(given: unknown, fallback: string): string {
	const name = typeof given === 'string' || typeof given === 'number' ? decoded(String(given)) : '';
	const isOnlyExtension = /^[.\s]*\w+$/.test(name) && kindNamed(name) !== undefined;
	if (name !== '' && !isOnlyExtension) return name;
	const extension = extensionIn(name);
	const other = readableName(fallback, LAST_RESORT);
	return name === '' || extensionIn(other) === extension ? other : `${other}.${extension}`;
}

/** The name with the extension of the media type, unless it has a known one, and with at most 255 bytes of UTF-8. */
export function completeName(name: string, mediaType: string): string {
	const isComplete =
		kindNamed(name) !== undefined ||
		(isGeneral(mediaType) && EXTENSION_SHAPE.test(extensionIn(name)));
	const missing = isComplete ? undefined : extensionOf(mediaType);
	const complete = missing === undefined ? name : `${name}.${missing}`;
	return Buffer.byteLength(complete) <= MAX_NAME_BYTES ? complete : cutName(complete);
}

function cutName(name: string): string {
	const extension = extensionIn(name);
	const end = EXTENSION_SHAPE.test(extension) ? name.slice(-extension.length - 1) : '';
	const { read } = new TextEncoder().encodeInto(name, new Uint8Array(MAX_NAME_BYTES - end.length));
	return (name.slice(0, read).replace(DOTS_AND_SPACES_AT_END, '') || LAST_RESORT) + end;
}

function decoded(given: string): string {
	const words = decodeWords(correctUtf8(given.slice(-MAX_GIVEN_LENGTH))).trim();
	const visible = decodePercents(withoutQuotes(words))
		.replace(WHITE_SPACE, (space) => (LINE_BREAK.test(space) ? ' ' : space))
		.replace(INVISIBLE, '')
		.normalize('NFC');
	const parts = visible
		.replace(SLASHES_IN_NAME, (found) => found.replaceAll('/', '_'))
		.split(/[\\/]/);
	const lastPart = parts.findLast((part) => /[^.\s]/.test(part)) ?? '';
	// In the header of a form part a double quote would become %22.
	return lastPart.replaceAll('"', "'").replace(DOTS_AND_SPACES_AT_END, '').trimStart();
}

function withoutQuotes(name: string): string {
	return /^"([^"]*)"$|^'([^']*)'$/.exec(name)?.slice(1).join('') ?? name;
}

/** Corrects "MÃ¼ller" to "Müller": UTF-8 that n8n's mail nodes read as Latin-1, where a mail header does not declare it. */
function correctUtf8(text: string): string {
	const isLatin1 = /^[\0-\x7f]*[\x80-\xff][\0-\xff]*$/.test(text);
	return (isLatin1 ? decode('utf-8', Buffer.from(text, 'latin1')) : undefined) ?? text;
}

const WORD = String.raw`=\?[^?\s*]+(?:\*[^?\s]*)?\?[bq]\?[^?]*\?=`;
const ADJACENT_WORDS = new RegExp(String.raw`${WORD}(?:\s*${WORD})*`, 'gi');
const PARTS_OF_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;

/** Decodes words such as =?utf-8?B?TcO8bGxlcg==?= (RFC 2047). In one that cannot be decoded, slashes separate no folders. */
function decodeWords(text: string): string {
	return text.replace(ADJACENT_WORDS, (words) => joinWords(words) ?? words.replace(/[\\/]/g, '_'));
}

function joinWords(words: string): string | undefined {
	// A character may be split between two words of the same charset.
	const pieces: Array<{ charset: string; bytes: Buffer }> = [];
	for (const [, charset = '', encoding = '', content = ''] of words.matchAll(PARTS_OF_WORD)) {
		const isBase64 = encoding.toLowerCase() === 'b';
		const bytes = isBase64 ? fromBase64(content) : fromEscapes(content.replace(/_/g, ' '), '=');
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
	return /^[a-z0-9+/]*$/i.test(digits) ? Buffer.from(digits, 'base64') : undefined;
}

/** Decodes utf-8''M%C3%BCller.pdf (RFC 2231) and M%C3%BCller.pdf. A name with spaces, or with a bare percent sign, is kept. */
function decodePercents(text: string): string {
	const encoded = /^(?:([\w.:-]+)'[\w-]*'(.+)|[^%\s]*%\S*)$/s.exec(text);
	if (encoded === null) return text;
	const [, charset = 'utf-8', content = text] = encoded;
	const bytes = fromEscapes(content, '%');
	return (bytes && decode(charset, bytes)) ?? text;
}

/** Decodes bytes written as a sign and two hexadecimal digits; undefined where the sign has no digits. */
function fromEscapes(text: string, sign: string): Buffer | undefined {
	const [first = '', ...rest] = text.split(sign);
	if (!rest.every((part) => /^[0-9a-f]{2}/i.test(part))) return undefined;
	const bytes = rest.map((part) => [
		Buffer.from(part.slice(0, 2), 'hex'),
		Buffer.from(part.slice(2)),
	]);
	return Buffer.concat([Buffer.from(first), ...bytes.flat()]);
}

/** Undefined for an unknown charset, and for bytes that are invalid in it. */
function decode(charset: string, bytes: Uint8Array): string | undefined {
	return tryTo(() => {
		const decoder = new TextDecoder(charset, { fatal: true });
		// In one step Node 20 takes windows-1252 for ISO 8859-1, and loses dashes and the euro sign.
		return decoder.decode(bytes, { stream: true }) + decoder.decode();
	});
}
