import { isObject } from '../../../service/json';

type MailJson = Record<string, unknown>;

interface MailFile {
	fileName: string;
	bytes: number;
	/** Its first bytes, at most HEAD_BYTES. */
	head: Buffer;
}

const LARGEST_BYTES = 50_000;
const LONGEST_SIDE_PIXELS = 400;
/** A bank card, the smallest thing that people scan, has 71,781 pixels at only 100 dots per inch. */
const LARGEST_AREA_PIXELS = 50_000;

/** How Outlook and Outlook on the web name images in the text of a mail. */
const OUTLOOK_NAME = /^(?:image\d{3}|outlook-[^/\\]+)\.(?:png|gif|jpe?g|svg)$/i;
const HTML_DEPTH = 4;

/**
 * Whether a file is a small image in the text of a mail, such as the logo of a signature; in doubt it is a document. n8n's mail nodes
 * do not output which files were inline, and a pasted photo of a claim is inline too.
 */
export function isInlineImage(file: MailFile, json: MailJson): boolean {
	return isSmallImage(file) && isShown(file, json);
}

/** Whether its bytes are those of a small PNG, GIF, JPEG or SVG, without the Exif data that cameras and scanners write. */
function isSmallImage({ bytes, head }: MailFile): boolean {
	if (bytes > LARGEST_BYTES) return false;
	const size = sizeOf(head);
	if (size === undefined) {
		const text = head.toString('utf8');
		// \s is the byte order mark, too.
		return /^\s*<(?:svg|\?xml|!doctype svg)\b/i.test(text) && /<svg[\s>]/i.test(text);
	}
	const [width, height] = size;
	const area = width * height;
	// A JPEG may give its height at its end.
	if (area === 0 || area > LARGEST_AREA_PIXELS || Math.max(...size) > LONGEST_SIDE_PIXELS)
		return false;
	return !['Exif\0\0', 'eXIf'].some((mark) => head.includes(mark, 0, 'latin1'));
}

/** Whether HTML in the mail shows the file: its bytes (Email Trigger (IMAP), Gmail), or its name (Outlook, Gmail). */
function isShown({ fileName, bytes, head }: MailFile, json: MailJson): boolean {
	const { names, data, isPreview } = shownIn(json);
	// Three bytes are four characters; only the end of the file may be shorter.
	const known = head.length >= bytes ? bytes : head.length - (head.length % 3);
	const begin = head.toString('base64', 0, known);
	if (data.some(({ html, at }) => html.startsWith(begin, at))) return true;
	if (names.has(fileName.toLowerCase())) return true;
	return OUTLOOK_NAME.test(fileName) && (isPreview || names.has(ANY));
}

/** What the HTML of a mail shows. */
interface Shown {
	/** In lower case: the addresses and the texts of images that are parts of the mail, and `ANY` where there is such an address. */
	names: Set<string>;
	/** Where data: addresses have their bytes. */
	data: Array<{ html: string; at: number }>;
	/** Outlook's simplified output has a preview in place of the text. */
	isPreview: boolean;
}

const ANY = 'cid:';

/** Images in the HTML of a mail. Further ones are documents: anyone may send a mail with millions. */
const MAX_IMAGES = 1_000;

/** Read once for all files of a mail. */
const mails = new WeakMap<MailJson, Shown>();

function shownIn(json: MailJson): Shown {
	const shown = mails.get(json) ?? readShown(json);
	mails.set(json, shown);
	return shown;
}

function readShown(json: MailJson): Shown {
	const pages = htmlIn(json, HTML_DEPTH);
	const found = (pattern: RegExp) => pages.flatMap((html) => firstMatches(html, pattern));
	const ids = found(/\bcid:([^'"\s<>]{0,256})/gi).map(({ match: [, id = ''] }) => id);
	const tags = found(/<img\b[^<>]{0,2000}>/gi).map(({ match: [tag] }) => tag);
	const texts = tags
		.filter((tag) => /\bsrc=["']?cid:/i.test(tag))
		.flatMap((tag) => [...tag.matchAll(/alt=(["'])(.*?)\1/gi)].map(([, , text = '']) => text));
	const names = [...ids.flatMap(partsOf), ...texts].map((name) => name.toLowerCase());
	return {
		names: new Set(ids.length > 0 ? [ANY, ...names] : names),
		data: found(/;base64,/gi).map(({ html, match }) => ({
			html,
			at: match.index + match[0].length,
		})),
		isPreview: typeof json.bodyPreview === 'string' && json.body === undefined,
	};
}

function firstMatches(html: string, pattern: RegExp) {
	const all: Array<{ html: string; match: RegExpExecArray }> = [];
	for (const match of html.matchAll(pattern)) if (all.push({ html, match }) >= MAX_IMAGES) break;
	return all;
}

/** An address may have the name of the file in front of an @. */
function partsOf(id: string): string[] {
	const parts = id.split('@', 3);
	return [id, ...parts.map((_part, at) => parts.slice(0, at + 1).join('@'))];
}

function htmlIn(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return /<img\b/i.test(value) ? [value] : [];
	if (!isObject(value) || depth === 0) return [];
	return Object.values(value).flatMap((entry) => htmlIn(entry, depth - 1));
}

/** Width and height by the header of a PNG, GIF or JPEG; undefined when these bytes do not show them. */
function sizeOf(bytes: Buffer): [width: number, height: number] | undefined {
	const begin = bytes.toString('latin1', 0, 8);
	if (begin === '\x89PNG\r\n\x1a\n' && bytes.length >= 24)
		return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
	if (/^GIF8[79]a/.test(begin) && bytes.length >= 10)
		return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
	return begin.startsWith('\xff\xd8') ? sizeOfJpeg(bytes) : undefined;
}

/** SOF0 to SOF15, without DHT, JPG and DAC in the same range. */
const FRAMES = new Set([0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15].map((type) => 0xc0 + type));

/** Skips segments up to the one that describes the frame. */
function sizeOfJpeg(bytes: Buffer): [width: number, height: number] | undefined {
	let at = 2;
	while (at + 9 <= bytes.length && bytes[at] === 0xff) {
		const marker = bytes.readUInt8(at + 1);
		if (FRAMES.has(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
		const isFillByte = marker === 0xff;
		at += isFillByte ? 1 : 2 + bytes.readUInt16BE(at + 2);
	}
	return undefined;
}
