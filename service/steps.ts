import type { Cell, Json, JsonRecord, Row, Step } from './contract';
import { FIELDS, isRecord, OTHER_ROWS_NAMES, OTHER_SCORE_NAMES } from './contract';
import { own } from './record';

/** Levels of nested cells (assumed). Anything deeper is a plain value. */
const MAX_DEPTH = 32;

/** Records around the rows, or around an address in place of them. A whole step in place of its data is two. */
const MAX_WRAPPINGS = 2;

/**
 * Reads the data of a step (published: a record whose `data` is the list of rows). Also accepts (assumed): a bare list, a single row,
 * plain values in place of cells or rows, and the content behind the address that the URL mode of webhooks gives. When an empty list
 * of rows is beside an address, the rows are at that address (assumed).
 */
export function readStepData(stepName: string, data: Json | undefined): Step {
	const rows = rowsIn(data);
	const given = rows === undefined || rows.length === 0 ? readAddress(data) : undefined;
	if (given !== undefined) return { stepName, rows: [], ...given };
	return {
		stepName,
		rows: (rows ?? []).map(readRowOrValue),
		other: rows === undefined ? (data ?? null) : undefined,
		address: undefined,
	};
}

/**
 * `levels`: how many more records may be around the rows. A record of cells is a row, even if one of its fields has the name of the
 * list of rows.
 */
function rowsIn(data: Json | undefined, levels = MAX_WRAPPINGS): Json[] | undefined {
	if (Array.isArray(data)) return data;
	if (!isRecord(data)) return undefined;
	const isRow = isScored(data) || Object.values(data).some(isScored);
	const isOpened = levels > 0 && (isWrapping(data) || !isRow);
	const inner = isOpened ? own(data, FIELDS.step.rows) : undefined;
	const others = isOpened && !isRow ? OTHER_ROWS_NAMES.map((name) => own(data, name)) : [];
	return (
		[inner, ...others].map((rows) => rowsIn(rows, levels - 1)).find((rows) => rows !== undefined) ??
		(isRow ? [data] : isPlainRow(inner, levels - 1) && isWrapping(data) ? [inner] : undefined)
	);
}

/** Whether a record has only the published fields, so that taking just its rows loses nothing. */
function isWrapping(record: JsonRecord): boolean {
	const names: readonly string[] = [FIELDS.step.rows, ...FIELDS.step.beside];
	return Object.keys(record).every((name) => names.includes(name));
}

/** Whether a record in place of the rows is a single row of plain values (assumed); `levels` as for the rows. */
function isPlainRow(json: Json | undefined, levels: number): json is JsonRecord {
	if (!isRecord(json) || readAddress(json, levels) !== undefined) return false;
	const values = Object.values(json);
	return values.length > 0 && !values.some(isRecord);
}

/** An address in place of data. `other` is the data without the signature, for the output. */
interface Addressed {
	other: Json;
	address: string;
}

/** Data that is an address (published: `{"url": "https://…"}`), possibly wrapped like rows (assumed); undefined for other data. */
function readAddress(data: Json | undefined, levels = MAX_WRAPPINGS): Addressed | undefined {
	if (!isRecord(data)) return readBareAddress(data);
	const given = readBareAddress(own(data, FIELDS.step.address));
	if (given !== undefined)
		return { ...given, other: { ...data, [FIELDS.step.address]: given.other } };
	const inner =
		levels > 0 && isWrapping(data)
			? readAddress(own(data, FIELDS.step.rows), levels - 1)
			: undefined;
	return inner && { ...inner, other: { ...data, [FIELDS.step.rows]: inner.other } };
}

/** A text that is an address. Its query may be a signature, so it is not shown. */
function readBareAddress(given: Json | undefined): Addressed | undefined {
	if (typeof given !== 'string' || !URL.canParse(given)) return undefined;
	const { protocol, host, pathname } = new URL(given);
	return protocol === 'https:' || protocol === 'http:'
		? { other: `${protocol}//${host}${pathname}`, address: given }
		: undefined;
}

function readRowOrValue(json: Json): Row {
	return isRecord(json) && !isScored(json)
		? readRow(json, 0)
		: new Map([['value', readCell(json, 0)]]);
}

function readRow(record: JsonRecord, depth: number): Row {
	const row: Row = new Map();
	for (const [field, cell] of Object.entries(record)) row.set(field, readCell(cell, depth));
	return row;
}

function readCell(json: Json, depth: number): Cell {
	const cell = isRecord(json) && (isScored(json) || hasOnlyValue(json)) ? json : undefined;
	const value = cell === undefined ? json : (own(cell, FIELDS.cell.value) ?? null);
	const confidenceScore = cell === undefined ? undefined : scoreIn(cell);
	const inner = holdsScores(value, MAX_DEPTH - depth) ? readInner(value, depth + 1) : undefined;
	return { value: inner === undefined ? value : plainOf(inner), confidenceScore, inner };
}

/** Undefined where there is none. */
function scoreIn(cell: JsonRecord): Cell['confidenceScore'] {
	const given = own(cell, FIELDS.cell.confidenceScore) ?? '';
	if (typeof given === 'string' && given.trim() === '') return otherScoreIn(cell);
	return readScore(given) ?? 'unreadable';
}

function otherScoreIn(cell: JsonRecord): number | undefined {
	return OTHER_SCORE_NAMES.map((name) => readScore(own(cell, name))).find(
		(score) => score !== undefined,
	);
}

/** A number as text may have a decimal comma or a percent sign (assumed). */
const SCORE_TEXT = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?) ?(%?)$/i;

/** A finite number, or a text that is one (assumed); undefined for anything else. */
function readScore(given: Json | undefined): number | undefined {
	const score = typeof given === 'string' ? scoreOfText(given) : given;
	return typeof score === 'number' && Number.isFinite(score) ? score : undefined;
}

function scoreOfText(text: string): number | undefined {
	const [, digits, percent] = SCORE_TEXT.exec(text.trim()) ?? [];
	if (digits === undefined) return undefined;
	const score = Number(digits.replace(',', '.'));
	return percent === '' ? score : score / 100;
}

function readInner(value: Json, depth: number): Cell['inner'] {
	if (Array.isArray(value))
		return value.map((entry) =>
			isRecord(entry) && !isScored(entry) ? cellOf(readRow(entry, depth)) : readCell(entry, depth),
		);
	return isRecord(value) ? readRow(value, depth) : undefined;
}

/** A row of a nested table. It has no score of its own. */
function cellOf(row: Row): Cell {
	return { value: plainOf(row), confidenceScore: undefined, inner: row };
}

function plainOf(inner: Row | Cell[]): Json {
	if (Array.isArray(inner)) return inner.map(({ value }) => value);
	return Object.fromEntries([...inner].map(([field, { value }]) => [field, value]));
}

/** Whether a record has a value and a score. Without a score it may be a record of the document with a field of that name. */
function isScored(json: Json): boolean {
	if (!isRecord(json) || !Object.hasOwn(json, FIELDS.cell.value)) return false;
	const score = own(json, FIELDS.cell.confidenceScore);
	return score === undefined
		? otherScoreIn(json) !== undefined
		: score === null || typeof score !== 'object';
}

function hasOnlyValue(record: JsonRecord): boolean {
	return Object.hasOwn(record, FIELDS.cell.value) && Object.keys(record).length === 1;
}

function holdsScores(json: Json, levels: number): boolean {
	if (levels === 0 || typeof json !== 'object' || json === null) return false;
	return (
		isScored(json) || Object.values(json).some((entry: Json) => holdsScores(entry, levels - 1))
	);
}
