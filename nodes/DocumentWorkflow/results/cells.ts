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
	return blankedRow(row, blankBelow, { value: blankBelow.general, isOwn: false });
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
	const scores: TableConfidence[] = [];
	visitRow(row, place, NOTHING_JUDGED, ({ inner, confidenceScore }, _minimum, field) => {
		if (inner !== undefined && typeof confidenceScore === 'number')
			scores.push({ field: field(), confidence: confidenceScore });
	});
	return scores;
}

/** The values of a row that are below their minimum; `place` is the path of the row. */
export function lowConfidenceFields(
	row: Row,
	minimums: Minimums,
	place = '',
): LowConfidenceField[] {
	const low: LowConfidenceField[] = [];
	visitRow(row, place, minimums, (cell, minimum, field) => {
		if (isBelow(cell, minimum))
			low.push({ field: field(), value: cell.value, confidence: numberOf(cell.confidenceScore) });
	});
	return low;
}

/** Whether a row has a score, so that it can be judged. */
export function hasScore(row: Row): boolean {
	for (const cell of row.values()) if (isScored(cell)) return true;
	return false;
}

function isScored({ confidenceScore, inner }: Cell): boolean {
	if (confidenceScore !== undefined) return true;
	if (inner === undefined) return false;
	return Array.isArray(inner) ? inner.some(isScored) : hasScore(inner);
}

/** The lowest known score of some rows, nested cells included; null where there is none. */
export function lowestConfidence(rows: Row[]): number | null {
	let lowest: number | null = null;
	for (const row of rows) lowest = lowestIn(row.values(), lowest);
	return lowest;
}

function lowestIn(cells: Iterable<Cell>, before: number | null): number | null {
	let lowest = before;
	for (const { confidenceScore: score, inner } of cells) {
		if (typeof score === 'number' && (lowest === null || score < lowest)) lowest = score;
		if (inner !== undefined)
			lowest = lowestIn(Array.isArray(inner) ? inner : inner.values(), lowest);
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

/** A field without a minimum of its own has that of what it is in. */
function minimumOf(name: string, { byField }: Minimums, around: Minimum): Minimum {
	return byField.has(name) ? { value: byField.get(name), isOwn: true } : around;
}

/** `field` makes the path of the cell: an answer has many cells, and few paths are shown. */
type Visitor = (cell: Cell, minimum: Minimum, field: () => string) => void;

/** Visits the cells of a row, and the cells within them. */
function visitRow(
	row: Row,
	place: string,
	minimums: Minimums,
	visit: Visitor,
	around: Minimum = { value: minimums.general, isOwn: false },
): void {
	for (const [name, cell] of row)
		visitCell(cell, () => placeOf(place, name), minimums, visit, minimumOf(name, minimums, around));
}

function visitCell(
	cell: Cell,
	field: () => string,
	minimums: Minimums,
	visit: Visitor,
	minimum: Minimum,
): void {
	visit(cell, minimum, field);
	const { inner } = cell;
	if (inner === undefined) return;
	const place = field();
	const around = { ...minimum, isOwn: false };
	if (inner instanceof Map) visitRow(inner, place, minimums, visit, around);
	else
		for (const [index, entry] of inner.entries())
			visitCell(entry, () => `${place}[${index}]`, minimums, visit, around);
}

function blankedRow(row: Row, minimums: Minimums, around: Minimum): Record<string, Json> {
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
	const around = { ...minimum, isOwn: false };
	if (inner instanceof Map) return blankedRow(inner, minimums, around);
	return inner.map((entry) => blankedValue(entry, minimums, around));
}

function scoreOf({ inner, confidenceScore }: Cell): Json {
	if (inner === undefined) return numberOf(confidenceScore);
	return Array.isArray(inner) ? inner.map(scoreOf) : mapRow(inner, scoreOf);
}

/** Object.fromEntries keeps a name such as __proto__ as an ordinary field. */
function mapRow<T extends Json>(row: Row, pick: (cell: Cell) => T): Record<string, T> {
	const values: Array<[string, T]> = [];
	for (const [field, cell] of row) values.push([field, pick(cell)]);
	return Object.fromEntries(values);
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
