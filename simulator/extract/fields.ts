/** The fields of a step in the text of one document. */
import type { Field } from '../configuration';
import { findLabels, type Finding } from './labels';
import type { Line } from './lines';
import { parseValue, type CellValue } from './values';

/** A cell as the service publishes it; the score runs from 0.0 (not found) to 1.0. */
export interface ResultCell {
	value: CellValue;
	confidence_score: number;
	page?: number;
	quote?: string;
}

export type Row = Record<string, ResultCell>;

/** What stands in a line of a document, for cells that are as written. */
export function writtenIn({ page, text }: Line, written: string): Partial<ResultCell> {
	return { value: written, ...(page === undefined ? {} : { page }), quote: text };
}

export const NOT_FOUND: ResultCell = { value: null, confidence_score: 0 };

const BY_PLACE = {
	sameCell: { colon: 0.98, plain: 0.95 },
	nextCell: { colon: 0.96, plain: 0.94 },
	nextLine: { colon: 0.9, plain: 0.86 },
};
const OTHER_LABEL = 0.03;
const INEXACT_LABEL = 0.94;
const WORDS_BEFORE_LABEL = 0.8;
const SEVERAL_VALUES = 0.75;

/** One row: each field with its value, or null where no label of it was found. The same lines give the same row. */
export function findFields(lines: Line[], fields: Field[], asWritten = false): Row {
	const findings = findLabels(lines, fields);
	return Object.fromEntries(
		fields.map((field) => [
			field.name,
			cellOf(
				findings.filter((finding) => finding.field === field),
				field,
				asWritten,
			),
		]),
	);
}

function cellOf(findings: Finding[], field: Field, asWritten: boolean): ResultCell {
	const candidates = findings
		.map((finding) => {
			const parsed = parseValue(finding.written, field.type);
			return { ...parsed, ...finding, score: scoreOf(finding) * parsed.exactness };
		})
		.sort((a, b) => b.score - a.score);
	const best = candidates[0];
	if (!best) return NOT_FOUND;
	const rivals = candidates.filter(
		(candidate) =>
			candidate.exactness > 0.5 && comparable(candidate.value) !== comparable(best.value),
	);
	return {
		value: best.value,
		confidence_score: rounded(best.score * (rivals.length > 0 ? SEVERAL_VALUES : 1)),
		...(asWritten ? writtenIn(best.line, best.written) : {}),
	};
}

function scoreOf({ place, colon, labelIndex, exact, inside }: Finding): number {
	const base = BY_PLACE[place][colon ? 'colon' : 'plain'] - (labelIndex > 0 ? OTHER_LABEL : 0);
	return base * (exact ? 1 : INEXACT_LABEL) * (inside ? WORDS_BEFORE_LABEL : 1);
}

function comparable(value: CellValue): CellValue {
	return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Scores have three decimals. */
export function rounded(score: number): number {
	return Math.round(score * 1000) / 1000;
}
