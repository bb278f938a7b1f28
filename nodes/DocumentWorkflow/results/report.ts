import type { Execution, Json } from '../../../service/contract';
import type { LowConfidenceField } from './cells';
import type { Shaping } from './choice';
import type { RowView } from './rows';
import { viewRows } from './rows';
import { chooseSteps, uniquelyNamed } from './selection';

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

/**
 * The extracted rows as CSV for people (RFC 4180, UTF-8 with byte order mark): one line per row with its step and number, the fields
 * of all steps in order of appearance, and the lowest confidence. The last column lists the values to review: people can filter by
 * one column, but not by a score beside each value.
 */
export function csvReport(execution: Execution, shaping: Shaping): string {
	const { chosen } = chooseSteps(uniquelyNamed(execution.steps), shaping.onlySteps);
	const rows = viewRows(execution, chosen, shaping).rows.filter(
		({ stepName }) => stepName !== null,
	);
	const fields = [...new Set(rows.flatMap((row) => Object.keys(row.fields)))];
	const data = rows.some((row) => row.data !== undefined)
		? [['Data', (row: RowView) => row.data] as const]
		: [];
	const own = ownColumns(fields, [
		['Step', ({ stepName }) => stepName],
		['Row', ({ row }) => row],
		...data,
		['Lowest confidence', (row) => row.lowestConfidence],
		['To review', (row) => row.lowConfidenceFields.map(inWords).join('; ')],
	]);
	const extracted = fields.map((field): Column => [
		field,
		(row) => (Object.hasOwn(row.fields, field) ? row.fields[field] : undefined),
	]);
	const columns = [...own.slice(0, 2), ...extracted, ...own.slice(2)];
	const lines = [
		columns.map(([title]) => title),
		...rows.map((row) => columns.map(([, pick]) => pick(row))),
	];
	return (
		BYTE_ORDER_MARK +
		lines
			.map((line) => `${line.map((value) => cellOf(value as Json | undefined)).join(',')}\r\n`)
			.join('')
	);
}

/** A file name that every file system accepts: `policy-intake-ex-1.csv`. */
export function reportFileName({
	workflowId,
	executionId,
}: Pick<Execution, 'workflowId' | 'executionId'>): string {
	const [workflow, execution] = [workflowId, executionId].map((id) =>
		id.replace(/[^\w-]+/g, '_').slice(0, 80),
	);
	return `${workflow}-${execution}.csv`;
}

type Column = readonly [title: string, pick: (row: RowView) => unknown];

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
	return `${field}${text === '' ? '' : `: ${text}`} (${confidence})`;
}

/** A list of plain values is joined; what is nested deeper stays JSON. */
function textOf(value: Json | undefined): string {
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object') return String(value);
	const isPlainList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
	return isPlainList ? value.map(String).join('; ') : JSON.stringify(value);
}
