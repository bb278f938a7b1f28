import type { IDataObject } from 'n8n-workflow';

import type { Execution, Row } from '../../../service/contract';
import { lowConfidenceFields, lowestConfidence, valuesOf } from './cells';
import type { Shaping } from './choice';
import { isOnlyReview } from './choice';
import type { Minimums } from './minimums';
import { isJudging, minimumsIn } from './minimums';
import type { Review } from './review';
import { isUnjudged, needsReviewAsWhole } from './review';
import type { NamedStep } from './selection';

/**
 * One row as an item of its own. A step without rows becomes one view without a row number, an execution without steps one view
 * without a step name.
 */
export interface RowView extends Review {
	stepName: string | null;
	/** Counted from 1; null where the step has no row. */
	row: number | null;
	fields: IDataObject;
	/** The data of a step without rows, such as an address. */
	data: IDataObject[string];
	/** As it was read; undefined where the step has no row. */
	cells: Row | undefined;
	/** Of the fields of this row. */
	minimums: Minimums;
}

/** The rows of some steps, in order. `leftOut` counts omitted rows that need no review. */
export function viewRows(
	execution: Execution,
	steps: NamedStep[],
	shaping: Shaping,
): { rows: RowView[]; leftOut: number } {
	const views = steps.flatMap((each) => {
		const { name, step } = each;
		const minimums = minimumsIn(each, shaping.minimums);
		return step.rows.length === 0
			? [withoutRow(name, step.other, minimums)]
			: step.rows.map((row, index) => viewRow({ name, number: index + 1, row, minimums }, shaping));
	});
	const asWhole = needsReviewAsWhole(execution, steps);
	const all = (views.length === 0 ? [withoutRow(null, undefined, shaping.minimums)] : views).map(
		(view) => (asWhole ? { ...view, needsReview: true, hasOtherReason: true } : view),
	);
	const rows = isOnlyReview(execution, shaping) ? all.filter((row) => row.needsReview) : all;
	return { rows, leftOut: all.length - rows.length };
}

interface NumberedRow {
	name: string;
	number: number;
	row: Row;
	minimums: Minimums;
}

function viewRow({ name, number, row, minimums }: NumberedRow, { below }: Shaping): RowView {
	const low = lowConfidenceFields(row, minimums);
	const hasOtherReason = isUnjudged(row, minimums);
	return {
		stepName: name,
		row: number,
		fields: valuesOf(row, below === 'blank' ? minimums : undefined),
		data: undefined,
		lowestConfidence: lowestConfidence([row]),
		lowConfidenceFields: low,
		needsReview: low.length > 0 || hasOtherReason,
		hasOtherReason,
		cells: row,
		minimums,
	};
}

/** Data that is no list of rows cannot be judged. */
function withoutRow(
	stepName: string | null,
	data: IDataObject[string],
	minimums: Minimums,
): RowView {
	const needsReview = data !== undefined && isJudging(minimums);
	return {
		stepName,
		row: null,
		fields: {},
		data,
		lowestConfidence: null,
		lowConfidenceFields: [],
		needsReview,
		hasOtherReason: needsReview,
		cells: undefined,
		minimums,
	};
}
