import type { IDataObject } from 'n8n-workflow';

import type { Cell, Json, JsonRecord, Row } from '../../../service/contract';

/** A value whose confidence is below the minimum, with its path: `premium`, `losses[2].paid`, `["Policy No."]`. */
export interface LowConfidenceField extends JsonRecord {
	field: string;
	value: Json;
	/** Null where the score cannot be read. */
	confidence: number | null;
}

/** The score of a value that is made of cells, such as a nested table, with its path. */
export interface TableConfidence extends JsonRecord {
	field: string;
	confidence: number;
}

/** The plain values of a row; those below `blankBelow` are null. */
export function valuesOf(row: Row, blankBelow: number | undefined): IDataObject {
	return mapRow(row, (cell) => valueOf(cell, blankBelow));
}

/**
 * The confidence scores of a row in the shape of its values; null where the service gave none. A value made of cells is replaced by
 * the scores of these cells; `tableScores` returns its own score.
 */
export function scoresOf(row: Row): IDataObject {
	return mapRow(row, scoreOf);
}

/** The scores of the values of a row that are made of cells; `place` is the path of the row. */
export function tableScores(row: Row, place = ''): TableConfidence[] {
	return [...cellsOf(row, place)].flatMap(([field, { inner, confidenceScore }]) =>
		inner === undefined || typeof confidenceScore !== 'number'
			? []
			: [{ field, confidence: confidenceScore }],
	);
}

/** The values of a row that are below the minimum; `place` is the path of the row. */
export function lowConfidenceFields(
	row: Row,
	minimum: number | undefined,
	place = '',
): LowConfidenceField[] {
	return [...cellsOf(row, place)].flatMap(([field, { value, confidenceScore }]) =>
		isBelow(confidenceScore, minimum)
			? [{ field, value, confidence: numberOf(confidenceScore) }]
			: [],
	);
}

/** Whether a row has a score, so that it can be judged. */
export function hasScore(row: Row): boolean {
	for (const [, { confidenceScore }] of cellsOf(row, '')) {
		if (confidenceScore !== undefined) return true;
	}
	return false;
}

/** The lowest known score of some rows, nested cells included; null where there is none. */
export function lowestConfidence(rows: Row[]): number | null {
	let lowest: number | null = null;
	for (const row of rows) {
		for (const [, { confidenceScore }] of cellsOf(row, '')) {
			if (typeof confidenceScore === 'number' && (lowest === null || confidenceScore < lowest))
				lowest = confidenceScore;
		}
	}
	return lowest;
}

/** In characters. Every path below a name repeats it (assumed). */
const MAX_NAME_LENGTH = 200;

/** The path of a field below `place`, as an n8n expression writes it. Very long names are cut. */
export function placeOf(place: string, name: string): string {
	if (name.length > MAX_NAME_LENGTH)
		return placeOf(place, `${name.slice(0, MAX_NAME_LENGTH - 1)}…`);
	if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name))
		return `${place}[${JSON.stringify(name)}]`;
	return place === '' ? name : `${place}.${name}`;
}

function* cellsOf(row: Row, place: string): Generator<[string, Cell]> {
	for (const [name, cell] of row) yield* cellAndInner(cell, placeOf(place, name));
}

function* cellAndInner(cell: Cell, place: string): Generator<[string, Cell]> {
	yield [place, cell];
	if (cell.inner instanceof Map) yield* cellsOf(cell.inner, place);
	for (const [index, entry] of Array.isArray(cell.inner) ? cell.inner.entries() : [])
		yield* cellAndInner(entry, `${place}[${index}]`);
}

function valueOf(cell: Cell, blankBelow: number | undefined): Json {
	const { value, inner, confidenceScore } = cell;
	if (isBelow(confidenceScore, blankBelow)) return null;
	if (blankBelow === undefined || inner === undefined) return value;
	if (Array.isArray(inner)) return inner.map((entry) => valueOf(entry, blankBelow));
	return mapRow(inner, (entry) => valueOf(entry, blankBelow));
}

function scoreOf({ inner, confidenceScore }: Cell): Json {
	if (inner === undefined) return numberOf(confidenceScore);
	return Array.isArray(inner) ? inner.map(scoreOf) : mapRow(inner, scoreOf);
}

/** Object.fromEntries keeps a name such as __proto__ as an ordinary field. */
function mapRow<T extends Json>(row: Row, pick: (cell: Cell) => T): Record<string, T> {
	return Object.fromEntries([...row].map(([field, cell]) => [field, pick(cell)]));
}

function numberOf(score: Cell['confidenceScore']): number | null {
	return typeof score === 'number' ? score : null;
}

/** Whether a score (0 to 1) is below the minimum. One that is on an unknown scale, or cannot be read, always counts as below. */
function isBelow(score: Cell['confidenceScore'], minimum: number | undefined): boolean {
	if (score === undefined || minimum === undefined) return false;
	return score === 'unreadable' || score < minimum || score > 1;
}
