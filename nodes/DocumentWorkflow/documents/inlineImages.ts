import { isRecord } from '../../../service/contract';
import { readImageHeader } from './imageHeader';

interface MailFile {
	fileName: string;
	bytes: number;
	/** Its first bytes; all of them when it is shorter than what is read for a look. */
	head: Uint8Array;
}

const LARGEST_BYTES = 50_000;
const LONGEST_SIDE_PIXELS = 400;
/** A bank card, the smallest thing that people scan, has 71,781 pixels at only 100 dots per inch. */
const LARGEST_AREA_PIXELS = 50_000;

/** How Outlook and Outlook on the web name the images that stand within the text of a mail. */
const OUTLOOK_NAME = /^(?:image\d{3}|outlook-[^/\\]+)\.(?:png|gif|jpe?g|svg)$/i;
const HTML_DEPTH = 4;

/**
 * Whether a file is a small image within the text of a mail, such as the logo of a signature. What n8n's mail nodes deliver no longer
 * says which file was inline, and a pasted photo of a claim is inline too. So all of this must hold, and a file of which anything is
 * not known is a document:
 *
 * 1. It is a PNG, GIF, JPEG or SVG by its bytes.
 * 2. It is small: 50 kB at most, and, but for an SVG, neither side over 400 pixels and 50,000 pixels in all.
 * 3. It carries no Exif data, which cameras, phones and scanners write.
 * 4. The text of the mail shows it. Html in the item's JSON holds the same bytes as a data: address (Email Trigger (IMAP), Gmail), or a
 *    cid: link with its name before the @ (Outlook) or in its alternative text (Gmail). Or the file has a name that Outlook gives to images
 *    in the text, and the JSON is html with cid: links, or Outlook's simplified output, which has no html.
 *
 * The JSON must be that of the mail: behind a node that leaves the html out, every image is a document.
 */
export function isInlineImage(file: MailFile, json: unknown): boolean {
	return isSmallImage(file) && isShown(file, json);
}

function isSmallImage({ bytes, head }: MailFile): boolean {
	if (bytes > LARGEST_BYTES) return false;
	const header = readImageHeader(head);
	if (!header) return isSvg(head);
	const { width, height, exif } = header;
	return (
		!exif && Math.max(width, height) <= LONGEST_SIDE_PIXELS && width * height <= LARGEST_AREA_PIXELS
	);
}

function isSvg(head: Uint8Array): boolean {
	const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8');
	return /^\s*<(?:svg|\?xml|!doctype svg)\b/i.test(text) && /<svg[\s>]/i.test(text); // \s is the byte order mark, too
}

function isShown(file: MailFile, json: unknown): boolean {
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

/** Whether a data: address in the html begins with the bytes at hand and is as long as the file. */
function showsBytes(html: string, { bytes, head }: MailFile): boolean {
	const whole = head.byteLength >= bytes;
	// three bytes are four characters; only the end of the file may be shorter
	const known = Buffer.from(
		head.buffer,
		head.byteOffset,
		whole ? bytes : head.byteLength - (head.byteLength % 3),
	).toString('base64');
	const length = 4 * Math.ceil(bytes / 3);
	const begin = `;base64,${known}`;
	for (let at = html.indexOf(begin); at >= 0; at = html.indexOf(begin, at + 1)) {
		const end = at + ';base64,'.length + length;
		if (
			!/[^A-Za-z0-9+/=]/.test(html.slice(end - length, end)) &&
			!/^[A-Za-z0-9+/=]/.test(html.slice(end, end + 1))
		)
			return true;
	}
	return false;
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

/** Microsoft Outlook's simplified output: a preview of the text in place of the text. */
function isOutlookMailWithoutText(json: unknown): boolean {
	return isRecord(json) && typeof json.bodyPreview === 'string' && json.body === undefined;
}
