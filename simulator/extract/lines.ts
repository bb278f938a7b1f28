/**
 * The one form in which the text of every kind of document is searched: lines of cells.
 * Wide gaps separate cells. Positions are characters (text) or points (PDF).
 */
export interface Cell {
	text: string;
	start: number;
	end: number;
}

/** A line without cells is an empty line: the end of a paragraph or of a table. */
export interface Line {
	text: string;
	cells: Cell[];
	/** Counted from 1, in a document with pages. */
	page?: number;
}

/** A piece of text on a page: x and y in points from the bottom left corner. */
export interface PageItem {
	text: string;
	x: number;
	y: number;
	width: number;
	fontSize: number;
}

export const EMPTY_LINE: Line = { text: '', cells: [] };

/** Lines of plain text: two or more spaces, a tab or a vertical bar separate cells. */
export function linesOfText(text: string): Line[] {
	return text.split(/\r\n|\r|\n/).map(lineOfText);
}

function lineOfText(raw: string): Line {
	const cells: Cell[] = [];
	for (const match of withoutLeaders(raw).matchAll(/[^\s|]+(?: [^\s|]+)*/g)) {
		cells.push({ text: match[0], start: match.index, end: match.index + match[0].length });
	}
	return lineOfCells(cells);
}

/** Dots and underscores between a label and its value count as a gap. */
function withoutLeaders(raw: string): string {
	return raw.replace(/\u00a0/g, ' ').replace(/[._]{3,}/g, (leader) => ' '.repeat(leader.length));
}

/** Lines of separated values (RFC 4180 quoting); the position of a cell is its column number. */
export function linesOfSeparatedValues(text: string, separator: ',' | ';' | '\t'): Line[] {
	const records: string[][] = [[]];
	let value = '';
	let quoted = false;
	const endValue = (): void => {
		records[records.length - 1]?.push(value.trim());
		value = '';
	};
	for (let index = 0; index < text.length; index++) {
		const character = text.charAt(index);
		if (quoted) {
			if (character !== '"') value += character;
			else if (text.charAt(index + 1) === '"') value += text.charAt(index++);
			else quoted = false;
		} else if (character === '"') quoted = true;
		else if (character === separator) endValue();
		else if (character === '\n') {
			endValue();
			records.push([]);
		} else value += character;
	}
	endValue();
	return records.map((values) =>
		lineOfCells(
			values
				.map((cell, column) => ({ text: cell, start: column, end: column }))
				.filter((cell) => cell.text !== ''),
		),
	);
}

/** Lines of one page: items at about the same height form a line; a gap of nearly one em begins a new cell. */
export function linesOfPage(items: PageItem[]): Line[] {
	const inked = items.filter((item) => item.text.trim() !== '');
	const rows: PageItem[][] = [];
	for (const item of inked.sort((a, b) => b.y - a.y)) {
		const row = rows[rows.length - 1];
		const first = row?.[0];
		if (row && first && Math.abs(first.y - item.y) < 0.45 * Math.max(first.fontSize, item.fontSize))
			row.push(item);
		else rows.push([item]);
	}
	return withParagraphs(rows.map((row) => row.sort((a, b) => a.x - b.x)));
}

function withParagraphs(rows: PageItem[][]): Line[] {
	const lines: Line[] = [];
	let above: PageItem | undefined;
	for (const row of rows) {
		const first = row[0];
		if (above && first && above.y - first.y > 2.2 * Math.max(above.fontSize, first.fontSize))
			lines.push(EMPTY_LINE);
		lines.push(lineOfItems(row));
		above = first;
	}
	return lines;
}

function lineOfItems(row: PageItem[]): Line {
	const cells: Cell[] = [];
	for (const item of row) {
		const last = cells[cells.length - 1];
		const gap = last ? item.x - last.end : Infinity;
		if (last && gap < 0.9 * item.fontSize) {
			last.text += (gap > 0.12 * item.fontSize ? ' ' : '') + item.text;
			last.end = Math.max(last.end, item.x + item.width);
		} else {
			cells.push({ text: item.text, start: item.x, end: item.x + item.width });
		}
	}
	return lineOfCells(cells.flatMap(splitWide));
}

/** One drawn string may itself hold columns ("Label      value"): its width is shared out over its characters. */
function splitWide(cell: Cell): Cell[] {
	const perCharacter = (cell.end - cell.start) / Math.max(1, cell.text.length);
	return [...withoutLeaders(cell.text).matchAll(/\S+(?: \S+)*/g)].map((match) => ({
		text: match[0],
		start: cell.start + match.index * perCharacter,
		end: cell.start + (match.index + match[0].length) * perCharacter,
	}));
}

function lineOfCells(cells: Cell[]): Line {
	return { text: cells.map((cell) => cell.text).join('   '), cells };
}
