import type { IDataObject } from 'n8n-workflow';

import type { Cell, Json, JsonRecord, Row } from '../../../service/contract';

/** A value whose confidence is below the minimum, with its path: `premium`, `losses[2].paid`, `["Policy No."]`. */
export interface LowConfidenceField extends JsonRecord {
	field: string;
	value: Json;
	confidence: number;
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
		inner === undefined || confidenceScore === undefined
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
		isBelow(confidenceScore, minimum) ? [{ field, value, confidence: confidenceScore }] : [],
	);
}

/** The lowest known score of some rows, nested cells included; null where there is none. */
export function lowestConfidence(rows: Row[]): number | null {
	let lowest: number | null = null;
	for (const row of rows) {
		for (const [, { confidenceScore }] of cellsOf(row, '')) {
			if (confidenceScore !== undefined && (lowest === null || confidenceScore < lowest))
				lowest = confidenceScore;
		}
	}
	return lowest;
}

/** The path of a field below `place`, as an n8n expression writes it. */
export function placeOf(place: string, name: string): string {
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
	if (inner === undefined) return confidenceScore ?? null;
	return Array.isArray(inner) ? inner.map(scoreOf) : mapRow(inner, scoreOf);
}

/** Object.fromEntries keeps a name such as __proto__ as an ordinary field. */
function mapRow<T extends Json>(row: Row, pick: (cell: Cell) => T): Record<string, T> {
	return Object.fromEntries([...row].map(([field, cell]) => [field, pick(cell)]));
}

/** Whether a score (0 to 1) is below the minimum. A score above 1 is on an unknown scale, and always counts as below. */
function isBelow(score: number | undefined, minimum: number | undefined): score is number {
	return score !== undefined && minimum !== undefined && (score < minimum || score > 1);
}
