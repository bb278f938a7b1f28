import type { Execution, Row } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import type { LowConfidenceField } from './cells';
import { hasScore, lowConfidenceFields, lowestConfidence, placeOf } from './cells';
import type { Shaping } from './choice';
import type { NamedStep } from './selection';

export interface Review {
	needsReview: boolean;
	unjudgedSteps: string[];
	lowestConfidence: number | null;
	/** With paths below `data`. */
	lowConfidenceFields: LowConfidenceField[];
}

export function reviewOf(execution: Execution, steps: NamedStep[], shaping: Shaping): Review {
	const { minimumConfidence } = shaping;
	const low = placedRows(steps).flatMap(([row, place]) =>
		lowConfidenceFields(row, minimumConfidence, place),
	);
	const unjudged = steps.filter(({ step }) =>
		step.other === undefined
			? step.rows.some((row) => isUnjudged(row, shaping))
			: minimumConfidence !== undefined,
	);
	return {
		needsReview: low.length > 0 || unjudged.length > 0 || needsReviewAsWhole(execution, steps),
		unjudgedSteps: unjudged.map(({ name }) => name),
		lowestConfidence: lowestConfidence(steps.flatMap(({ step }) => step.rows)),
		lowConfidenceFields: low,
	};
}

/** Whether an item about the whole execution needs a review, whatever its scores: it has no data, or does not count as well done. */
export function needsReviewAsWhole({ phase, status }: Execution, steps: NamedStep[]): boolean {
	return phase !== 'completed' || isPartial(status) || !isKnownStatus(status) || steps.length === 0;
}

/** Whether a row has nothing that could be compared with the minimum. */
export function isUnjudged(row: Row, { minimumConfidence }: Shaping): boolean {
	return minimumConfidence !== undefined && !hasScore(row);
}

/** The rows of some steps with their paths below `data`. */
export function placedRows(steps: NamedStep[]): Array<[Row, string]> {
	return steps.flatMap(({ name, step }) => {
		const place = placeOf('', name);
		return step.rows.map((row, index): [Row, string] => [row, `${place}[${index}]`]);
	});
}
