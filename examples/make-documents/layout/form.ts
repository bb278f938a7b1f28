import { rgb } from 'pdf-lib';

import type { Draft, Sheet } from './draft';
import { GREY, INK, LINE, panel, put } from './drawing';

export interface FormBox {
	label: string;
	/** Name of the form field inside the PDF. */
	field: string;
	value: string;
	/** Share of the row's width. */
	share: number;
}

const TYPED = rgb(0.05, 0.1, 0.4);

/** A row of boxes that are filled in as form fields: a printed label at the top of the box, the field below; gives the y below. */
export function formRow(
	draft: Draft,
	sheet: Sheet,
	x: number,
	y: number,
	width: number,
	boxes: readonly FormBox[],
): number {
	const height = 36;
	const shares = boxes.reduce((sum, box) => sum + box.share, 0);
	let left = x;
	for (const box of boxes) {
		const boxWidth = (width * box.share) / shares;
		panel(sheet, left, y, boxWidth, height, { border: LINE });
		put(sheet, box.label, left + 5, y + 10.5, { size: 7, color: GREY });
		const field = draft.pdf.getForm().createTextField(box.field);
		field.setText(box.value);
		field.addToPage(sheet.page, {
			x: left + 4,
			y: sheet.height - y - height + 2,
			width: boxWidth - 8,
			height: 19,
			borderWidth: 0,
			borderColor: undefined,
			backgroundColor: undefined,
			textColor: TYPED,
			font: sheet.fonts.regular,
		});
		field.setFontSize(9.5);
		field.updateAppearances(sheet.fonts.regular);
		left += boxWidth;
	}
	return y + height;
}

/** A check box of the form, its upper left corner at (x, y). */
export function checkBox(
	draft: Draft,
	sheet: Sheet,
	name: string,
	checked: boolean,
	x: number,
	y: number,
): void {
	const box = draft.pdf.getForm().createCheckBox(name);
	box.addToPage(sheet.page, {
		x,
		y: sheet.height - y - 11,
		width: 11,
		height: 11,
		borderWidth: 0.8,
		borderColor: INK,
		backgroundColor: undefined,
		textColor: TYPED,
	});
	if (checked) box.check();
}
