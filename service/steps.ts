import type { Cell, Json, JsonRecord, Row, Step } from './contract';
import { FIELDS, isRecord, SPELLINGS } from './contract';
import { firstText, own } from './record';

/** Levels of nested cells. Anything deeper is a plain value. */
const MAX_DEPTH = 32;

/** Records around the rows, or around an address in place of them. A whole step in place of its data is two. */
const MAX_WRAPPINGS = 2;

/** In characters. Every row of a step repeats its name. */
const MAX_NAME_LENGTH = 500;

export function isEmpty(data: Json | undefined): data is '' | null | undefined {
	if (typeof data === 'object' && data !== null) return Object.keys(data).length === 0;
	return data === undefined || data === null || data === '';
}

/**
 * What a field of an answer has: a list of steps (published), a record of steps by name, or a single step. Where the
 * field is not called steps, it may also have the rows of a step.
 */
export function stepsIn(data: Json | undefined, field: string = FIELDS.execution.steps): Step[] {
	if (isEmpty(data)) return [];
	const isCalledSteps = field === FIELDS.execution.steps;
	if (Array.isArray(data) && (isCalledSteps || data.every(isStep))) return data.map(readStep);
	const whole = readStepData(field, data);
	if (!isRecord(data)) return [whole];
	if (isCalledSteps && isStep(data)) return [readStep(data, 0)];
	const isRows = whole.rows.length > 0 || whole.address !== undefined;
	const isByName = isCalledSteps || (!isRows && Object.values(data).every(isNested));
	return isByName ? Object.entries(data).map(([name, each]) => readStepData(name, each)) : [whole];
}

function isStep(json: Json): boolean {
	return (
		isRecord(json) &&
		firstText(json, SPELLINGS.stepName) !== undefined &&
		stepDataIn(json) !== undefined
	);
}

function readStep(step: Json, index: number): Step {
	const unnamed = `step_${index + 1}`;
	if (!isRecord(step)) return readStepData(unnamed, step);
	const notData = [...SPELLINGS.stepName, FIELDS.step.data];
	const others = Object.entries(step).filter(([name]) => !notData.includes(name));
	return readStepData(
		firstText(step, SPELLINGS.stepName) ?? unnamed,
		stepDataIn(step) ?? (others.length === 0 ? null : Object.fromEntries(others)),
	);
}

function stepDataIn(step: JsonRecord): Json | undefined {
	return SPELLINGS.rows.map((name) => own(step, name)).find((data) => (data ?? null) !== null);
}

/**
 * Reads the data of a step (published: a record whose `data` is the list of rows, or an address in the URL mode of
 * webhooks), or the content at that address.
 */
export function readStepData(name: string, data: Json | undefined): Step {
	const stepName = name.slice(0, MAX_NAME_LENGTH);
	const found = contentOf(data);
	if (typeof found === 'string')
		return { stepName, rows: [], other: withoutQuery(data ?? null, found), address: found };
	const other = found === undefined ? (data ?? null) : undefined;
	return { stepName, rows: (found ?? []).map(readRowOrValue), other, address: undefined };
}

/**
 * The rows in the data of a step, or the address where they are; undefined for other data. `levels`: how many more
 * records may be around them.
 */
function contentOf(data: Json | undefined, levels = MAX_WRAPPINGS): Json[] | string | undefined {
	if (Array.isArray(data)) return data;
	if (!isRecord(data)) return isAddress(data) ? data : undefined;
	// A record of cells is a row, even if one of its fields has the name of the list of rows.
	const isRow = isScored(data) || Object.values(data).some(isScored);
	const isWrapping = Object.keys(data).every((name) => PUBLISHED_NAMES.includes(name));
	const within = (name: string) =>
		levels > 0 && (isWrapping || !isRow) ? contentOf(own(data, name), levels - 1) : undefined;
	const [, ...others] = SPELLINGS.rows;
	const inner = within(FIELDS.step.rows);
	const lists = [inner, ...(isRow ? [] : others.map(within))].filter((found) =>
		Array.isArray(found),
	);
	const rows = lists.find(({ length }) => length > 0);
	const given = isRow ? undefined : own(data, FIELDS.step.address);
	const address = [given, isWrapping ? inner : undefined].find(isAddress);
	if (rows !== undefined || address !== undefined) return rows ?? address;
	if (lists.length > 0 || isRow) return lists[0] ?? [data];
	const only = own(data, FIELDS.step.rows);
	return levels > 0 && isWrapping && isPlainRow(only) ? [only] : undefined;
}

