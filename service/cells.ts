import { type Cell, FIELDS, type Json, type JsonRecord, type Row, SPELLINGS } from './contract';
import { isEmpty, valuesUnder } from './json';

/** Levels of nested cells. Anything deeper is a plain value. */
const MAX_DEPTH = 32;

/** A row of the list of rows. What is no row gets a name. */
export function readRow(json: Json): Row {
	return holdsFields(json) ? readRecord(json, 0) : [readCell('value', json)];
}

function readRecord(record: JsonRecord, depth: number): Row {
	const row: Row = [];
	for (const name in record) row.push(readCell(name, record[name] ?? null, depth));
	return row;
}

/** The value of a field, or content with scores in it. */
export function readCell(name: string, json: Json, depth = 0): Cell {
	const cell = isCell(json) ? json : undefined;
	const value = cell === undefined ? json : (cell[FIELDS.cell.value] ?? null);
	const confidenceScore = cell && scoreIn(cell);
	const inner = holdsCells(value, MAX_DEPTH - depth) ? readInner(value, depth + 1) : undefined;
	const evidence = cell && evidenceIn(cell, confidenceScore);
	const plain = inner === undefined ? value : plainOf(inner, Array.isArray(value));
	return { name, value: plain, confidenceScore, inner, evidence };
}

function evidenceIn(cell: JsonRecord, score: Cell['confidenceScore']): Cell['evidence'] {
	let names: string[] | undefined;
	for (const name in cell)
		if (name !== FIELDS.cell.value && (score === undefined || !namesScore(name)))
			(names ??= []).push(name);
	return names && Object.fromEntries<Json>(names.map((name) => [name, cell[name] ?? null]));
}

/** The usual name comes first: a search takes ten times as long. */
function namesScore(name: string): boolean {
	return name === FIELDS.cell.confidenceScore || SPELLINGS.score.includes(name);
}

function scoreIn(cell: JsonRecord): Cell['confidenceScore'] {
	const given = cell[FIELDS.cell.confidenceScore] ?? '';
	if (typeof given !== 'string' || given.trim() !== '') return readScore(given) ?? 'unreadable';
	return valuesUnder(cell, SPELLINGS.score).map(readScore).find(Number.isFinite);
}

/** A number as text may have a decimal comma or a percent sign. */
const SCORE_TEXT = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?) ?(%?)$/i;

/** A finite number, or a text that is one. */
export function readScore(given: Json): number | undefined {
	const score = typeof given === 'string' ? scoreOfText(given) : given;
	return typeof score === 'number' && Number.isFinite(score) ? score : undefined;
}

function scoreOfText(text: string): number {
	const [, digits = 'NaN', percent] = SCORE_TEXT.exec(text.trim()) ?? [];
	return fractionOf(digits, percent);
}

/** 0.979 for "97.9" and "%": the division alone gives a little more. */
export function fractionOf(digits: string, percent: string | undefined): number {
	const number = Number(digits.replace(',', '.'));
	return percent === '%' ? Number((number / 100).toPrecision(15)) : number;
}

function readInner(value: Json[] | JsonRecord, depth: number): Cell['inner'] {
	if (!Array.isArray(value)) return readRecord(value, depth);
	return value.map((entry, index) => {
		const name = `${index}`;
		if (!holdsFields(entry)) return readCell(name, entry, depth);
		// A row of a nested table has no score of its own.
		const inner = readRecord(entry, depth);
		const value = plainOf(inner, false);
		return { name, value, confidenceScore: undefined, inner, evidence: undefined };
	});
}

function plainOf(inner: Cell[], isList: boolean): Json {
	if (isList) return inner.map(({ value }) => value);
	return Object.fromEntries(inner.map(({ name, value }) => [name, value]));
}

/** Whether a record has a value and a score. Without a score it may be a record with a field of that name. */
function isScored(json: Json): boolean {
	return hasValue(json) && hasScore(json);
}

function hasScore(cell: JsonRecord): boolean {
	const score = cell[FIELDS.cell.confidenceScore];
	return score === undefined ? scoreIn(cell) !== undefined : !isCell(score);
}

/** Whether a record is a row of cells, even if it has fields of other names. */
export function isRowOfCells(record: JsonRecord): boolean {
	return isScored(record) || Object.values(record).some(isCell);
}

