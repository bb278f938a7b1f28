import type { Html } from './reportMarkup';
import { html, joined } from './reportMarkup';
import type { ReportPage, Section, ShownField, ShownRow, ValueToReview } from './reportPage';
import type { Score, ShownValue } from './reportValue';
import type { Verdict } from './reportVerdict';

/** Mail clients read styles only from attributes, and Outlook needs tables and `bgcolor`. */
const FONT = 'font-family:Arial,Helvetica,sans-serif;color:#1f2937';
const CELL = 'padding:7px 8px;border-bottom:1px solid #e5e7eb;vertical-align:top';
const HEADING = `${CELL};background:#f3f4f6;color:#4b5563;font-size:12px;font-weight:bold`;
const MUTED = 'color:#6b7280;font-size:12px';
const BLOCK = 'width:100%;border-collapse:collapse;font-size:14px;line-height:20px';
const LOW_BACKGROUND = '#fef3c7';

const TONES: Record<Verdict['tone'], { edge: string; background: string }> = {
	good: { edge: '#15803d', background: '#f0fdf4' },
	review: { edge: '#d97706', background: '#fffbeb' },
	failed: { edge: '#b91c1c', background: '#fef2f2' },
	neutral: { edge: '#64748b', background: '#f8fafc' },
};

/** The report as a page that goes out by mail as it is: nothing in it is loaded, run or linked. */
export function htmlReport(page: ReportPage): string {
	const { title, subtitle, sections, documents, ids, leftOut } = page;
	return html`<!DOCTYPE html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light" />
				<meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
				<title>${subtitle === '' ? title : `${title} · ${subtitle}`}</title>
			</head>
			<body
				style="margin:0;padding:0;background:#ffffff;${FONT};-webkit-print-color-adjust:exact;print-color-adjust:exact"
			>
				<table
					role="presentation"
					align="center"
					cellpadding="0"
					cellspacing="0"
					style="width:100%;max-width:760px"
				>
					<tr>
						<td style="padding:24px 16px;${FONT}">
							<h1 style="margin:0;font-size:22px;line-height:28px;overflow-wrap:anywhere">
								${title}
							</h1>
							${subtitle === '' ? '' : html`<p style="margin:2px 0 0;font-size:15px;line-height:22px;color:#4b5563;overflow-wrap:anywhere">${subtitle}</p> `}${verdictBox(page.verdict)}
							${reviewBlock(page.toReview)}${joined(sections.map(sectionBlock))}${
								leftOut === ''
									? ''
									: html`<p style="margin:20px 0 0;font-size:13px;color:#4b5563">${leftOut}.</p> `
							}${documents.length === 0 ? '' : documentsBlock(documents)}${idsBlock(ids)}
						</td>
					</tr>
				</table>
			</body>
		</html> `.toString();
}

function verdictBox({ tone, words }: Verdict): Html {
	const { edge, background } = TONES[tone];
	return html`<table
		role="presentation"
		cellpadding="0"
		cellspacing="0"
		style="${BLOCK};margin:16px 0 0"
	>
		<tr>
			<td
				bgcolor="${background}"
				style="padding:10px 14px;background:${background};border-left:4px solid ${edge};font-weight:bold;overflow-wrap:anywhere"
			>
				${words}.
			</td>
		</tr>
	</table>`;
}

function block(title: string, content: Html): Html {
	return html`<h2
			style="margin:28px 0 6px;font-size:16px;line-height:22px;overflow-wrap:anywhere;page-break-after:avoid"
		>
			${title}
		</h2>
		${content} `;
}

function table(rows: Html[]): Html {
	return html`<table cellpadding="0" cellspacing="0" style="${BLOCK}">
		${joined(rows)}
	</table>`;
}

function reviewBlock(values: ValueToReview[]): Html {
	if (values.length === 0) return html``;
	const rows = values.map(({ label, place, value, score }) =>
		listRow(html`${label}<br /><span style="${MUTED}">${place}</span>`, value, score),
	);
	return block('To review', table(rows));
}

function sectionBlock(section: Section): Html {
	const { title, columns, rows, text } = section;
	if (rows.length === 0)
		return block(title, html`<p style="margin:0;font-size:14px;${MUTED}">${text || 'No rows'}</p>`);
	if (columns !== undefined) return block(title, rowsTable(columns, rows));
	return block(title, joined(rows.map(rowList)));
}

