import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { needsPassword } from '../../../../../nodes/DocumentWorkflow/documents/pdf/needsPassword';

const FOLDER = join(__dirname, '../../fixtures/pdf');

/** Files are texts here with one character per byte, so that they can be joined and searched. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The names of the encrypted documents, without extension. */
export const fixtures = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.pdf') && name !== 'form.pdf')
	.map((name) => name.slice(0, -4));

export const fixture = (name: string): Buffer => readFileSync(join(FOLDER, `${name}.pdf`));

/** Streams a file in pieces, as n8n does. */
export async function* inPieces(file: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

export const isLocked = (file: string | Buffer, size = 64 * 1024): Promise<boolean> =>
	needsPassword(() => inPieces(typeof file === 'string' ? bytesOf(file) : file, size));

/** The encryption of a fixture, in PDF syntax. */
export interface Encrypted {
	entries: Record<string, string>;
	/** The first string of `ID`. */
	id: string;
}

/** The passwords of a document: both, so that it is locked, or only the owner's. */
export type Passwords = 'both' | 'owner';

export function encryptionOf(passwords: Passwords, revision = 'r3'): Encrypted {
	const text = fixture(`${revision}-${passwords}-table`).toString('latin1');
	const [, dictionary = ''] = /^<< ((?:\/CF .*)?\/Filter \/Standard.*) >>$/m.exec(text) ?? [];
	const entries = [...dictionary.matchAll(/(\/\w+) (<<.*>>|<\w+>|\/?[\w-]+)/g)].map(
		([, key = '', value = '']) => [key, value],
	);
	const [, id = ''] = /\/ID \[(<\w+>)/.exec(text) ?? [];
	return { entries: Object.fromEntries(entries) as Record<string, string>, id };
}

/** A dictionary in PDF syntax. */
export const dictionary = (entries: Record<string, string>): string =>
	`<< ${Object.entries(entries)
		.map(([key, value]) => `${key} ${value}`)
		.join(' ')} >>`;

/** The bytes of a hexadecimal string, as a text. */
export const plain = (hexadecimal: string): string =>
	Buffer.from(hexadecimal.slice(1, -1), 'hex').toString('latin1');

export const hexadecimal = (text: string): string => `<${bytesOf(text).toString('hex')}>`;

/** The objects of a document of one empty page. */
export const PAGE: readonly string[] = [
	'<< /Type /Catalog /Pages 2 0 R >>',
	'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
	'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
];

/** The number of the first object after the page. */
export const FIRST = PAGE.length + 1;

export interface Parts {
	/** The objects after the page, numbered from 4. */
	objects?: string[];
	/** Entries of the trailer beside Size and Root, in PDF syntax. */
	trailer?: string;
	form?: 'table' | 'stream';
	/** The document that is updated by these parts. Object numbers start at 4 again, and replace those of the document. */
	before?: string;
	/** Writes the name and the keyword of an object. */
	head?: (number: number) => string;
	/** The target of the pointer at the end, from the offset of the section. */
	pointer?: (offset: number) => number | string;
}

/** A PDF with correct offsets. */
export function pdf({
	objects = [],
	trailer = '',
	form = 'table',
	before,
	head = (number) => `${number} 0 obj\n`,
	pointer = Number,
}: Parts): string {
	let text = before ?? '%PDF-1.7\n';
	const offsets = new Map<number, number>();
	const add = (number: number, body: string) => {
		offsets.set(number, text.length);
		text += `${head(number)}${body}\nendobj\n`;
	};
	if (before === undefined) PAGE.forEach((body, index) => add(index + 1, body));
	objects.forEach((body, index) => add(FIRST + index, body));
	const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before ?? '')?.[1];
	const section = text.length;
	const size = FIRST + objects.length + (form === 'table' ? 0 : 1);
	const entries = `/Size ${size} /Root 1 0 R ${previous === undefined ? '' : `/Prev ${previous} `}${trailer}`;
	if (form === 'table') {
		const rows = [...offsets].map(
			([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`,
		);
		text += `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<< ${entries} >>\n`;
	} else {
		offsets.set(size - 1, section);
		const rows = [...offsets.values()].map(
			(offset) =>
				`\x01${String.fromCharCode((offset >> 16) & 255, (offset >> 8) & 255, offset & 255)}`,
		);
		const index = [...offsets.keys()].map((number) => `${number} 1`).join(' ');
		text += `${head(size - 1)}<< /Type /XRef /W [1 3 0] /Index [${index}] /Length ${rows.length * 4} ${entries} >>\nstream\n${rows.join('')}\nendstream\nendobj\n`;
	}
	return `${text}startxref\n${pointer(section)}\n%%EOF\n`;
}

/** A document with the encryption of a fixture as its first object after the page. */
export function encrypted({ entries, id }: Encrypted, parts: Parts = {}): string {
	const { objects = [], trailer = '', ...others } = parts;
	return pdf({
		objects: [dictionary(entries), ...objects],
		trailer: `/Encrypt ${FIRST} 0 R /ID [${id} ${id}] ${trailer}`,
		...others,
	});
}

/** A content stream. */
export const stream = (
	content: string,
	length: number | string = content.length,
	more = '',
): string => `<< /Length ${length} ${more}>>\nstream\n${content}\nendstream`;

export const KB = 1024;

/** A content stream of so many bytes, with something in it that looks like objects. */
export const filler = (size: number): string =>
	stream('\x93 obj'.repeat(size / 5).padEnd(size, '\x93'));
