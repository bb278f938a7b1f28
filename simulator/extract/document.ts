/** Reads the text of a document that was sent. */
import { textOfHtml } from './html';
import { linesOfSeparatedValues, linesOfText, type Line } from './lines';
import { contentOfMail } from './mail';
import { linesOfPdf } from './pdf';

export interface DocumentFile {
	fileName: string;
	mediaType: string;
	bytes: Uint8Array;
}

export type DocumentKind = 'pdf' | 'mail' | 'html' | 'values' | 'text' | 'unreadable';

/** `lines` is empty for a kind without text (an image) and for a broken file. */
export interface ReadDocument {
	fileName: string;
	mediaType: string;
	kind: DocumentKind;
	lines: Line[];
	attachments: ReadDocument[];
}

/** How deep e-mails attached to e-mails are read. */
const DEEPEST = 10;

/** The kind of a file: by its first bytes, then its media type, then its name. */
export function kindOf(file: {
	fileName: string;
	mediaType: string;
	firstBytes: Uint8Array;
}): DocumentKind {
	const name = file.fileName.toLowerCase();
	const type = (file.mediaType.split(';')[0] ?? '').trim().toLowerCase();
	const start = Buffer.from(file.firstBytes.subarray(0, 1024)).toString('latin1');
	if (start.includes('%PDF-')) return 'pdf';
	if (type === 'application/pdf' || name.endsWith('.pdf')) return 'unreadable';
	if (type === 'message/rfc822' || name.endsWith('.eml')) return 'mail';
	if (type === 'text/html' || /\.html?$/.test(name)) return 'html';
	if (type === 'text/csv' || type === 'text/tab-separated-values' || /\.[ct]sv$/.test(name))
		return 'values';
	if (type.startsWith('text/') || /\.(txt|md|log|json|xml)$/.test(name)) return 'text';
	const unnamed = type === '' || type === 'application/octet-stream';
	return unnamed && start !== '' && !start.includes('\0') ? 'text' : 'unreadable';
}

/** Reads a document and, for an e-mail, its attachments. Never raises an error. */
export async function readDocument(file: DocumentFile, depth = 0): Promise<ReadDocument> {
	const kind = kindOf({ ...file, firstBytes: file.bytes });
	const base = { fileName: file.fileName, mediaType: file.mediaType, attachments: [] };
	try {
		if (kind === 'mail') {
			const { lines, attachments } = await contentOfMail(file.bytes);
			const deeper = depth < DEEPEST ? attachments : [];
			return {
				...base,
				kind,
				lines,
				attachments: await Promise.all(deeper.map((entry) => readDocument(entry, depth + 1))),
			};
		}
		return {
			...base,
			kind,
			lines: kind === 'pdf' ? await linesOfPdf(file.bytes) : linesOfDecoded(kind, file.bytes),
		};
	} catch {
		return { ...base, kind: 'unreadable', lines: [] };
	}
}

/** All lines of a document, followed by those of its attachments. */
export function allLines(document: ReadDocument): Line[] {
	return [...document.lines, ...document.attachments.flatMap(allLines)];
}

function linesOfDecoded(kind: DocumentKind, bytes: Uint8Array): Line[] {
	if (kind === 'unreadable') return [];
	const text = decode(bytes);
	if (kind === 'html') return linesOfText(textOfHtml(text));
	if (kind === 'values') return linesOfSeparatedValues(text, separatorOf(text));
	return linesOfText(text);
}

function separatorOf(text: string): ',' | ';' | '\t' {
	const first = text.split('\n')[0] ?? '';
	if (first.includes('\t')) return '\t';
	return first.split(';').length > first.split(',').length ? ';' : ',';
}

/** UTF-16 with a byte order mark, UTF-8, or else Windows-1252. */
function decode(bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder('windows-1252').decode(bytes);
	}
}
