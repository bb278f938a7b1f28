import { mapRows } from '../../../connection/time';
import { type About, describeSkip, isUnusable } from '../../../about';
import type { JudgedStep } from '../../judge/judge';
import { type Doubt, type JudgedRow, depthOf } from '../../judge/row';
import { idOf, labelOf, namedIn, scoreInWords, textOf, valueInWords } from '../words';
import { type Html, joinHtml, markup } from './html';

/** Mail reads styles only from attributes. Without colors, a page follows the light or dark theme of its reader. */
export const FONT = 'font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px';
const GRID = markup`width="100%" cellpadding="6" cellspacing="0" border="1" bordercolor="#999999"`;
const START = markup`<table ${GRID} style="border-collapse:collapse;border-color:#999999;${FONT}">\n`;
const UNBROKEN = markup` style="overflow-wrap:normal"`;
const MARKED = markup` bgcolor="#fde68a" style="color:#1f2937"`;

/** A table with more columns cannot be read on a telephone: each row becomes a list. */
const MAX_COLUMNS = 6;

/** In characters. Dates and numbers of claims stay on one line. */
const MAX_UNBROKEN = 16;

export type WriteTable = <T>(
	title: string,
	columns: string[],
	entries: T[],
	line: (entry: T) => Html,
) => Html;

const LIST_COLUMNS = ['Field', 'Value', 'Confidence'];

/** Writes tables until together they have this many characters, and says of each what it lacks. */
export function tablesWithin(max: number): WriteTable {
	let left = max;
	return (title, columns, entries, line) => {
		if (entries.length === 0) return markup``;
		const lines: Html[] = [];
		for (const entry of entries) {
			if (left <= 0) break;
			const html = line(entry);
			left -= html.toString().length;
			lines.push(html);
		}
		const more = entries.length - lines.length;
		const rest = more === 0 ? '' : `Not shown here: ${more} of ${entries.length} lines.`;
		return section(title, markup`${START}${headLine(columns)}${joinHtml(lines)}</table>\n`, rest);
	};
}

export function box(words: string, isMarked: boolean): Html {
	return markup`${START}<tr>${cellOf(markup`<b>${words}</b>`, isMarked)}</tr></table>\n`;
}

/** The values to review, each with the path to it in words. */
export async function reviewTable(steps: JudgedStep[], write: WriteTable): Promise<Html> {
	const values = [];
	for (const { rows, content } of steps) {
		const ofRows = await mapRows(
			content === undefined ? rows : [content],
			({ doubts, evidence }) => {
				if (doubts.length === 0) return [];
				const sources = new Map(evidence.map(({ path, details }) => [textOf(path), details]));
				return doubts.map((doubt) => {
					const [step = '', row = 0, ...parts] = doubt.path;
					const path = rows.length === 1 ? [step, ...parts] : [step, row, ...parts];
					return { doubt, path, quoted: valueInWords(sources.get(textOf(doubt.path))) };
				});
			},
		);
		values.push(ofRows.flat());
	}
	return write('To review', LIST_COLUMNS, values.flat(), ({ path, doubt, quoted }) => {
		const source = quoted === '' ? '' : markup`<br>${quoted}`;
		const value = markup`<b>${shown(doubt.value)}</b>${source}`;
		return valueLine(labelOf(...path), value, scoreOfDoubt(doubt));
	});
}

/** The rows of a step: a table, or a list of values where there is one row or there are many columns. */
export async function stepTable(
	{ name, rows, content }: JudgedStep,
	write: WriteTable,
): Promise<Html> {
	const title = labelOf(name);
	const ofRows = await mapRows(rows, ({ fields }) => fields.map(({ name: field }) => field));
	const names = [...new Set(ofRows.flat())];
	if (names.length === 0) return section(title, markup``, valueInWords(content?.data) || 'No rows');
	if (rows.length > 1 && names.length <= MAX_COLUMNS) {
		const columns = ['Row', ...names.map((field) => labelOf(field)), 'Confidence'];
		return write(title, columns, rows, (row) => rowLine(row, names));
	}
	const values = await mapRows(rows, (row) => {
		const doubtsOf = doubtsByField(row);
		return row.fields.map((field, index) => ({
			field,
			doubts: doubtsOf.get(field.name) ?? [],
			heading:
				rows.length > 1 && index === 0
					? markup`<tr><th colspan="3" align="left">Row ${row.number ?? ''}</th></tr>\n`
					: '',
		}));
	});
	return write(title, LIST_COLUMNS, values.flat(), ({ heading, field, doubts }) => {
		const score = scoreOf(field.lowest, isLow(doubts));
		const line = valueLine(labelOf(field.name), shown(field.value), score, doubts.length > 0);
		return markup`${heading}${line}`;
	});
}

