import type { IDataObject } from 'n8n-workflow';

import type { Execution, Row } from '../../../service/contract';
import { lowConfidenceFields, lowestConfidence, scoresOf, tableScores, valuesOf } from './cells';
import type { LowConfidenceField, TableConfidence } from './cells';
import { isOnlyReview } from './shaping';
import type { Shaping } from './shaping';
import type { NamedStep } from './steps';

/**
 * One row as it is shown by itself. A step without rows is shown once, without a row number; so is an execution without steps,
 * without a step name.
 */
export interface RowView {
	stepName: string | null;
	/** From 1, as people count the rows of a table; null where the step has no row. */
	row: number | null;
	fields: IDataObject;
	confidence: IDataObject;
	/** By their place below `fields`. */
	tableConfidence: TableConfidence[];
	/** What a step without rows holds instead, such as an address. */
	data: IDataObject[string];
	lowestConfidence: number | null;
	/** By their place below `fields`. */
	lowConfidenceFields: LowConfidenceField[];
}

/** The rows of some steps of an execution, in their order. Where only what needs review is asked for, `leftOut` is how many are not among them. */
export function viewRows(
	execution: Execution,
	steps: NamedStep[],
	shaping: Shaping,
): { rows: RowView[]; leftOut: number } {
	const views = steps.flatMap(({ name, step }) =>
		step.rows.length === 0
			? [withoutRow(name, step.other)]
			: step.rows.map((row, index) => viewRow(name, index + 1, row, shaping)),
	);
	const all = views.length === 0 ? [withoutRow(null, undefined)] : views;
	const rows = isOnlyReview(execution, shaping)
		? all.filter((row) => row.lowConfidenceFields.length > 0)
		: all;
	return { rows, leftOut: all.length - rows.length };
}

function viewRow(
	stepName: string,
	number: number,
	row: Row,
	{ minimumConfidence, below }: Shaping,
): RowView {
	return {
		stepName,
		row: number,
		fields: valuesOf(row, below === 'blank' ? minimumConfidence : undefined),
		confidence: scoresOf(row),
		tableConfidence: tableScores(row),
		data: undefined,
		lowestConfidence: lowestConfidence([row]),
		lowConfidenceFields: lowConfidenceFields(row, minimumConfidence),
	};
}

function withoutRow(stepName: string | null, data: IDataObject[string]): RowView {
	return {
		stepName,
		row: null,
		fields: {},
		confidence: {},
		tableConfidence: [],
		data,
		lowestConfidence: null,
		lowConfidenceFields: [],
	};
}
