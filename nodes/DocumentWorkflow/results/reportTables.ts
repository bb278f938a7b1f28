import type { ShownField, ShownRow } from './reportPage';
import type { Score, ShownValue } from './reportValue';
import { escapeHtml } from './html';

/** Mail clients read styles only from attributes, and Outlook needs tables and `bgcolor`. */
export const FONT = 'font-family:Arial,Helvetica,sans-serif;color:#1f2937';
export const CELL = 'padding:7px 8px;border-bottom:1px solid #e5e7eb;vertical-align:top';
const HEADING = `${CELL};background:#f3f4f6;color:#4b5563;font-size:12px;font-weight:bold`;
export const MUTED = 'color:#6b7280;font-size:12px';
export const BLOCK = 'width:100%;border-collapse:collapse;font-size:14px;line-height:20px';

/** In characters. Dates and numbers of claims stay in one line. */
const MAX_UNBROKEN = 16;

export function table(rows: Html[]): Html {
	return markup`<table cellpadding="0" cellspacing="0" style="${BLOCK}">${joined(rows)}</table>`;
}

/** A row as a list of names and values. */
export function rowList({ number, fields }: ShownRow): Html {
	const heading =
		number === undefined
			? ''
			: markup`<p style="margin:12px 0 0;font-size:13px;font-weight:bold;color:#4b5563">Row ${number}</p>`;
	const rows = fields.map(({ label, value, score }) =>
		listRow(markup`${label}`, shown(value), score, backgroundOf(score)),
	);
	return markup`${heading}${table(rows)}`;
}

export function listRow(
	label: Html,
	value: Html,
	score: Score | undefined,
	background = '#ffffff',
): Html {
	const style = `${CELL};background:${background}`;
	return markup`<tr style="page-break-inside:avoid"><td width="34%" bgcolor="${background}" style="${style};color:#4b5563;overflow-wrap:anywhere">${label}</td>
<td bgcolor="${background}" style="${style};overflow-wrap:anywhere">${value}</td>
<td width="64" bgcolor="${background}" style="${style};width:64px">${bar(score)}</td></tr>
`;
}

function backgroundOf(score: Score | undefined): string {
	return score?.isLow === true ? '#fef3c7' : '#ffffff';
}

/** Scrolls sideways where a screen is too narrow. */
export function rowsTable(columns: string[], rows: ShownRow[]): Html {
	const hasScores = rows.some(({ lowest }) => lowest !== undefined);
	const headings = columns.map((title, column) => {
		const isNumeric = rows.every(({ fields }) => {
			const value = fields[column]?.value;
			return value === undefined || value.isNumber || value.text === '';
		});
		return markup`<th align="${isNumeric ? 'right' : 'left'}" style="${HEADING}">${title}</th>`;
	});
	const last = hasScores ? markup`<th align="left" style="${HEADING}">Confidence</th>` : '';
	const headingRow = markup`<tr><th align="left" style="${HEADING}">Row</th>${joined(headings)}${last}</tr>\n`;
	const lines = rows.map(({ number, fields, lowest }) => {
		const score = hasScores
			? markup`<td width="64" style="${CELL};width:64px">${bar(lowest)}</td>`
			: '';
		return markup`<tr style="page-break-inside:avoid"><td style="${CELL};${MUTED}">${number ?? ''}</td>${joined(fields.map(tableCell))}${score}</tr>\n`;
	});
	return markup`<div style="overflow-x:auto">${table([headingRow, ...lines])}</div>`;
}

function tableCell({ value, score }: ShownField): Html {
	const align = value.isNumber ? 'right' : 'left';
	const wrap = value.text.length <= MAX_UNBROKEN ? 'nowrap' : 'normal';
	const background = backgroundOf(score);
	const below =
		score?.isLow === true ? markup`<br><span style="${MUTED}">${score.text}</span>` : '';
	return markup`<td align="${align}" bgcolor="${background}" style="${CELL};background:${background};white-space:${wrap}">${shown(value)}${below}</td>`;
}

export function shown({ text }: ShownValue): Html {
	return text === '' ? markup`<span style="color:#9ca3af">–</span>` : markup`${text}`;
}

/** The confidence as a bar of two table cells, with the number below it. */
function bar(score: Score | undefined): Html | string {
	if (score === undefined) return '';
	const { text, percent, isLow } = score;
	const words = markup`<span style="font-size:12px;line-height:16px;white-space:nowrap;color:${isLow ? '#92400e' : '#6b7280'}">${text}</span>`;
	if (percent === undefined) return words;
	const part = (share: number, color: string) =>
		share === 0
			? ''
			: markup`<td width="${share}%" height="5" bgcolor="${color}" style="height:5px;font-size:0;line-height:0;background:${color}">&nbsp;</td>`;
	return markup`<table role="presentation" cellpadding="0" cellspacing="0" width="56" style="width:56px;margin:4px 0 2px"><tr>${part(percent, isLow ? '#d97706' : '#16a34a')}${part(100 - percent, '#e5e7eb')}</tr></table>${words}`;
}

/** HTML that was written here, and so is not escaped when it is put into other HTML. */
export class Html {
	/** No other object has a private field, so nothing else can be taken for HTML. */
	constructor(private readonly text: string) {}

	toString(): string {
		return this.text;
	}
}

/** Writes HTML. Every text that is put in is escaped, so that no value can become markup. */
export function markup(
	written: TemplateStringsArray,
	...values: ReadonlyArray<string | number | Html>
): Html {
	const parts = values.map((value, index) => {
		const text = value instanceof Html ? value.toString() : escapeHtml(String(value));
		return text + (written[index + 1] ?? '');
	});
	return new Html((written[0] ?? '') + parts.join(''));
}

export function joined(parts: readonly Html[]): Html {
	return new Html(parts.join(''));
}
