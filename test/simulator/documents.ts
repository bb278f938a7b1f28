/** Documents for the tests of reading. */
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { allLines, readDocument } from '../../simulator/extract/document';
import { findFields, type Row } from '../../simulator/extract/fields';
import { linesOfText } from '../../simulator/extract/lines';
import type { Field } from '../../simulator/configuration';

export interface Drawn {
	text: string;
	x: number;
	y: number;
	size?: number;
}

/** A PDF with one page per list of drawn texts. */
export async function pdfOf(...pages: Drawn[][]): Promise<Uint8Array> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (const drawn of pages) {
		const page = document.addPage();
		for (const { text, x, y, size = 10 } of drawn) page.drawText(text, { x, y, size, font });
	}
	return document.save();
}

/** The lines of a PDF as text, cells separated by three spaces. */
export async function pdfLines(bytes: Uint8Array): Promise<string[]> {
	const read = await readDocument({ fileName: 'a.pdf', mediaType: 'application/pdf', bytes });
	return allLines(read).map(({ text }) => text);
}

export function field(
	labels: string | string[],
	type: Field['type'] = 'text',
	more: Partial<Field> = {},
): Field {
	return { name: 'found', labels: [labels].flat(), type, ...more };
}

/** The cell of one field in a text: value and confidence score. */
export function cellIn(text: string, asked: Field, others: Field[] = []): Row[string] {
	const row = findFields(linesOfText(text), [asked, ...others]);
	return row[asked.name] ?? { value: 'no such cell', confidence_score: -1 };
}
