import { MARGIN, type Draft } from './draft';
import { GREY, LINE, put, rule } from './drawing';

/** Writes the form number, a note and "Page n of m" at the foot of every page. Called once all pages exist. */
export function footers(draft: Draft, form: string, note: string, edge = MARGIN): void {
	draft.sheets.forEach((sheet, index) => {
		const y = sheet.height - 30;
		rule(sheet, edge, y - 11, sheet.width - 2 * edge, LINE);
		put(sheet, form, edge, y, { size: 7.5, color: GREY });
		put(sheet, note, sheet.width / 2, y, { size: 7.5, color: GREY, align: 'center' });
		put(sheet, `Page ${index + 1} of ${draft.sheets.length}`, sheet.width - edge, y, {
			size: 7.5,
			color: GREY,
			align: 'right',
		});
	});
}
