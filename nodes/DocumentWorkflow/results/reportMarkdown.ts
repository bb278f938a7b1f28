import type { ReportPage, Section, ShownRow } from './reportPage';
import type { Score, ShownValue } from './reportValue';

/**
 * Without a byte order mark a browser does not read the file as UTF-8 when n8n displays it. Markdown would show a heading in the same
 * line as text.
 */
const START = '\uFEFF\n';

/** In characters. Longer values do not widen the columns of a table. */
const MAX_COLUMN_WIDTH = 64;

/** The report as Markdown, in columns that can also be read where it is displayed as plain text, as in n8n. */
export function markdownReport(page: ReportPage): string {
	const { title, subtitle, verdict, toReview, sections, leftOut, documents, ids } = page;
	const hasHashes = documents.some(({ sha256 }) => sha256 !== '');
	return `${START}${[
		`# ${inert(title)}`,
		inert(subtitle),
		inert(`${verdict.words}.`),
		...(toReview.length === 0
			? []
			: [
					'## To review',
					tableOf(
						['Field', 'Place', 'Value', 'Confidence'],
						toReview.map(({ label, place, value, score }) => [
							inert(label),
							inert(place),
							shown(value),
							confidence(score),
						]),
					),
				]),
		...sections.flatMap(sectionLines),
		leftOut === '' ? '' : `${leftOut}.`,
		...(documents.length === 0
			? []
			: [
					'## Documents',
					tableOf(
						hasHashes ? ['File', 'SHA-256'] : ['File'],
						documents.map(({ name, sha256 }) =>
							hasHashes ? [inert(name), inert(sha256)] : [inert(name)],
						),
					),
				]),
		'## IDs',
		ids.map(([label, id]) => `- ${label}: ${inert(id)}`).join('\n'),
	]
		.filter(Boolean)
		.join('\n\n')}\n`;
}

function sectionLines({ title, columns, rows, text }: Section): string[] {
	const heading = `## ${inert(title)}`;
	if (rows.length === 0) return [heading, inert(text) || 'No rows'];
	if (columns !== undefined) return [heading, rowsTable(columns, rows)];
	return [heading, ...rows.flatMap(rowList)];
}

function rowsTable(columns: string[], rows: ShownRow[]): string {
	return tableOf(
		['Row', ...columns.map(inert), 'Confidence'],
		rows.map(({ number, fields, lowest }) => [
			String(number ?? ''),
			...fields.map(({ value, score }) =>
				score?.isLow === true ? `${shown(value)} (${score.text})` : shown(value),
			),
			confidence(lowest),
		]),
	);
}

function rowList({ number, fields }: ShownRow): string[] {
	const rows = fields.map(({ label, value, score }) => [
		inert(label),
		shown(value),
		confidence(score),
	]);
	return [
		...(number === undefined ? [] : [`### Row ${number}`]),
		tableOf(['Field', 'Value', 'Confidence'], rows),
	];
}

/** A table without its empty columns, which are those of the confidence where there is none. */
function tableOf(headings: string[], rows: string[][]): string {
	const widths = headings.map((heading, column) => {
		const width = Math.max(0, ...rows.map((row) => row[column]?.length ?? 0));
		return width === 0 ? 0 : Math.min(MAX_COLUMN_WIDTH, Math.max(heading.length, width));
	});
	const inColumns = (cells: string[]) =>
		cells.flatMap((cell, column) => {
			const width = widths[column] ?? 0;
			return width === 0 ? [] : [cell.padEnd(width)];
		});
	const line = (cells: string[]) => `| ${inColumns(cells).join(' | ')} |`;
	const rule = widths.filter((width) => width > 0).map((width) => '-'.repeat(width + 2));
	return [line(headings), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}

function shown({ text }: ShownValue): string {
	return text === '' ? '–' : inert(text);
}

function confidence(score: Score | undefined): string {
	return score === undefined ? '' : `${score.text}${score.isLow ? ' (review)' : ''}`;
}

/** How a list, a line or a heading begins. */
const BLOCK_START = /^(?:[-+=](?!\d)|\d+[.)](?=\s|$))/;

/** Words, numbers, and marks that mean nothing in Markdown wherever they stand in a line. */
const PLAIN = /^(?:[\p{L}\p{M}\p{N} ,;?%$€£()'"/–·…+=-]|[.:&](?=\s|$)|\.(?=\d)|(?<=\d):(?=\d))+$/u;

/** GitHub reads what stands between two of them as a formula. */
const DOLLARS = /\$[^$]*\$/;

/**
 * A text that does nothing in Markdown. A text with any mark that could mean something becomes a code span, in which no renderer finds
 * links, addresses, mentions or HTML.
 */
function inert(text: string): string {
	if (text === '') return '';
	if (PLAIN.test(text) && !BLOCK_START.test(text) && !DOLLARS.test(text)) return text;
	const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = '`'.repeat(longest + 1);
	// A pipe ends a cell of a table also within a code span. Renderers disagree about two backslashes before it.
	const content = text
		.replaceAll('|', String.raw`\|`)
		.replaceAll(String.raw`\\|`, String.raw`\ \|`);
	const isPadded = /^[` ]|[` ]$/.test(content);
	return isPadded ? `${fence} ${content} ${fence}` : fence + content + fence;
}
