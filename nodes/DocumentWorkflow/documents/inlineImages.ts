import type { IDataObject } from 'n8n-workflow';

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
 * Whether a file is a small image within the text of a mail, such as the logo of a signature. n8n's mail nodes do not
 * output which files were inline, and a pasted photo of a claim is inline too. So all of this must be true; in doubt, a
 * file is a document:
 *
 * 1. It is a PNG, GIF, JPEG or SVG by its bytes.
 * 2. It is small: at most 50 kB, and unless it is an SVG, at most 400 pixels a side and 50,000 pixels in all.
 * 3. It carries no Exif data, which cameras, phones and scanners write.
 * 4. The text of the mail shows it. HTML in the item's JSON contains the same bytes as a data: address (Email Trigger
 *    (IMAP), Gmail), or a cid: link with its name before the @ (Outlook) or in its alternative text (Gmail). Or the
 *    file has a name that Outlook gives to images in the text, and the JSON contains HTML with cid: links, or is
 *    Outlook's simplified output, which has no HTML.
 *
 * The JSON must be that of the mail: after a node that removes the HTML, every image is a document.
 */
export function isInlineImage(file: MailFile, json: IDataObject): boolean {
	return isSmallImage(file) && isShown(file, json);
}

function isSmallImage({ bytes, head }: MailFile): boolean {
	if (bytes > LARGEST_BYTES) return false;
	const size = sizeOf(head);
	if (size === undefined) return isSvg(head);
	const [width, height] = size;
	const area = width * height;
	// A JPEG may give its height at its end.
	if (area === 0 || area > LARGEST_AREA_PIXELS || Math.max(...size) > LONGEST_SIDE_PIXELS)
		return false;
	return !['Exif\0\0', 'eXIf'].some((mark) => head.includes(mark, 0, 'latin1'));
}

function isSvg(head: Buffer): boolean {
	const text = head.toString('utf8');
	return /^\s*<(?:svg|\?xml|!doctype svg)\b/i.test(text) && /<svg[\s>]/i.test(text); // \s is the byte order mark, too
}

function isShown(file: MailFile, json: IDataObject): boolean {
	const pages = htmlIn(json, HTML_DEPTH);
	if (pages.some((html) => showsBytes(html, file) || linksName(html, file.fileName))) return true;
	if (!OUTLOOK_NAME.test(file.fileName)) return false;
	return pages.some((html) => /\bcid:/i.test(html)) || isOutlookMailWithoutText(json);
}

function htmlIn(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return /<img\b/i.test(value) ? [value] : [];
	if (typeof value !== 'object' || value === null || depth === 0) return [];
	return Object.values(value).flatMap((entry) => htmlIn(entry, depth - 1));
}

/** Whether a data: address in the HTML begins with the known bytes. */
function showsBytes(html: string, { bytes, head }: MailFile): boolean {
	// Three bytes are four characters; only the end of the file may be shorter.
	const known = head.length >= bytes ? bytes : head.length - (head.length % 3);
	return html.includes(`;base64,${head.toString('base64', 0, known)}`);
}

function linksName(html: string, fileName: string): boolean {
	const name = fileName.toLowerCase();
	const links = [...html.matchAll(/\bcid:([^'"\s<>]{1,256})/gi)].map(([, id = '']) =>
		id.toLowerCase(),
	);
	if (links.some((id) => id === name || id.startsWith(`${name}@`))) return true;
	const images = [...html.matchAll(/<img\b[^<>]{0,2000}>/gi)].map(([tag]) => tag.toLowerCase());
	return images.some(
		(tag) =>
			/\bsrc=["']?cid:/.test(tag) &&
			(tag.includes(`alt="${name}"`) || tag.includes(`alt='${name}'`)),
	);
}

/** Microsoft Outlook's simplified output has a preview of the text instead of the text. */
function isOutlookMailWithoutText(json: IDataObject): boolean {
	return typeof json.bodyPreview === 'string' && json.body === undefined;
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

/** Skips segments up to the one that describes the frame. */
function sizeOfJpeg(bytes: Buffer): [width: number, height: number] | undefined {
	let at = 2;
	while (at + 9 <= bytes.length && bytes[at] === 0xff) {
		const marker = bytes[at + 1] ?? 0;
		if (marker === 0xff) {
			at += 1; // a fill byte
		} else if (isFrame(marker)) {
			return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
		} else {
			at += 2 + bytes.readUInt16BE(at + 2);
		}
	}
	return undefined;
}

/** SOF0 to SOF15, without DHT, JPG and DAC in the same range. */
function isFrame(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
