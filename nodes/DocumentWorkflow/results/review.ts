import type { IDataObject } from 'n8n-workflow';

import type { Execution, Row } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import type { LowConfidenceField } from './cells';
import { hasScore, lowConfidenceFields, lowestConfidence, placeOf } from './cells';
import type { Minimums } from './minimums';
import { isJudging, minimumsIn } from './minimums';
import type { NamedStep } from './selection';

/** What a person has to know of some values before they are used. */
export interface Review {
	needsReview: boolean;
	/** With paths below the values. */
	lowConfidenceFields: LowConfidenceField[];
	lowestConfidence: number | null;
	/** Whether it needs review for more than its low-confidence values. */
	hasOtherReason: boolean;
}

/** The review in an output item; nothing where no value is judged, because `needsReview` would then say nothing. */
export function reviewFields(
	{ needsReview, lowConfidenceFields: low, lowestConfidence: lowest }: Review,
	minimums: Minimums,
): IDataObject {
	return isJudging(minimums)
		? { needsReview, lowConfidenceFields: low, lowestConfidence: lowest }
		: {};
}

export function reviewOf(
	execution: Execution,
	steps: NamedStep[],
	minimums: Minimums,
): Review & { unjudgedSteps: string[] } {
	const low = steps.flatMap((each) => {
		const own = minimumsIn(each, minimums);
		return placedRows(each).flatMap(([row, place]) => lowConfidenceFields(row, own, place));
	});
	const unjudged = steps.filter(({ step }) =>
		step.other === undefined
			? step.rows.some((row) => isUnjudged(row, minimums))
			: isJudging(minimums),
	);
	const hasOtherReason = unjudged.length > 0 || needsReviewAsWhole(execution, steps);
	return {
		needsReview: low.length > 0 || hasOtherReason,
		hasOtherReason,
		unjudgedSteps: unjudged.map(({ name }) => name),
		lowestConfidence: lowestConfidence(steps.flatMap(({ step }) => step.rows)),
		lowConfidenceFields: low,
	};
}

/** Whether an item about the whole execution needs a review, whatever its scores: it has no data, or does not count as well done. */
export function needsReviewAsWhole({ phase, status }: Execution, steps: NamedStep[]): boolean {
	return phase !== 'completed' || isPartial(status) || !isKnownStatus(status) || steps.length === 0;
}

/** Whether a row has nothing that could be compared with the minimum for all fields. */
export function isUnjudged(row: Row, { general }: Minimums): boolean {
	return general !== undefined && !hasScore(row);
}

/** The rows of a step with their paths below `data`. */
export function placedRows({ name, step }: NamedStep): Array<[Row, string]> {
	const place = placeOf('', name);
	return step.rows.map((row, index): [Row, string] => [row, `${place}[${index}]`]);
}
