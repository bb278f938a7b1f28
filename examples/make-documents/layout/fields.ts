import type { Sheet } from './draft';
import { GREY, LINE, panel, put, wrap, type TextStyle } from './drawing';

export type LabelledValue = readonly [label: string, value: string];

export interface RowsPlace {
	x: number;
	y: number;
	width: number;
	labelWidth: number;
	leading?: number;
	size?: number;
	values?: TextStyle;
}

/** Writes "Label:   value" lines below each other, values wrapped in their column; returns the next baseline. */
export function fieldRows(sheet: Sheet, place: RowsPlace, rows: readonly LabelledValue[]): number {
	const size = place.size ?? 9;
	const leading = place.leading ?? 15;
	let y = place.y;
	for (const [label, value] of rows) {
		put(sheet, `${label}:`, place.x, y, { size: size - 0.6, font: 'bold', color: GREY });
		const style = { size, ...place.values };
		const lines = wrap(sheet, value, place.width - place.labelWidth, style);
		lines.forEach((line, index) =>
			put(sheet, line, place.x + place.labelWidth, y + index * (size + 2.4), style),
		);
		y += leading + (lines.length - 1) * (size + 2.4);
	}
	return y;
}

export interface Box {
	label: string;
	value: string;
	/** Share of the row's width. */
	share: number;
}

/** A row of bordered boxes as printed forms have them: a small label at the top, the value typed below. */
export function boxRow(
	sheet: Sheet,
	x: number,
	y: number,
	width: number,
	height: number,
	boxes: readonly Box[],
): number {
	const shares = boxes.reduce((sum, box) => sum + box.share, 0);
	let left = x;
	for (const box of boxes) {
		const boxWidth = (width * box.share) / shares;
		panel(sheet, left, y, boxWidth, height, { border: LINE });
		put(sheet, box.label, left + 5, y + 9, { size: 6.8, color: GREY });
		wrap(sheet, box.value, boxWidth - 10, { size: 9.5 }).forEach((line, index) =>
			put(sheet, line, left + 5, y + 21.5 + index * 11.5, { size: 9.5 }),
		);
		left += boxWidth;
	}
	return y + height;
}
