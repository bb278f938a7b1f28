import type { IDataObject } from 'n8n-workflow';

import type { Execution, Json } from '../../../service/contract';
import { lowConfidenceFields, lowestConfidence, placeOf } from './cells';
import type { LowConfidenceField } from './cells';
import type { Shaping } from './choice';
import { isJudging } from './minimums';
import { reviewOf } from './review';
import type { RowView } from './rows';
import { viewRows } from './rows';
import type { NamedStep } from './selection';
import { chooseSteps, uniquelyNamed } from './selection';

interface JudgedField {
	/** Null where it is below its minimum and such values are set to null. */
	value: Json;
	/** The lowest readable score. */
	lowest: number | null;
	/** The values below their minimum. `within`: the path from the field on, empty for the field itself. */
	low: Array<{ within: string; value: Json; confidence: number | null }>;
}

/** A row. */
export interface JudgedRow {
	needsReview: boolean;
	lowestConfidence: number | null;
	/** Counted from 1. */
	number: number | null;
	fields: ReadonlyMap<string, JudgedField>;
}

export interface JudgedStep {
	name: string;
	/** Empty where it has none. */
	rows: JudgedRow[];
	/** The data of a step that has other data in place of rows. */
	data: Json | undefined;
	/** Whether it has data without a score, so that it could not be judged. */
	isUnjudged: boolean;
	/** Whether its data is at a URL and was not downloaded. */
	isAtAddress: boolean;
}

/** An execution with all that its report says of its review. */
export interface Judgement {
	execution: Execution;
	needsReview: boolean;
	steps: JudgedStep[];
	lowConfidenceFields: LowConfidenceField[];
	/** Whether any value has a minimum. */
	isJudged: boolean;
}

/** `beside`: other fields of the output, which may say that it needs review. */
export function judge(execution: Execution, shaping: Shaping, beside: IDataObject): Judgement {
	const { minimums } = shaping;
	const { chosen } = chooseSteps(uniquelyNamed(execution.steps), shaping.onlySteps);
	const review = reviewOf(execution, chosen, minimums);
	return {
		execution,
		needsReview: review.needsReview || beside.needsReview === true,
		lowConfidenceFields: review.lowConfidenceFields,
		isJudged: isJudging(minimums),
		steps: chosen.map((each) => ({
			name: each.name,
			data: each.step.other,
			isUnjudged: review.unjudgedSteps.includes(each.name),
			isAtAddress: each.step.address !== undefined,
			rows: rowsOf(each).map((view) => ({
				needsReview: view.needsReview,
				lowestConfidence: view.lowestConfidence,
				number: view.row,
				fields: new Map(
					[...(view.cells ?? [])].map(([name, cell]) => {
						const alone = new Map([[name, cell]]);
						const low = lowConfidenceFields(alone, view.minimums);
						const field: JudgedField = {
							value: (view.fields[name] ?? null) as Json,
							lowest: lowestConfidence([alone]),
							low: low.map(({ field: place, value, confidence }) => ({
								within: place.slice(placeOf('', name).length),
								value,
								confidence,
							})),
						};
						return [name, field];
					}),
				),
			})),
		})),
	};

	function rowsOf(each: NamedStep): RowView[] {
		const { rows } = viewRows(execution, [each], { ...shaping, onlyReview: false });
		return rows.filter(({ cells }) => cells !== undefined);
	}
}
