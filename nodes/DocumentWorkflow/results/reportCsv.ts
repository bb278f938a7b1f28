import type { Json } from '../../../service/contract';
import type { LowConfidenceField } from './cells';
import { lowConfidenceIn } from './cells';
import type { Shaping } from './choice';
import type { JudgedRow, Judgement } from './judgement';
import { rowsShown } from './judgement';

/** Without it Excel does not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Excel, LibreOffice and Google Sheets read such a cell as a formula. The full-width signs count in Japanese versions. */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]|^[\t\r\n]/;

const PLAIN_NUMBER = /^ *[+-]?\d+(?:[.,]\d+)* *(?:% *)?$/;

/**
 * A part of a value that may become a cell. When its list separator is a semicolon or a tab, Excel ignores quotes after a comma, and
 * starts a cell or a row in the middle of a value.
 */
const CELL_WITHIN = /([;\t\r\n] *)([^;\t\r\n ][^;\t\r\n]*)/g;

/** In cells. A larger table of which most would be empty is written in the long form (assumed). */
const MAX_SPARSE_CELLS = 100_000;
const MAX_CELLS_PER_VALUE = 10;

export interface CsvReport {
	csv: string;
	/** Whether it has a line per value, because as a table most of it would be empty. */
	isLong: boolean;
}

/**
 * The extracted rows as CSV for people (RFC 4180, UTF-8 with byte order mark): one line per row with its step and number, the fields
 * of all steps in order of appearance, and the lowest confidence. The last column lists the values to review: people can filter by
 * one column, but not by a score beside each value. Where the rows have few fields in common, the table would grow with the square of
 * the data: then there is one line per value.
 */
export function csvReport(judgement: Judgement, shaping: Shaping): CsvReport {
	const rows = rowsShown(judgement, shaping).filter(({ stepName }) => stepName !== null);
	const fields = new Set<string>();
	let values = 0;
	for (const row of rows) {
		const names = [...row.fields.keys()];
		values += names.length;
		for (const name of names) fields.add(name);
	}
	const cells = rows.length * fields.size;
	const isLong = cells > MAX_SPARSE_CELLS && cells > MAX_CELLS_PER_VALUE * values;
	const lines = isLong ? longForm(rows) : table(rows, [...fields]);
	const csv = lines
		.map((line) => `${line.map((value) => cellOf(value as Json | undefined)).join(',')}\r\n`)
		.join('');
	return { csv: BYTE_ORDER_MARK + csv, isLong };
}

function table(rows: JudgedRow[], fields: string[]): unknown[][] {
	const data = rows.some((row) => row.data !== undefined)
		? [['Data', (row: JudgedRow) => row.data] as const]
		: [];
	const own = ownColumns(fields, [
		['Step', ({ stepName }) => stepName],
		['Row', ({ number }) => number],
		...data,
		['Lowest confidence', (row) => row.lowestConfidence],
		['To review', (row) => lowConfidenceIn(row.fields).map(inWords).join('; ')],
	]);
	const extracted = fields.map((field): Column => [field, (row) => row.fields.get(field)?.value]);
	const columns = [...own.slice(0, 2), ...extracted, ...own.slice(2)];
	return [
		columns.map(([title]) => title),
		...rows.map((row) => columns.map(([, pick]) => pick(row))),
	];
}

/** A line per value, and one for a row or step without values. */
function longForm(rows: JudgedRow[]): unknown[][] {
	const lines: unknown[][] = [['Step', 'Row', 'Field', 'Value', 'Lowest confidence', 'To review']];
	for (const { stepName, number, fields, data } of rows) {
		if (fields.size === 0) lines.push([stepName, number, '', data, '', '']);
		for (const [field, judged] of fields) {
			const toReview = lowConfidenceIn(new Map([[field, judged]]))
				.map(inWords)
				.join('; ');
			lines.push([stepName, number, field, judged.value, judged.lowest, toReview]);
		}
	}
	return lines;
}

type Column = readonly [title: string, pick: (row: JudgedRow) => unknown];

/** Adds a number to the report's own columns when an extracted field has the same name. */
function ownColumns(fields: string[], columns: Column[]): Column[] {
	const taken = new Set(fields.map((field) => field.toLowerCase()));
	return columns.map(([title, pick]) => {
		let free = title;
		for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${title} ${number}`;
		return [free, pick];
	});
}

function cellOf(value: Json | undefined): string {
	const text = typeof value === 'number' ? String(value) : harmless(textOf(value));
	return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Puts an apostrophe before each possible formula. A signed number alone is safe; within a value, more may follow it. */
function harmless(text: string): string {
	const within = text.replaceAll(CELL_WITHIN, (whole, separator: string, cell: string) =>
		FORMULA.test(cell) ? `${separator}'${cell}` : whole,
	);
	return FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${within}` : within;
}

/** `premium: 1250 (0.42)`; without a value where none was found. */
function inWords({ field, value, confidence }: LowConfidenceField): string {
	const text = textOf(value);
	return `${field}${text === '' ? '' : `: ${text}`} (${confidence ?? 'no readable confidence'})`;
}

/** A list of plain values is joined; what is nested deeper stays JSON. */
function textOf(value: Json | undefined): string {
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object') return String(value);
	const isPlainList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
	return isPlainList ? value.map(String).join('; ') : JSON.stringify(value);
}
