import { PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib';

/** The standard fonts of a draft: nothing is embedded, so the files stay small and the same everywhere. */
export interface Fonts {
	regular: PDFFont;
	bold: PDFFont;
	italic: PDFFont;
	signature: PDFFont;
	typed: PDFFont;
}

/** One page of a draft. Sizes are points; y is counted from the top edge by every drawing function. */
export interface Sheet {
	page: PDFPage;
	fonts: Fonts;
	width: number;
	height: number;
}

/** A PDF in the making. */
export interface Draft {
	pdf: PDFDocument;
	fonts: Fonts;
	sheets: Sheet[];
	size: [number, number];
}

export interface DraftSettings {
	title: string;
	author: string;
	/** Creation date as YYYY-MM-DD; fixed, so that a second run gives the same bytes. */
	created: string;
	landscape?: boolean;
}

const LETTER: [number, number] = [612, 792];
export const MARGIN = 40;

/** Starts an empty US Letter draft whose metadata depends on the settings alone. */
export async function startDraft(settings: DraftSettings): Promise<Draft> {
	const pdf = await PDFDocument.create({ updateMetadata: false });
	const date = new Date(`${settings.created}T14:00:00Z`);
	pdf.setTitle(settings.title);
	pdf.setAuthor(settings.author);
	pdf.setProducer('Sample document');
	pdf.setCreator('Sample document');
	pdf.setCreationDate(date);
	pdf.setModificationDate(date);
	const fonts: Fonts = {
		regular: await pdf.embedFont(StandardFonts.Helvetica),
		bold: await pdf.embedFont(StandardFonts.HelveticaBold),
		italic: await pdf.embedFont(StandardFonts.HelveticaOblique),
		signature: await pdf.embedFont(StandardFonts.TimesRomanItalic),
		typed: await pdf.embedFont(StandardFonts.Courier),
	};
	return { pdf, fonts, sheets: [], size: settings.landscape ? [LETTER[1], LETTER[0]] : LETTER };
}

/** Adds an empty page at the end of the draft. */
export function addSheet(draft: Draft): Sheet {
	const page = draft.pdf.addPage(draft.size);
	const sheet = { page, fonts: draft.fonts, width: draft.size[0], height: draft.size[1] };
	draft.sheets.push(sheet);
	return sheet;
}

/** The bytes of the finished PDF. */
export async function finishDraft(draft: Draft): Promise<Uint8Array> {
	return draft.pdf.save({ useObjectStreams: true, updateFieldAppearances: false });
}