/** Whether a field is a score that belongs to no value: no cell, and no part of one. */
export function isLooseScore(name: string, json: Json): boolean {
	if (!/confidence/i.test(name) || isMissing(json) || isCell(json)) return false;
	return /^confidences?$/i.test(name) ? holdsNumber(json) : /confidence[ _-]?scores?$/i.test(name);
}

/** The loose scores in a record around data, and the scores of cells in it that are no data. */
export function scoresBeside(record: JsonRecord): Array<[name: string, score: Json]> {
	const others = Object.entries(record).filter(([name]) => !SPELLINGS.rows.includes(name));
	const scores = others.filter(([name, json]) => isLooseScore(name, json) || isScored(json));
	return scores.map(([name, json]) => [name, isCell(json) ? (scoreIn(json) ?? null) : json]);
}

/** The scores of values in a record around data, at any depth, but for those of the data that was taken. */
export function scoresOutside(record: JsonRecord, taken: Json | undefined): Array<[string, Json]> {
	const others = Object.entries(record).filter(([, json]) => !holds(json, taken));
	return others.flatMap(([name, json]) =>
		scoresWithin({ [name]: json }).map((score): [string, Json] => [name, score]),
	);
}

function holds(json: Json, part: Json | undefined): boolean {
	return json === part || (isNested(json) && Object.values(json).some((each) => holds(each, part)));
}

/** The scores of values, but for those in declarations and metadata. */
export function scoresWithin(json: Json): Json[] {
	if (!isNested(json)) return [];
	const fields = Object.entries(json).filter(([name]) => !FIELDS.step.beside.includes(name));
	if (!isCell(json)) return fields.flatMap(([, each]) => scoresWithin(each));
	const scores = scoresWithin(json[FIELDS.cell.value] ?? null);
	return isScored(json) ? [scoreIn(json) ?? null, ...scores] : scores;
}

/** A word such as `high` is no score. */
function holdsNumber(json: Json): boolean {
	return isNested(json) ? Object.values(json).some(holdsNumber) : readScore(json) !== undefined;
}

export function holdsScore(json: Json): boolean {
	if (!isNested(json)) return false;
	const isWithin = ([name, each]: [string, Json]) => holdsScore(each) || isLooseScore(name, each);
	return isScored(json) || Object.entries(json).some(isWithin);
}

const ABSENT = new Set(['', 'n/a', 'not found']);

/** Whether a value is missing. In a field for numbers or dates, a dash also means that (`convert.ts`). */
export function isMissing(value: Json): boolean {
	if (typeof value === 'object') return Object.keys(value ?? {}).length === 0;
	return typeof value === 'string' && ABSENT.has(value.trim().toLowerCase());
}

/** Whether data has a field of a name with a value, at any depth. */
export function holdsField(json: Json = null, name: string): boolean {
	const isField = ([key, each]: [string, Json]) =>
		!FIELDS.step.beside.includes(key) &&
		((key === name && !isMissing(each)) || holdsField(each, name));
	return isNested(json) && Object.entries(json).some(isField);
}

/** Whether data has no value, apart from what may be `beside` it. */
export function holdsNothing(json: Json = null, beside: readonly string[] = []): boolean {
	const isNothing = ([name, each]: [string, Json]) => beside.includes(name) || holdsNothing(each);
	return isNested(json) ? Object.entries(json).every(isNothing) : isEmpty(json);
}

/** Whether a record is a value with its score, or a value alone or beside nothing but evidence. */
export function isCell(json: Json): json is JsonRecord {
	if (!hasValue(json)) return false;
	if (hasScore(json)) return true;
	// A row may have a column of that name, whose cell has a score.
	const { [FIELDS.cell.value]: value = null } = json;
	return Object.keys(json).every((name) => NAMES_OF_CELL.has(name)) && !isScored(value);
}

function hasValue(json: Json): json is JsonRecord {
	return isNested(json) && (json as JsonRecord)[FIELDS.cell.value] !== undefined;
}

/** Whether it is a row, here or in a nested table. */
function holdsFields(json: Json): json is JsonRecord {
	return isNested(json) && !Array.isArray(json) && !isCell(json);
}

function isNested(json: Json): json is Json[] | JsonRecord {
	return typeof json === 'object' && json !== null;
}

const NAMES_OF_CELL = new Set([FIELDS.cell.value, ...SPELLINGS.evidence]);

function holdsCells(json: Json, levels: number): json is Json[] | JsonRecord {
	if (levels === 0 || !isNested(json)) return false;
	const inner: Json[] = Object.values(json);
	return isCell(json) || inner.some((entry) => holdsCells(entry, levels - 1));
}
