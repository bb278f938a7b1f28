import { isMissing } from '../../../../../service/cells';
import { type Schema, UNDECLARED } from '../../../../../service/contract';
import { mapRows } from '../../../connection/time';
import { type About, describeSkip, ruleOf } from '../../../about';
import type { JudgedStep, Judgement } from '../../judge/judge';
import { depthOf, type JudgedRow, type Path, scoreOf } from '../../judge/row';
import { fieldOf } from '../../judge/values/field';
import { MISSING, pathInResult, reasonOf } from '../toReview';
import { idOf, labelOf, namedIn, scoreInWords, textOf, valueInWords } from '../words';
import { type Html, markup } from './html';

/** Rows with more columns cannot be read on paper: each becomes a list. */
const MAX_COLUMNS = 12;
/** A date and a short number or ID stay on one line; a very long word does not. */
const WRAPS = [
	{ kind: 'u', form: /^(?=\D*\d)(?:\S{1,16}|\d+ [A-Z][a-z]+ \d{4})$/ },
	{ kind: 'w', form: /\S{17}/ },
];

interface Head {
	kind: 'docs' | 'list' | 'rows';
	/** The class of a column is `n` for numbers. */
	columns: Array<[title: string, kind: string]>;
}
export type WriteTable = <T>(title: string, head: Head, all: T[], line: (each: T) => Html) => Html;

const SCORE: Head['columns'][0] = ['Confidence', 'score'];
const LIST: Head = { kind: 'list', columns: [['Field', ''], ['Value', ''], SCORE] };

/** Writes tables until together they have this many characters, and says of each what it lacks. */
export function tablesWithin(max: number): WriteTable {
	let left = max;
	return (title, { kind, columns }, all, line) => {
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
		const titles = columns.map(([name, kindOf]) => markup`<th class="${kindOf}">${name}</th>`);
		const table = markup`<table class="${kind}">
<thead><tr>${titles}</tr></thead>
<tbody>\n${lines}</tbody></table>\n`;
		return section(title, table, rest);
	};
}

/** The values to review, each with its path in words, and what the service quotes for it. */
export async function reviewTable(judgement: Judgement, write: WriteTable): Promise<Html> {
	const shownPath = pathInResult(judgement);
	const rows = judgement.steps.flatMap(({ rows: each, content, schema }) =>
		[content ?? each].flat().map((row) => ({ row, schema })),
	);
	const doubtful = rows.filter(({ row }) => row.doubts.length > 0);
	const values = await mapRows(doubtful, ({ row, schema }) => {
		const quotes = new Map(row.evidence.map(({ path, details }) => [textOf(path), details]));
		return row.doubts.map((doubt) => {
			const inRow = doubt.path.slice(depthOf(row));
			return { doubt, schema, inRow, quote: quotes.get(textOf(doubt.path)) };
		});
	});
	return write('To review', LIST, values.flat(), ({ doubt, schema, inRow, quote }) => {
		const { path, value, kind, confidence } = doubt;
		const text = writerOf(schema, inRow)(value);
		const below = smallPrint(valueInWords(quote));
		const score = isMissing(value) ? MISSING : scoreInWords(confidence) || 'Not readable';
		const why = markup`<mark>${kind === 'low' ? score : reasonOf(doubt)}</mark>`;
		return valueLine(labelOf(...shownPath(path)), markup`<b>${text}</b>${below}`, why);
	});
}

