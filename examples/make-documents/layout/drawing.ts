import { rgb, type RGB } from 'pdf-lib';

import type { Fonts, Sheet } from './draft';

export const INK = rgb(0.1, 0.11, 0.13);
export const GREY = rgb(0.38, 0.41, 0.45);
export const LINE = rgb(0.72, 0.75, 0.79);
export const WASH = rgb(0.945, 0.955, 0.968);
export const WHITE = rgb(1, 1, 1);
export const NAVY = rgb(0.09, 0.2, 0.36);
export const GREEN = rgb(0.1, 0.33, 0.26);
export const RUST = rgb(0.55, 0.24, 0.12);

export interface TextStyle {
	size?: number;
	font?: keyof Fonts;
	color?: RGB;
	/** Which point of the text is at `x`. */
	align?: 'left' | 'right' | 'center';
}

/** Width of a text in points. */
export function widthOf(sheet: Sheet, text: string, style: TextStyle = {}): number {
	return sheet.fonts[style.font ?? 'regular'].widthOfTextAtSize(text, style.size ?? 9);
}

/** Writes one line with its baseline at y. */
export function put(sheet: Sheet, text: string, x: number, y: number, style: TextStyle = {}): void {
	const width = widthOf(sheet, text, style);
	const shift = style.align === 'right' ? width : style.align === 'center' ? width / 2 : 0;
	sheet.page.drawText(text, {
		x: x - shift,
		y: sheet.height - y,
		size: style.size ?? 9,
		font: sheet.fonts[style.font ?? 'regular'],
		color: style.color ?? INK,
	});
}

/** Breaks a text into lines that fit a width; a line break in the text is kept. */
export function wrap(sheet: Sheet, text: string, width: number, style: TextStyle = {}): string[] {
	const lines: string[] = [];
	for (const part of text.split('\n')) {
		let line = '';
		for (const word of part.split(' ')) {
			const longer = line === '' ? word : `${line} ${word}`;
			if (line !== '' && widthOf(sheet, longer, style) > width) {
				lines.push(line);
				line = word;
			} else {
				line = longer;
			}
		}
		lines.push(line);
	}
	return lines;
}

/** Writes a wrapped text with its first baseline at y; returns the next baseline. */
export function paragraph(
	sheet: Sheet,
	text: string,
	x: number,
	y: number,
	width: number,
	style: TextStyle = {},
): number {
	const leading = (style.size ?? 9) * 1.35;
	let baseline = y;
	for (const line of wrap(sheet, text, width, style)) {
		put(sheet, line, x, baseline, style);
		baseline += leading;
	}
	return baseline;
}

/** A horizontal line. */
export function rule(
	sheet: Sheet,
	x: number,
	y: number,
	width: number,
	color: RGB = LINE,
	thickness = 0.6,
): void {
	sheet.page.drawLine({
		start: { x, y: sheet.height - y },
		end: { x: x + width, y: sheet.height - y },
		thickness,
		color,
	});
}

/** A rectangle whose upper left corner is at (x, y). */
export function panel(
	sheet: Sheet,
	x: number,
	y: number,
	width: number,
	height: number,
	look: { fill?: RGB; border?: RGB } = {},
): void {
	sheet.page.drawRectangle({
		x,
		y: sheet.height - y - height,
		width,
		height,
		...(look.fill ? { color: look.fill } : {}),
		...(look.border ? { borderColor: look.border, borderWidth: 0.7 } : {}),
	});
}

/** A filled bar with a section's title; gives the y below it. */
export function sectionBar(
	sheet: Sheet,
	title: string,
	x: number,
	y: number,
	width: number,
	color: RGB = NAVY,
): number {
	panel(sheet, x, y, width, 16, { fill: color });
	put(sheet, title.toUpperCase(), x + 7, y + 11.4, { size: 8.5, font: 'bold', color: WHITE });
	return y + 16;
}

/** A company's logo and name at the upper left corner of a page. */
export function letterhead(
	sheet: Sheet,
	company: { initial: string; name: string; lines: string[] },
	x: number,
	y: number,
	color: RGB = NAVY,
): void {
	panel(sheet, x, y, 34, 34, { fill: color });
	panel(sheet, x + 4, y + 4, 26, 26, { border: WHITE });
	put(sheet, company.initial, x + 17, y + 23.5, {
		size: 19,
		font: 'bold',
		color: WHITE,
		align: 'center',
	});
	put(sheet, company.name, x + 44, y + 12, { size: 13, font: 'bold', color });
	company.lines.forEach((line, index) =>
		put(sheet, line, x + 44, y + 23 + index * 10, { size: 7.8, color: GREY }),
	);
}
