import type { IDataObject } from 'n8n-workflow';

import type { Execution, Row } from '../../../service/contract';
import { lowConfidenceFields, lowestConfidence, scoresOf, tableScores, valuesOf } from './cells';
import type { LowConfidenceField, TableConfidence } from './cells';
import type { Shaping } from './choice';
import { isOnlyReview } from './choice';
import { isUnjudged, needsReviewAsWhole } from './review';
import type { NamedStep } from './selection';

/**
 * One row as an item of its own. A step without rows becomes one view without a row number, an execution without steps one view
 * without a step name.
 */
export interface RowView {
	stepName: string | null;
	/** Counted from 1; null where the step has no row. */
	row: number | null;
	fields: IDataObject;
	confidence: IDataObject;
	/** With paths below `fields`. */
	tableConfidence: TableConfidence[];
	/** The data of a step without rows, such as an address. */
	data: IDataObject[string];
	lowestConfidence: number | null;
	/** With paths below `fields`. */
	lowConfidenceFields: LowConfidenceField[];
	needsReview: boolean;
	/** As it was read; undefined where the step has no row. */
	cells: Row | undefined;
}

/** The rows of some steps, in order. `leftOut` counts omitted rows that need no review. */
export function viewRows(
	execution: Execution,
	steps: NamedStep[],
	shaping: Shaping,
): { rows: RowView[]; leftOut: number } {
	const views = steps.flatMap(({ name, step }) =>
		step.rows.length === 0
			? [withoutRow(name, step.other, shaping)]
			: step.rows.map((row, index) => viewRow(name, index + 1, row, shaping)),
	);
	const asWhole = needsReviewAsWhole(execution, steps);
	const all = (views.length === 0 ? [withoutRow(null, undefined, shaping)] : views).map((view) =>
		asWhole ? { ...view, needsReview: true } : view,
	);
	const rows = isOnlyReview(execution, shaping) ? all.filter((row) => row.needsReview) : all;
	return { rows, leftOut: all.length - rows.length };
}

function viewRow(stepName: string, number: number, row: Row, shaping: Shaping): RowView {
	const { minimumConfidence, below } = shaping;
	const low = lowConfidenceFields(row, minimumConfidence);
	return {
		stepName,
		row: number,
		fields: valuesOf(row, below === 'blank' ? minimumConfidence : undefined),
		confidence: scoresOf(row),
		tableConfidence: tableScores(row),
		data: undefined,
		lowestConfidence: lowestConfidence([row]),
		lowConfidenceFields: low,
		needsReview: low.length > 0 || isUnjudged(row, shaping),
		cells: row,
	};
}

/** Data that is no list of rows cannot be judged. */
function withoutRow(
	stepName: string | null,
	data: IDataObject[string],
	{ minimumConfidence }: Shaping,
): RowView {
	return {
		stepName,
		row: null,
		fields: {},
		confidence: {},
		tableConfidence: [],
		data,
		lowestConfidence: null,
		lowConfidenceFields: [],
		needsReview: data !== undefined && minimumConfidence !== undefined,
		cells: undefined,
	};
}