/** A row as a list of names and values. */
function rowList({ number, fields }: ShownRow): Html {
	const heading =
		number === undefined
			? ''
			: html`<p style="margin:12px 0 0;font-size:13px;font-weight:bold;color:#4b5563">
					Row ${number}
				</p> `;
	const rows = fields.map(({ label, value, score }) => listRow(html`${label}`, value, score));
	return html`${heading}${table(rows)}`;
}

function listRow(label: Html, value: ShownValue, score: Score | undefined): Html {
	const background = score?.isLow === true ? LOW_BACKGROUND : '#ffffff';
	return html`<tr style="page-break-inside:avoid">
		<td
			width="34%"
			bgcolor="${background}"
			style="${CELL};background:${background};color:#4b5563;overflow-wrap:anywhere"
		>
			${label}
		</td>
		<td bgcolor="${background}" style="${CELL};background:${background};overflow-wrap:anywhere">
			${shown(value)}
		</td>
		<td width="64" bgcolor="${background}" style="${CELL};background:${background};width:64px">
			${bar(score)}
		</td>
	</tr> `;
}

/** Scrolls sideways where a screen is too narrow. */
function rowsTable(columns: string[], rows: ShownRow[]): Html {
	const hasScores = rows.some(({ lowest }) => lowest !== undefined);
	const headings = columns.map((title) => html`<th align="left" style="${HEADING}">${title}</th>`);
	const last = hasScores ? html`<th align="left" style="${HEADING}">Confidence</th>` : '';
	const lines = rows.map(
		({ number, fields, lowest }) =>
			html`<tr style="page-break-inside:avoid">
				<td style="${CELL};${MUTED}">${number ?? ''}</td>
				${joined(fields.map(tableCell))}${
					hasScores ? html`<td width="64" style="${CELL};width:64px">${bar(lowest)}</td>` : ''
				}
			</tr> `,
	);
	return html`<div style="overflow-x:auto">
		${table([
			html`<tr>
				<th align="left" style="${HEADING}">Row</th>
				${joined(headings)}${last}
			</tr> `,
			...lines,
		])}
	</div>`;
}

function tableCell({ value, score }: ShownField): Html {
	const align = value.isNumber ? html` align="right"` : '';
	if (score?.isLow !== true) return html`<td${align} style="${CELL}">${shown(value)}</td>`;
	return html`<td${align} bgcolor="${LOW_BACKGROUND}" style="${CELL};background:${LOW_BACKGROUND}">${shown(value)}<br><span style="${MUTED}">${score.text}</span></td>`;
}

function shown({ text }: ShownValue): Html {
	return text === '' ? html`<span style="color:#9ca3af">–</span>` : html`${text}`;
}

/** The confidence as a bar of two table cells, with the number below it. */
function bar(score: Score | undefined): Html | string {
	if (score === undefined) return '';
	const { text, percent, isLow } = score;
	const words = html`<span
		style="font-size:12px;line-height:16px;white-space:nowrap;color:${isLow ? '#92400e' : '#6b7280'}"
		>${text}</span
	>`;
	if (percent === undefined) return words;
	const part = (share: number, color: string) =>
		share === 0
			? ''
			: html`<td
					width="${share}%"
					height="5"
					bgcolor="${color}"
					style="height:5px;font-size:0;line-height:0;background:${color}"
				>
					&nbsp;
				</td>`;
	return html`<table
			role="presentation"
			cellpadding="0"
			cellspacing="0"
			width="56"
			style="width:56px;margin:4px 0 2px"
		>
			<tr>
				${part(percent, isLow ? '#d97706' : '#16a34a')}${part(100 - percent, '#e5e7eb')}
			</tr>
		</table>
		${words}`;
}

function documentsBlock(documents: ReportPage['documents']): Html {
	const rows = documents.map(
		({ name, sha256 }) =>
			html`<tr style="page-break-inside:avoid">
				<td style="${CELL};overflow-wrap:anywhere">
					${name}${
						sha256 === ''
							? ''
							: html`<br /><span
										style="${MUTED};font-family:Consolas,Menlo,monospace;font-size:11px;word-break:break-all"
										>SHA-256 ${sha256}</span
									>`
					}
				</td>
			</tr> `,
	);
	return block('Documents', table(rows));
}

function idsBlock(ids: ReportPage['ids']): Html {
	const lines = ids.map(
		([label, id]) => html`${label}: <span style="overflow-wrap:anywhere">${id}</span><br /> `,
	);
	return html`<p style="margin:28px 0 0;${MUTED};line-height:18px">${joined(lines)}</p> `;
}