/** The rows of a step: a table, or a list of values where there is one row or there are many columns. */
export async function stepTable(
	{ name, rows, content, schema }: JudgedStep,
	write: WriteTable,
): Promise<Html> {
	const title = labelOf(name);
	const kinds = new Map<string, string>();
	await mapRows(rows, ({ fields }) => {
		for (const { name: field, value } of fields)
			kinds.set(field, typeof value === 'number' ? 'n' : (kinds.get(field) ?? ''));
	});
	if (kinds.size === 0)
		return section(title, markup``, valueInWords(content?.fields[0]?.value) || 'No rows');
	if (rows.length > 1 && kinds.size <= MAX_COLUMNS) {
		const columns = [...kinds].map(([field, kind]) => {
			return { title: labelOf(field), kind, field, asText: writerOf(schema, [field]) };
		});
		const heads = columns.map(({ title: head, kind }): [string, string] => [head, kind]);
		const head: Head = { kind: 'rows', columns: [['Row', ''], ...heads, SCORE] };
		return write(title, head, rows, (row) => {
			const doubtful = doubtfulIn(row);
			const values = new Map(row.fields.map((each) => [each.name, each.value]));
			const cells = columns.map((column) => {
				const text = column.asText(values.get(column.field));
				const wraps = WRAPS.filter(({ form }) => form.test(text)).map((each) => each.kind);
				const value = marked(text, doubtful.has(column.field));
				return markup`<td title="${column.title}" class="${[column.kind, ...wraps].join(' ')}">${value}</td>`;
			});
			return markup`<tr><td title="Row">${String(row.number)}</td>${cells}
<td title="Confidence" class="score">${scoreInWords(row.lowestConfidence)}</td></tr>\n`;
		});
	}
	const fields = await mapRows(rows, (row) => {
		const doubtful = doubtfulIn(row);
		return row.fields.map((field, at) => ({ row, at, field, doubtful }));
	});
	return write(title, LIST, fields.flat(), ({ row, at, field, doubtful }) => {
		const isHead = rows.length > 1 && at === 0;
		const head = isHead ? markup`<tr><th colspan="3">Row ${String(row.number)}</th></tr>\n` : '';
		const text = writerOf(schema, [field.name])(field.value);
		const value = marked(text, doubtful.has(field.name));
		const score = isMissing(field.value) ? '' : scoreInWords(scoreOf(field));
		return markup`${head}${valueLine(labelOf(field.name), value, score)}`;
	});
}

/** The documents that were sent, and those that were not. */
export function documentTable({ documents, skipped }: About, write: WriteTable): Html {
	const sent = namedIn(documents).map(({ name, entry: { sha256, encrypted = false } }) => {
		const words = encrypted ? 'Sent. It is encrypted, so it may need a password' : 'Sent';
		const hash = idOf(sha256);
		return { name, below: smallPrint(hash && `SHA-256 ${hash}`), words, isMarked: encrypted };
	});
	const notSent = namedIn(skipped).map(({ name, entry }) => {
		const isMarked = ruleOf(entry).unusable === true;
		const why = isMarked ? 'Not sent, because it cannot be used' : 'Not sent';
		return { name, below: '', words: `${why}: ${valueInWords(describeSkip(entry))}`, isMarked };
	});
	const head: Head = { kind: 'docs', columns: [] };
	return write('Documents', head, [...sent, ...notSent], ({ name, below, words, isMarked }) => {
		return markup`<tr><td class="w">${name}${below}</td><td>${marked(words, isMarked)}</td></tr>\n`;
	});
}

function section(title: string, content: Html, words: string): Html {
	return markup`<h2>${title}</h2>\n${content}${words === '' ? '' : markup`<p>${words}</p>\n`}`;
}

function smallPrint(text: string): Html | string {
	return text === '' ? '' : markup`<br><small>${text}</small>`;
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

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T\d\d:\d\d)?$/;

/** Writes values of a field: `1,234.5` and `5 March 2026` where its type or name is sure of it, others as they are. */
function writerOf(schema: Schema, path: Path): (value: unknown) => string {
	const names = path.filter((part) => typeof part === 'string');
	const within = (outer: Schema, name: string) => outer.fields.get(name) ?? UNDECLARED;
	const { type: declared } = names.reduce(within, schema);
	const { kind, type } = fieldOf(String(names.at(-1)), declared);
	// A lower integer may be a year.
	const least = declared === 'number' ? 10_000 : Infinity;
	const mayBeGrouped = (value: number) => value % 1 !== 0 || Math.abs(value) >= least;
	const isGrouped = { ...SURE, other: mayBeGrouped, date: mayBeGrouped }[kind];
	return (value) => {
		if (typeof value === 'number' && isGrouped(value)) return NUMBER.format(value);
		const text = valueInWords(value) || '–';
		return type === 'date' ? text.replace(DATE, dateInWords) : text;
	};
}

const SURE = { money: () => true, count: () => true, identifier: () => false };

function dateInWords(_: string, year: string, month: string, day: string, clock = ''): string {
	const name = MONTH.format(Date.UTC(0, Number(month) - 1));
	return `${Number(day)} ${name} ${year}${clock.replace('T', ', ')}`;
}
