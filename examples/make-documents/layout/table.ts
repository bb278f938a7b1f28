import type { RGB } from 'pdf-lib';

import type { Sheet } from './draft';
import { INK, LINE, NAVY, WASH, WHITE, panel, put, rule, wrap } from './drawing';

export interface Column {
	title: string;
	width: number;
	align?: 'left' | 'right';
}

export interface TableLook {
	x: number;
	size?: number;
	color?: RGB;
	/** Space above and below a row's text in points. */
	padding?: number;
}

const INSET = 5;

function cellX(x: number, column: Column): number {
	return column.align === 'right' ? x + column.width - INSET : x + INSET;
}

/** Width of all columns together in points. */
export function tableWidth(columns: readonly Column[]): number {
	return columns.reduce((sum, column) => sum + column.width, 0);
}

/** Draws the header row; gives the y below it. */
export function tableHeader(
	sheet: Sheet,
	columns: readonly Column[],
	y: number,
	look: TableLook,
): number {
	const size = (look.size ?? 8.5) - 0.5;
	panel(sheet, look.x, y, tableWidth(columns), 18, { fill: look.color ?? NAVY });
	let x = look.x;
	for (const column of columns) {
		put(sheet, column.title, cellX(x, column), y + 12, {
			size,
			font: 'bold',
			color: WHITE,
			align: column.align ?? 'left',
		});
		x += column.width;
	}
	return y + 18;
}

/** Draws one row, long cells wrapped; gives the y below it. Odd rows are shaded. */
export function tableRow(
	sheet: Sheet,
	columns: readonly Column[],
	cells: readonly string[],
	y: number,
	index: number,
	look: TableLook,
	bold = false,
): number {
	const size = look.size ?? 8.5;
	const style = { size, font: bold ? ('bold' as const) : ('regular' as const), color: INK };
	const padding = look.padding ?? 4.5;
	const wrapped = columns.map((column, at) =>
		wrap(sheet, cells[at] ?? '', column.width - 2 * INSET, style),
	);
	const lines = Math.max(...wrapped.map((cell) => cell.length));
	const height = lines * (size + 2) + 2 * padding - 2;
	if (index % 2 === 1) panel(sheet, look.x, y, tableWidth(columns), height, { fill: WASH });
	for (let line = 0; line < lines; line++) {
		let x = look.x;
		columns.forEach((column, at) => {
			const text = wrapped[at]?.[line] ?? '';
			if (text !== '')
				put(sheet, text, cellX(x, column), y + padding + size * 0.8 + line * (size + 2), {
					...style,
					align: column.align ?? 'left',
				});
			x += column.width;
		});
	}
	rule(sheet, look.x, y + height, tableWidth(columns), LINE, 0.5);
	return y + height;
}

/** Draws a header and all rows on one page; gives the y below the last one. */
export function table(
	sheet: Sheet,
	columns: readonly Column[],
	rows: ReadonlyArray<readonly string[]>,
	y: number,
	look: TableLook,
): number {
	let below = tableHeader(sheet, columns, y, look);
	rows.forEach((cells, index) => {
		below = tableRow(sheet, columns, cells, below, index, look);
	});
	return below;
}
