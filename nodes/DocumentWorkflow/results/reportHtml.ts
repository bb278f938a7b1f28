import type { Html } from './reportTables';
import {
	BLOCK,
	CELL,
	FONT,
	joined,
	listRow,
	markup,
	MUTED,
	rowList,
	rowsTable,
	shown,
	table,
} from './reportTables';
import type { ReportPage, Section, ValueToReview } from './reportPage';
import type { Verdict } from './reportVerdict';

const TONES: Record<Verdict['tone'], { edge: string; background: string }> = {
	good: { edge: '#15803d', background: '#f0fdf4' },
	review: { edge: '#d97706', background: '#fffbeb' },
	failed: { edge: '#b91c1c', background: '#fef2f2' },
	neutral: { edge: '#64748b', background: '#f8fafc' },
};

/** The report as a page that goes out by mail as it is: nothing in it is loaded, run or linked. */
export function htmlReport(page: ReportPage): string {
	const { title, subtitle, sections, documents, ids, leftOut } = page;
	const heading = subtitle === '' ? title : `${title} · ${subtitle}`;
	return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${heading}</title>
</head>
<body style="margin:0;padding:0;background:#ffffff;${FONT};-webkit-print-color-adjust:exact;print-color-adjust:exact">
<table role="presentation" align="center" cellpadding="0" cellspacing="0" style="width:100%;max-width:760px;table-layout:fixed">
<tr><td style="padding:24px 16px;${FONT}">
<h1 style="margin:0;font-size:22px;line-height:28px;overflow-wrap:anywhere">${title}</h1>
${subtitle === '' ? '' : paragraph('margin:2px 0 0;font-size:15px', subtitle)}
${verdictBox(page.verdict)}
${reviewBlock(page.toReview)}
${joined(sections.map(sectionBlock))}
${leftOut === '' ? '' : paragraph('margin:20px 0 0;font-size:13px', `${leftOut}.`)}
${documents.length === 0 ? '' : documentsBlock(documents)}
${idsBlock(ids)}
</td></tr>
</table>
</body>
</html>
`.toString();
}

function paragraph(style: string, text: string): Html {
	return markup`<p style="${style};line-height:20px;color:#4b5563;overflow-wrap:anywhere">${text}</p>`;
}

function verdictBox({ tone, words }: Verdict): Html {
	const { edge, background } = TONES[tone];
	return markup`<table role="presentation" cellpadding="0" cellspacing="0" style="${BLOCK};margin:16px 0 0"><tr><td bgcolor="${background}" style="padding:10px 14px;background:${background};border-left:4px solid ${edge};font-weight:bold;overflow-wrap:anywhere">${words}.</td></tr></table>`;
}

function block(title: string, content: Html): Html {
	return markup`<h2 style="margin:28px 0 6px;font-size:16px;line-height:22px;overflow-wrap:anywhere;page-break-after:avoid">${title}</h2>
${content}`;
}

function reviewBlock(values: ValueToReview[]): Html {
	if (values.length === 0) return markup``;
	const rows = values.map(({ label, place, value, score }) =>
		listRow(
			markup`${label}<br><span style="${MUTED}">${place}</span>`,
			markup`<b>${shown(value)}</b>`,
			score,
		),
	);
	return block('To review', table(rows));
}

function sectionBlock(section: Section): Html {
	const { title, columns, rows, text } = section;
	if (rows.length === 0)
		return block(title, paragraph('margin:0;font-size:14px', text || 'No rows'));
	if (columns !== undefined) return block(title, rowsTable(columns, rows));
	return block(title, joined(rows.map(rowList)));
}

function documentsBlock(documents: ReportPage['documents']): Html {
	const rows = documents.map(({ name, sha256 }) => {
		const hash = markup`<br><span style="${MUTED};font-family:Consolas,Menlo,monospace;font-size:11px;word-break:break-all">SHA-256 ${sha256}</span>`;
		return markup`<tr style="page-break-inside:avoid"><td style="${CELL};overflow-wrap:anywhere">${name}${sha256 === '' ? '' : hash}</td></tr>\n`;
	});
	return block('Documents', table(rows));
}

function idsBlock(ids: ReportPage['ids']): Html {
	const lines = ids.map(
		([label, id]) => markup`${label}: <span style="overflow-wrap:anywhere">${id}</span><br>\n`,
	);
	return markup`<p style="margin:28px 0 0;${MUTED};line-height:18px">${joined(lines)}</p>`;
}
