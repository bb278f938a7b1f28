import type { IDataObject } from 'n8n-workflow';

import type { Cell, Json, JsonRecord, Row } from '../../../service/contract';
import type { Minimums } from './minimums';
import { NOTHING_JUDGED } from './minimums';

/** A value whose confidence is below the minimum, with its path: `premium`, `losses[2].paid`, `["Policy No."]`. */
export interface LowConfidenceField extends JsonRecord {
	field: string;
	value: Json;
	/** Null where the score cannot be read, or where a field with a minimum of its own has none. */
	confidence: number | null;
}

/** The score of a value that is made of cells, such as a nested table, with its path. */
export interface TableConfidence extends JsonRecord {
	field: string;
	confidence: number;
}

/** The plain values of a row; those below `blankBelow` are null. */
export function valuesOf(row: Row, blankBelow: Minimums | undefined): IDataObject {
	if (blankBelow === undefined) return mapRow(row, ({ value }) => value);
	return blankedRow(row, blankBelow, blankBelow.general);
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
	return [...cellsOf(row, place)].flatMap(({ field, cell: { inner, confidenceScore } }) =>
		inner === undefined || typeof confidenceScore !== 'number'
			? []
			: [{ field, confidence: confidenceScore }],
	);
}

/** The values of a row that are below their minimum; `place` is the path of the row. */
export function lowConfidenceFields(
	row: Row,
	minimums: Minimums,
	place = '',
): LowConfidenceField[] {
	return [...cellsOf(row, place, minimums)].flatMap(({ field, cell, minimum }) =>
		isBelow(cell, minimum)
			? [{ field, value: cell.value, confidence: numberOf(cell.confidenceScore) }]
			: [],
	);
}

/** Whether a row has a score, so that it can be judged. */
export function hasScore(row: Row): boolean {
	for (const { cell } of cellsOf(row, '')) {
		if (cell.confidenceScore !== undefined) return true;
	}
	return false;
}

/** The lowest known score of some rows, nested cells included; null where there is none. */
export function lowestConfidence(rows: Row[]): number | null {
	let lowest: number | null = null;
	for (const row of rows) {
		for (const { cell } of cellsOf(row, '')) {
			const { confidenceScore } = cell;
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

/** The minimum of a value; `isOwn`: it is for this field by name, so a value without a score does not meet it. */
interface Minimum {
	value: number | undefined;
	isOwn: boolean;
}

interface PlacedCell {
	field: string;
	cell: Cell;
	minimum: Minimum;
}

/** A field without a minimum of its own has that of what it is in. */
function minimumOf(name: string, { byField }: Minimums, around: number | undefined): Minimum {
	return byField.has(name)
		? { value: byField.get(name), isOwn: true }
		: { value: around, isOwn: false };
}

function* cellsOf(
	row: Row,
	place: string,
	minimums: Minimums = NOTHING_JUDGED,
	around = minimums.general,
): Generator<PlacedCell> {
	for (const [name, cell] of row) {
		const minimum = minimumOf(name, minimums, around);
		yield* cellAndInner({ field: placeOf(place, name), cell, minimum }, minimums);
	}
}

function* cellAndInner(placed: PlacedCell, minimums: Minimums): Generator<PlacedCell> {
	const { field, cell, minimum } = placed;
	const { inner } = cell;
	yield placed;
	if (inner instanceof Map) yield* cellsOf(inner, field, minimums, minimum.value);
	for (const [index, entry] of Array.isArray(inner) ? inner.entries() : []) {
		const inList = {
			field: `${field}[${index}]`,
			cell: entry,
			minimum: { ...minimum, isOwn: false },
		};
		yield* cellAndInner(inList, minimums);
	}
}

function blankedRow(
	row: Row,
	minimums: Minimums,
	around: number | undefined,
): Record<string, Json> {
	return Object.fromEntries(
		[...row].map(([name, cell]) => [
			name,
			blankedValue(cell, minimums, minimumOf(name, minimums, around)),
		]),
	);
}

function blankedValue(cell: Cell, minimums: Minimums, minimum: Minimum): Json {
	const { value, inner } = cell;
	if (isBelow(cell, minimum)) return null;
	if (inner === undefined) return value;
	if (inner instanceof Map) return blankedRow(inner, minimums, minimum.value);
	return inner.map((entry) => blankedValue(entry, minimums, { ...minimum, isOwn: false }));
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
function isBelow({ confidenceScore: score, inner }: Cell, { value, isOwn }: Minimum): boolean {
	if (value === undefined) return false;
	if (score === undefined) return isOwn && inner === undefined;
	return score === 'unreadable' || score < value || score > 1;
}