/** Taking the rows of a record with only these fields loses nothing. */
const PUBLISHED_NAMES: readonly string[] = [FIELDS.step.rows, ...FIELDS.step.beside];

/** Whether a record in place of the rows is a single row of plain values. */
function isPlainRow(json: Json | undefined): json is JsonRecord {
	return isRecord(json) && !isEmpty(json) && !Object.values(json).some(isRecord);
}

function isAddress(data: Json | undefined): data is string {
	return (
		typeof data === 'string' &&
		URL.canParse(data) &&
		['https:', 'http:'].includes(new URL(data).protocol)
	);
}

/** The same data with the address as it may be shown: its query may be a signature. */
function withoutQuery(data: Json, address: string): Json {
	const { protocol, host, pathname } = new URL(address);
	if (data === address) return `${protocol}//${host}${pathname}`;
	if (Array.isArray(data)) return data.map((each) => withoutQuery(each, address));
	if (!isRecord(data)) return data;
	const entries = Object.entries(data).map(([name, each]) => [name, withoutQuery(each, address)]);
	return Object.fromEntries(entries) as JsonRecord;
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
	const given = isRecord(json) ? own(json, FIELDS.cell.value) : undefined;
	const isOnlyValue = given !== undefined && Object.keys(json ?? {}).length === 1;
	const cell = isRecord(json) && (isScored(json) || isOnlyValue) ? json : undefined;
	const value = cell === undefined ? json : (given ?? null);
	const confidenceScore = cell && scoreIn(cell);
	const inner = holdsScores(value, MAX_DEPTH - depth) ? readInner(value, depth + 1) : undefined;
	return { value: inner === undefined ? value : plainOf(inner), confidenceScore, inner };
}

/** Undefined where there is none. */
function scoreIn(cell: JsonRecord): Cell['confidenceScore'] {
	const given = own(cell, FIELDS.cell.confidenceScore) ?? '';
	if (typeof given !== 'string' || given.trim() !== '') return readScore(given) ?? 'unreadable';
	return SPELLINGS.score
		.map((name) => readScore(own(cell, name)))
		.find((score) => score !== undefined);
}

/** A number as text may have a decimal comma or a percent sign. */
const SCORE_TEXT = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?) ?(%?)$/i;

/** A finite number, or a text that is one; undefined for anything else. */
function readScore(given: Json | undefined): number | undefined {
	const score = typeof given === 'string' ? scoreOfText(given) : given;
	return typeof score === 'number' && Number.isFinite(score) ? score : undefined;
}

function scoreOfText(text: string): number | undefined {
	const [, digits, percent] = SCORE_TEXT.exec(text.trim()) ?? [];
	if (digits === undefined) return undefined;
	return Number(digits.replace(',', '.')) / (percent === '%' ? 100 : 1);
}

function readInner(value: Json, depth: number): Cell['inner'] {
	if (!Array.isArray(value)) return isRecord(value) ? readRow(value, depth) : undefined;
	return value.map((entry) => {
		if (!isRecord(entry) || isScored(entry)) return readCell(entry, depth);
		// A row of a nested table has no score of its own.
		const row = readRow(entry, depth);
		return { value: plainOf(row), confidenceScore: undefined, inner: row };
	});
}

function plainOf(inner: Row | Cell[]): Json {
	if (Array.isArray(inner)) return inner.map(({ value }) => value);
	return Object.fromEntries([...inner].map(([field, { value }]) => [field, value]));
}

/** Whether a record has a value and a score. Without a score it may be a record with a field of that name. */
function isScored(json: Json): boolean {
	if (!isRecord(json) || !Object.hasOwn(json, FIELDS.cell.value)) return false;
	const score = own(json, FIELDS.cell.confidenceScore);
	return score === undefined ? scoreIn(json) !== undefined : !isNested(score);
}

function isNested(json: Json): boolean {
	return typeof json === 'object' && json !== null;
}

function holdsScores(json: Json, levels: number): boolean {
	if (levels === 0 || typeof json !== 'object' || json === null) return false;
	const inner: Json[] = Object.values(json);
	return isScored(json) || inner.some((entry) => holdsScores(entry, levels - 1));
}
