import type { Schema } from '../../../../../service/contract';
import { mapRows } from '../../../connection/time';
import { type About, describeSkip, ruleOf } from '../../../about';
import type { JudgedStep, Judgement } from '../../judge/judge';
import { depthOf, type JudgedRow } from '../../judge/row';
import { pathInResult, reasonOf } from '../toReview';
import { idOf, labelOf, namedIn, scoreInWords, textOf, valueInWords } from '../words';
import { type Html, markup } from './html';
import { writerOf } from './readable';

/** Rows with more columns cannot be read on paper: each becomes a list. */
const MAX_COLUMNS = 12;
/** A date and a short number or ID stay on one line; a very long word does not. */
const [SHORT, LONG] = [/^(?=\D*\d)(?:\S{1,16}|\d+ [A-Z][a-z]+ \d{4})$/, /\S{17}/];

interface Column {
	title: string;
	/** The class of its cells: `n` for numbers. */
	kind?: string;
}
type Line<T> = (each: T) => Html;
export type WriteTable = <T>(title: string, heads: Column[], all: T[], line: Line<T>) => Html;

const SCORE = { title: 'Confidence', kind: 'score' };
const LIST = [{ title: 'Field' }, { title: 'Value' }, SCORE];

/** Writes tables until together they have this many characters, and says of each what it lacks. */
export function tablesWithin(max: number): WriteTable {
	let left = max;
	return (title, heads, all, line) => {
		if (all.length === 0) return markup``;
		const lines: Html[] = [];
		for (const each of all) {
			if (left <= 0) break;
			const html = line(each);
			left -= html.toString().length;
			lines.push(html);
		}
		const more = all.length - lines.length;
		const rest = more === 0 ? '' : `Not shown here: ${more} of ${all.length} lines.`;
		const titles = heads.map((each) => markup`<th class="${each.kind ?? ''}">${each.title}</th>`);
		const kind = heads.length === 0 ? 'docs' : heads === LIST ? 'list' : 'rows';
		const table = markup`<table class="${kind}">
<thead><tr>${titles}</tr></thead>
<tbody>\n${lines}</tbody></table>\n`;
		return section(title, table, rest);
	};
}

/** The values to review, each with its path in words, and what the service quotes for it. */
export async function reviewTable(
	judgement: Judgement,
	schemas: ReadonlyMap<unknown, Schema>,
	write: WriteTable,
): Promise<Html> {
	const shownPath = pathInResult(judgement);
	const rows = judgement.steps.flatMap(({ rows: each, content }) => content ?? each);
	const values = await mapRows(rows, (row) => {
		const sources = row.doubts.length === 0 ? [] : row.evidence;
		const quotes = new Map(sources.map(({ path, details }) => [textOf(path), details]));
		return row.doubts.map((doubt) => ({ row, doubt, quote: quotes.get(textOf(doubt.path)) }));
	});
	return write('To review', LIST, values.flat(), ({ row, doubt, quote }) => {
		const { path, value, kind, confidence } = doubt;
		const text = writerOf(schemas.get(row.stepName), path.slice(depthOf(row)))(value);
		const below = quote === undefined ? '' : markup`<br><small>${valueInWords(quote)}</small>`;
		const score = value === null ? 'Not found' : scoreInWords(confidence) || 'Not readable';
		const why = markup`<mark>${kind === 'low' ? score : reasonOf(doubt)}</mark>`;
		return valueLine(labelOf(...shownPath(path)), markup`<b>${text}</b>${below}`, why);
	});
}

/** The rows of a step: a table, or a list of values where there is one row or there are many columns. */
export async function stepTable(
	{ name, rows, content }: JudgedStep,
	schema: Schema | undefined,
	write: WriteTable,
): Promise<Html> {
	const title = labelOf(name);
	const kinds = new Map<string, string>();
	await mapRows(rows, ({ fields }) => {
		for (const { name: field, value } of fields) {
			const kind = typeof value === 'number' ? 'n' : '';
			kinds.set(field, value === null ? (kinds.get(field) ?? '') : kind);
		}
	});
	if (kinds.size === 0) return section(title, markup``, valueInWords(content?.data) || 'No rows');
	if (rows.length > 1 && kinds.size <= MAX_COLUMNS) {
		const columns = [...kinds].map(([field, kind]) => {
			return { title: labelOf(field), kind, field, asText: writerOf(schema, [field]) };
		});
		return write(title, [{ title: 'Row' }, ...columns, SCORE], rows, (row) => {
			const doubtful = doubtfulIn(row);
			const values = new Map(row.fields.map((each) => [each.name, each.value]));
			const cells = columns.map((column) => {
				const text = column.asText(values.get(column.field));
				const wrap = SHORT.test(text) ? ' u' : LONG.test(text) ? ' w' : '';
				const value = marked(text, doubtful.has(column.field));
				return markup`<td title="${column.title}" class="${column.kind}${wrap}">${value}</td>`;
			});
			return markup`<tr><td title="Row">${row.number ?? ''}</td>${cells}
<td title="Confidence" class="score">${scoreInWords(row.lowestConfidence)}</td></tr>\n`;
		});
	}
	const fields = await mapRows(rows, (row) => {
		const doubtful = doubtfulIn(row);
		return row.fields.map((field, at) => ({ number: at > 0 ? null : row.number, field, doubtful }));
	});
	return write(title, LIST, fields.flat(), ({ number, field, doubtful }) => {
		const isHead = rows.length > 1 && number !== null;
		const head = isHead ? markup`<tr><th colspan="3">Row ${number}</th></tr>\n` : '';
		const text = writerOf(schema, [field.name])(field.value);
		const value = marked(text, doubtful.has(field.name));
		return markup`${head}${valueLine(labelOf(field.name), value, scoreInWords(field.lowest))}`;
	});
}

/** The documents that were sent, and those that were not. */
export function documentTable({ documents, skipped }: About, write: WriteTable): Html {
	const sent = namedIn(documents).map(({ name, entry }) => {
		const isMarked = entry.encrypted === true;
		const words = isMarked ? 'Sent. It is encrypted, so it may need a password' : 'Sent';
		return { name, hash: idOf(entry.sha256), words, isMarked };
	});
	const notSent = namedIn(skipped).map(({ name, entry }) => {
		const isMarked = ruleOf(entry).unusable === true;
		const why = isMarked ? 'Not sent, because it cannot be used' : 'Not sent';
		return { name, hash: '', words: `${why}: ${valueInWords(describeSkip(entry))}`, isMarked };
	});
	return write('Documents', [], [...sent, ...notSent], ({ name, hash, words, isMarked }) => {
		const below = hash === '' ? '' : markup`<br><small>SHA-256 ${hash}</small>`;
		return markup`<tr><td class="w">${name}${below}</td><td>${marked(words, isMarked)}</td></tr>\n`;
	});
}

function section(title: string, content: Html, words: string): Html {
	return markup`<h2>${title}</h2>\n${content}${words === '' ? '' : markup`<p>${words}</p>\n`}`;
}

function doubtfulIn(row: JudgedRow): Set<unknown> {
	return new Set(row.doubts.map(({ path }) => path[depthOf(row)]));
}

function valueLine(name: string, value: Html | string, score: Html | string): Html {
	return markup`<tr><td>${name}</td><td class="w">${value}</td><td class="score">${score}</td></tr>\n`;
}

function marked(text: string, isMarked: boolean): Html | string {
	return isMarked ? markup`<mark>${text}</mark>` : text;
}