/** The documents that were sent, and those that were not. */
export function documentTable({ documents, skipped }: About, write: WriteTable): Html {
	const sent = namedIn(documents).map(({ name, entry }) => {
		const isMarked = entry.encrypted === true;
		const words = isMarked ? 'Sent. It is encrypted, so it may need a password' : 'Sent';
		return { name, sha256: idOf(entry.sha256), words, isMarked };
	});
	const notSent = namedIn(skipped).map(({ name, entry }) => {
		const isMarked = isUnusable(entry);
		const why = isMarked ? 'Not sent, because it cannot be used' : 'Not sent';
		return { name, sha256: '', words: `${why}: ${valueInWords(describeSkip(entry))}`, isMarked };
	});
	return write('Documents', [], [...sent, ...notSent], ({ name, sha256, words, isMarked }) => {
		const hash =
			sha256 === ''
				? ''
				: markup`<br><span style="font-size:11px;word-break:break-all">SHA-256 ${sha256}</span>`;
		return markup`<tr valign="top"><td width="60%">${name}${hash}</td>${cellOf(words, isMarked)}</tr>\n`;
	});
}

function section(title: string, content: Html, words: string): Html {
	const text = words === '' ? '' : markup`<p style="margin:6px 0 0">${words}</p>\n`;
	return markup`<h2 style="margin:24px 0 6px;font-size:16px;line-height:22px">${title}</h2>
${content}${text}`;
}

function rowLine(row: JudgedRow, names: string[]): Html {
	const doubtsOf = doubtsByField(row);
	const cells = names.map((name) => {
		const { value, lowest = null } = row.fields.find((each) => each.name === name) ?? {};
		const doubts = doubtsOf.get(name) ?? [];
		const score = isLow(doubts) ? markup`<br>${scoreOf(lowest, true)}` : '';
		return cellOf(markup`${shown(value)}${score}`, doubts.length > 0, value);
	});
	const confidence = scoreInWords(row.lowestConfidence);
	return markup`<tr valign="top"><td>${row.number ?? ''}</td>${joinHtml(cells)}<td>${confidence}</td></tr>\n`;
}

function doubtsByField(row: JudgedRow): Map<unknown, Doubt[]> {
	const byField = new Map<unknown, Doubt[]>();
	for (const doubt of row.doubts) {
		const name = doubt.path[depthOf(row)];
		byField.set(name, [...(byField.get(name) ?? []), doubt]);
	}
	return byField;
}

/** Titles are not broken within words, unless a word is very long. */
function headLine(columns: string[]): Html | string {
	if (columns.length === 0) return '';
	const cells = columns.map((title) => {
		const isShort = title.split(' ').every(({ length }) => length <= MAX_UNBROKEN);
		return markup`<th align="left"${isShort ? UNBROKEN : ''}>${title}</th>`;
	});
	return markup`<tr>${joinHtml(cells)}</tr>\n`;
}

function valueLine(name: string, value: Html | string, score: string, isMarked = false): Html {
	const cell = cellOf(value, isMarked);
	return markup`<tr valign="top"><td width="40%">${name}</td>${cell}<td width="80">${score}</td></tr>\n`;
}

/** Numbers in a column stand below each other. */
function cellOf(content: Html | string, isMarked: boolean, value?: unknown): Html {
	const align = typeof value === 'number' ? markup` align="right"` : '';
	const wrap =
		value !== undefined && valueInWords(value).length <= MAX_UNBROKEN ? markup` nowrap` : '';
	return markup`<td${align}${wrap}${isMarked ? MARKED : ''}>${content}</td>`;
}

function isLow(doubts: Doubt[]): boolean {
	return doubts.some(({ kind }) => kind === 'low');
}

function scoreOfDoubt({ kind, value, confidence }: Doubt): string {
	if (kind !== 'low') return kind === 'missing' ? 'missing' : 'text';
	return value === null ? 'not found' : scoreOf(confidence, true);
}

function shown(value: unknown): string {
	return valueInWords(value) || '–';
}

/** A low value without a readable score has one that cannot be read, or none where its field needs one. */
function scoreOf(score: number | null, isLow: boolean): string {
	return scoreInWords(score) || (isLow ? 'not readable' : '');
}
