/** The rows of a table below a known header line. */
import type { Table } from '../configuration';
import { NOT_FOUND, rounded, writtenIn, type Row } from './fields';
import type { Cell, Line } from './lines';
import { parseValue } from './values';

const IN_COLUMN = 0.95;
const BESIDE_COLUMN = 0.85;

interface Column {
	name: string;
	start: number;
	end: number;
}

/** One row per line of the table. The table ends at an empty line or a total, and continues where its header is repeated. */
export function findTableRows(lines: Line[], table: Table, asWritten = false): Row[] {
	const rows: Row[] = [];
	let columns: Column[] | undefined;
	for (const line of lines) {
		const header = headerOf(line, table);
		if (header) columns = header;
		else if (columns) {
			const row = isRow(line, columns) ? rowOf(line, columns, table, asWritten) : undefined;
			if (row) rows.push(row);
			else columns = undefined;
		}
	}
	return rows;
}

/** A header line names at least two columns and at least half of the requested ones; it may name others too. */
function headerOf(line: Line, table: Table): Column[] | undefined {
	const titles = line.cells.map((cell) =>
		table.header.find((title) => plain(title) === plain(cell.text)),
	);
	const enough = Math.min(table.header.length, Math.max(2, Math.ceil(table.header.length / 2)));
	if (titles.filter((title) => title !== undefined).length < enough) return undefined;
	return line.cells.map(({ text, start, end }, index) => ({
		name: titles[index] ?? text,
		start,
		end,
	}));
}

function isRow(line: Line, columns: Column[]): boolean {
	const first = line.cells[0];
	if (!first || /^(grand |sub)?total/i.test(first.text)) return false;
	return line.cells.length >= Math.max(1, Math.ceil(columns.length / 2));
}

function rowOf(line: Line, columns: Column[], table: Table, asWritten: boolean): Row {
	const inColumns = new Map<string, { text: string; score: number }>();
	// A line with a cell for every column is read in order, whatever its alignment.
	const complete = line.cells.length === columns.length;
	for (const [index, cell] of line.cells.entries()) {
		const column = (complete ? columns[index] : undefined) ?? nearest(cell, columns);
		const before = inColumns.get(column.name);
		const score = distanceOf(cell, column) === 0 ? IN_COLUMN : BESIDE_COLUMN;
		inColumns.set(
			column.name,
			before
				? { text: `${before.text} ${cell.text}`, score: BESIDE_COLUMN }
				: { text: cell.text, score },
		);
	}
	return Object.fromEntries(
		table.fields.map((field) => {
			const found = inColumns.get(field.column);
			if (!found) return [field.name, NOT_FOUND];
			const { value, exactness } = parseValue(found.text, field.type);
			const written = asWritten ? writtenIn(line, found.text) : {};
			return [
				field.name,
				{ value, confidence_score: rounded(found.score * exactness), ...written },
			];
		}),
	);
}

/** The column that the cell overlaps most, else the closest one. */
function nearest(cell: Cell, columns: Column[]): Column {
	return columns.reduce((best, next) => {
		const nearer = distanceOf(cell, next) - distanceOf(cell, best);
		return nearer < 0 || (nearer === 0 && overlapOf(cell, next) > overlapOf(cell, best))
			? next
			: best;
	});
}

function distanceOf(cell: Cell, column: Column): number {
	return Math.max(0, column.start - cell.end, cell.start - column.end);
}

function overlapOf(cell: Cell, column: Column): number {
	return Math.min(cell.end, column.end) - Math.max(cell.start, column.start);
}

function plain(title: string): string {
	return title.toLowerCase().replace(/[\s._:/-]+/g, '');
}
