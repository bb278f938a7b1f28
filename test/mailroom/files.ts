/** The files that come with mails. Those that a person must look at say why. */
import { jpeg } from '../fixtures/images';
import { arrivalOf, attachment, forwarded, sample, type Attached } from '../e2e/mails';
import type { Answer } from './answers';
import type { PlannedFile } from './plan';

/** A file as it is attached, and what is planned for it. */
export interface MailFile {
	attached: Attached;
	planned: PlannedFile;
}

const PDF = sample('declarations-page.pdf');
const LOCKED = '%PDF-1.6\ntrailer << /Encrypt 5 0 R /Root 1 0 R >>\n%%EOF';
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Bytes that no other file has. */
const marked = (content: Buffer | string, mark: string) =>
	Buffer.concat([Buffer.from(content.toString('latin1'), 'latin1'), Buffer.from(`\n% ${mark}\n`)]);

/** An archive of nothing, with a comment. */
function zip(mark: string): Buffer {
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(mark.length, 20);
	return Buffer.concat([end, Buffer.from(mark)]);
}

/** By format: media type and bytes. A mark makes the bytes unique. */
const FORMATS = {
	pdf: ['application/pdf', (mark: string) => marked(PDF, mark)],
	locked: ['application/pdf', (mark: string) => marked(LOCKED, mark)],
	zip: ['application/zip', zip],
	docx: [`${OFFICE}.wordprocessingml.document`, zip],
	xlsx: [`${OFFICE}.spreadsheetml.sheet`, zip],
	doc: ['application/msword', (mark: string) => marked('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', mark)],
	tif: ['image/tiff', (mark: string) => marked('II*\0\x08\0\0\0', mark)],
	jpg: ['image/jpeg', (mark: string) => marked(jpeg(2480, 3508, { bytes: 90_000 }), mark)],
	eml: ['message/rfc822', (mark: string) => Buffer.from(`Subject: ${mark}\r\n\r\nA policy.\r\n`)],
	txt: ['text/plain', (mark: string) => Buffer.from(`Policy Number: ${mark}\n`)],
} as const satisfies Record<string, readonly [string, (mark: string) => Buffer]>;
export type Format = keyof typeof FORMATS;

function planned(attached: Attached, more: Omit<PlannedFile, 'name' | 'sha256'>): MailFile {
	const { fileName, sha256 } = arrivalOf(attached);
	return { attached, planned: { name: fileName, sha256, ...more } };
}

/** A document that the service reads. With `bytes` it is at least so long. */
export function document(
	format: Format,
	name: string,
	mark: string,
	answer: Answer,
	bytes = 0,
): MailFile {
	const [mediaType, make] = FORMATS[format];
	const own = make(mark);
	const filling = bytes > own.length ? Buffer.alloc(bytes - own.length, mark) : '';
	const content = Buffer.concat([own, Buffer.from(filling)]);
	const { doubt } = answer;
	const attached =
		format === 'eml' ? forwarded(name, content) : attachment(name, mediaType, content);
	return planned(attached, { use: 'document', answer, ...(doubt && { doubt }) });
}

/** What mail programs attach, and nobody needs. */
export const aside = (attached: Attached): MailFile => planned(attached, { use: 'aside' });

/** What should have been a document, or hides some. */
const UNUSABLE = {
	empty: ['policy.pdf', 'application/pdf', '', /empty/],
	page: ['declarations.pdf', 'application/pdf', '<html>Please sign in</html>', /name says a PDF/],
	winmail: ['winmail.dat', 'application/ms-tnef', '\x78\x9f\x3e\x22', /wraps attachments/],
	p7m: ['smime.p7m', 'application/pkcs7-mime', '\x30\x82', /encrypted or signed/],
} as const;

export function unusable(kind: keyof typeof UNUSABLE, mark: string): MailFile {
	const [name, mediaType, begin, doubt] = UNUSABLE[kind];
	const content = begin === '' ? '' : marked(Buffer.from(begin, 'latin1'), mark);
	return planned(attachment(name, mediaType, content), { use: 'unusable', doubt });
}
