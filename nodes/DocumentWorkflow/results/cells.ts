import type { IDataObject } from 'n8n-workflow';

import type { Cell, Json, JsonRecord, Row } from '../../../service/contract';
import type { Minimums } from './minimums';

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

/** A field of a row as outputs show it, and what was found in it. `within`: the path from the field on, empty for the field itself. */
export interface JudgedField {
	/** Null where it is below its minimum and such values are set to null. */
	value: Json;
	/** In the shape of the value; null where the service gave none. */
	confidence: Json;
	/** The lowest readable score. */
	lowest: number | null;
	/** Whether there is any score, so that the field can be judged. */
	isScored: boolean;
	low: Array<{ within: string; value: Json; confidence: number | null }>;
	tables: Array<{ within: string; confidence: number }>;
}

export type JudgedFields = ReadonlyMap<string, JudgedField>;

export interface Judging {
	minimums: Minimums;
	/** Whether values below their minimum are set to null. */
	setsToNull: boolean;
	/** Collects the names of fields that have a minimum of their own. */
	found: Set<string>;
}

export function judgeRow(
	row: Row,
	judging: Judging,
	inherited: Minimum = { value: judging.minimums.general, isExplicit: false },
): JudgedFields {
	const fields = new Map<string, JudgedField>();
	for (const [name, cell] of row)
		fields.set(name, judgeCell(cell, minimumOf(name, judging, inherited), judging));
	return fields;
}

/** The minimum of a value. `isExplicit`: it is for this field by name, so a value without a score does not meet it. */
interface Minimum {
	value: number | undefined;
	isExplicit: boolean;
}

function minimumOf(name: string, { minimums, found }: Judging, inherited: Minimum): Minimum {
	if (!minimums.byField.has(name)) return inherited;
	found.add(name);
	return { value: minimums.byField.get(name), isExplicit: true };
}

/** Most values have nothing to list. */
const NONE: never[] = [];

function judgeCell(cell: Cell, minimum: Minimum, judging: Judging): JudgedField {
	const { value, inner, confidenceScore } = cell;
	const score = typeof confidenceScore === 'number' ? confidenceScore : null;
	const isLow = isBelow(cell, minimum);
	const isNull = isLow && judging.setsToNull;
	const judged: JudgedField = {
		value: isNull ? null : value,
		confidence: score,
		lowest: score,
		isScored: confidenceScore !== undefined,
		low: isLow ? [{ within: '', value, confidence: score }] : NONE,
		tables: NONE,
	};
	if (inner === undefined) return judged;
	const inherited = { ...minimum, isExplicit: false };
	const isList = Array.isArray(inner);
	const parts: JudgedFields = isList
		? new Map(inner.map((each, index) => [`${index}`, judgeCell(each, inherited, judging)]))
		: judgeRow(inner, judging, inherited);
	const all = [...parts.values()];
	const plain = (pick: (part: JudgedField) => Json) =>
		isList ? all.map(pick) : recordOf(parts, pick);
	const placed = <T extends { within: string }>(pick: (part: JudgedField) => T[]) =>
		[...parts].flatMap(([name, part]) =>
			pick(part).map((each) => ({
				...each,
				within: (isList ? `[${name}]` : partOf(name)) + each.within,
			})),
		);
	const ownTable = score === null ? [] : [{ within: '', confidence: score }];
	return {
		value: isNull ? null : plain((part) => part.value),
		confidence: plain((part) => part.confidence),
		lowest: lowestOf([score, ...all.map(({ lowest }) => lowest)]),
		isScored: judged.isScored || all.some(({ isScored }) => isScored),
		low: [...judged.low, ...placed(({ low }) => low)],
		tables: [...ownTable, ...placed(({ tables }) => tables)],
	};
}

/** Whether a score (0 to 1) is below the minimum. One that is on an unknown scale, or cannot be read, always counts as below. */
function isBelow({ confidenceScore: score, inner }: Cell, { value, isExplicit }: Minimum): boolean {
	if (value === undefined) return false;
	if (score === undefined) return isExplicit && inner === undefined;
	return score === 'unreadable' || score < value || score > 1;
}

export function recordOf<T>(
	entries: Iterable<readonly [string, T]>,
	pick: (each: T) => Json,
): JsonRecord {
	const record: JsonRecord = {};
	for (const [name, each] of entries) {
		// Only a defined __proto__ is an ordinary field.
		if (name !== '__proto__') record[name] = pick(each);
		else Object.defineProperty(record, name, { ...ORDINARY, value: pick(each) });
	}
	return record;
}

const ORDINARY = { configurable: true, enumerable: true, writable: true };

export function valuesIn(fields: JudgedFields): IDataObject {
	return recordOf(fields, ({ value }) => value);
}

export function confidenceIn(fields: JudgedFields): IDataObject {
	return recordOf(fields, ({ confidence }) => confidence);
}

/** `place`: the path of the row. */
export function lowConfidenceIn(fields: JudgedFields, place = ''): LowConfidenceField[] {
	const listed: LowConfidenceField[] = [];
	for (const [name, { low }] of fields)
		// Most fields have none, and then even an empty loop would take time.
		if (low.length > 0)
			for (const { within, value, confidence } of low)
				listed.push({ field: placeOf(place, name) + within, value, confidence });
	return listed;
}

/** The scores of the values that are made of cells. `place`: the path of the row. */
export function tableConfidenceIn(fields: JudgedFields, place = ''): TableConfidence[] {
	const listed: TableConfidence[] = [];
	for (const [name, { tables }] of fields)
		for (const { within, confidence } of tables)
			listed.push({ field: placeOf(place, name) + within, confidence });
	return listed;
}

/** The lowest of some scores, of which some may be missing. */
export function lowestOf(scores: Iterable<number | null>): number | null {
	let lowest: number | null = null;
	for (const score of scores) if (score !== null) lowest = Math.min(score, lowest ?? score);
	return lowest;
}

/** In characters. Every path below a name repeats it (assumed). */
const MAX_NAME_LENGTH = 200;

/** The path of a field below `place`, as an n8n expression writes it. Very long names are cut. */
export function placeOf(place: string, name: string): string {
	const part = partOf(name);
	return place === '' && part.startsWith('.') ? part.slice(1) : place + part;
}

function partOf(name: string): string {
	const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
	return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(short)
		? `.${short}`
		: `[${JSON.stringify(short)}]`;
}
