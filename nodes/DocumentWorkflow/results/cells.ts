import type { Cell, Json, JsonRecord, Row } from '../../../service/contract';
import { lacksValue, type Minimums, type OpenValue, readPlain } from './asked';
import { partOf, recordOf } from './path';
import type { TextReader } from './texts';

/** A value whose confidence is below the minimum. */
export interface LowConfidenceField extends JsonRecord {
	/** Its path as text: `premium`, `losses[2].paid`, `["Policy No."]`. */
	field: string;
	path: Array<string | number>;
	value: Json;
	/** Null where the score cannot be read, or where a field with a minimum of its own has none. */
	confidence: number | null;
}

/** What was found in a field. `within`: the path from the field on, empty for the field itself. */
export type Finding =
	| OpenValue
	| { kind: 'low'; within: string; value: Json; confidence: number | null }
	| { kind: 'evidence'; within: string; evidence: JsonRecord };

/** A field of a row as outputs show it. */
export interface JudgedField {
	name: string;
	value: Json;
	/** In the shape of the value; null where the service gave none. */
	confidence: Json;
	/** The lowest readable score. */
	lowest: number | null;
	/** Whether there is any score, so that the field can be judged. */
	isScored: boolean;
	found: readonly Finding[];
}

export type JudgedFields = readonly JudgedField[];

/** Fields, and what is known of them together. */
export interface Judged {
	fields: JudgedFields;
	lowest: number | null;
	isScored: boolean;
	/** Whether a value of them needs review. */
	isToReview: boolean;
}

export interface Judging {
	minimums: Minimums;
	/** Collects the names of fields that have a minimum of their own. */
	found: Set<string>;
	/** Names of fields that must have a value. */
	required: ReadonlySet<string>;
}

/** `isList`: whether the cells are those of a list, which has no names. */
export function judgeRow(
	row: Row,
	judging: Judging,
	reader: TextReader,
	inherited: Minimum = { value: judging.minimums.general, isExplicit: false },
	isList = false,
): Judged {
	const fields: JudgedField[] = [];
	const judged: Judged = { fields, lowest: null, isScored: false, isToReview: false };
	for (const cell of row) {
		const { name } = cell;
		const field = isList
			? judgeCell(cell, inherited, judging, reader)
			: judgeCell(cell, minimumOf(name, judging, inherited), judging, reader.within(name));
		fields.push(field);
		judged.isScored ||= field.isScored;
		judged.isToReview ||= isToReview(field.found);
		judged.lowest = lowestOf(judged.lowest, field.lowest);
	}
	return judged;
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

function judgeCell(
	cell: Cell,
	minimum: Minimum,
	judging: Judging,
	reader: TextReader,
): JudgedField {
	const { name, inner, confidenceScore, evidence } = cell;
	const found: Finding[] = [];
	const value = inner === undefined ? readPlain(cell.value, judging, reader, found) : cell.value;
	if (lacksValue(cell.value, value, name, judging.required))
		found.push({ kind: 'open', within: '', isMissing: true, value: null, needed: reader.type });
	const score = typeof confidenceScore === 'number' ? confidenceScore : null;
	if (isBelow(cell, minimum)) found.push({ kind: 'low', within: '', value, confidence: score });
	if (evidence !== undefined) found.push({ kind: 'evidence', within: '', evidence });
	const isScored = confidenceScore !== undefined;
	if (inner === undefined)
		return { name, value, confidence: score, lowest: score, isScored, found };
	const isList = Array.isArray(cell.value);
	const parts = judgeRow(inner, judging, reader, { ...minimum, isExplicit: false }, isList);
	for (const part of parts.fields)
		for (const each of part.found) {
			const place = isList ? `[${part.name}]` : partOf(part.name);
			found.push({ ...each, within: place + each.within });
		}
	const plain = (pick: (part: JudgedField) => Json) =>
		isList ? parts.fields.map(pick) : recordOf(parts.fields, pick);
	return {
		name,
		value: plain((part) => part.value),
		confidence: plain((part) => part.confidence),
		lowest: lowestOf(score, parts.lowest),
		isScored: isScored || parts.isScored,
		found,
	};
}

/** Whether a score (0 to 1) is below the minimum. One that is on an unknown scale, or cannot be read, always counts as below. */
function isBelow({ confidenceScore: score, inner }: Cell, { value, isExplicit }: Minimum): boolean {
	if (value === undefined) return false;
	if (score === undefined) return isExplicit && inner === undefined;
	return score === 'unreadable' || score < value || score > 1;
}

export function isToReview(found: readonly Finding[]): boolean {
	return found.some(({ kind }) => kind === 'low' || kind === 'open');
}

/** The lower of two scores, which may be missing. */
export function lowestOf(score: number | null, other: number | null): number | null {
	if (score === null || other === null) return score ?? other;
	return other < score ? other : score;
}
