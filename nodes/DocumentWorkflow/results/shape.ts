import type { IDataObject } from 'n8n-workflow';

import type { Execution, Row, StartedExecution } from '../../../service/contract';
import { EXTERNAL_ID } from '../../../service/contract';
import type { LowConfidenceField, TableConfidence } from './cells';
import {
	lowConfidenceFields,
	lowestConfidence,
	placeOf,
	scoresOf,
	tableScores,
	valuesOf,
} from './cells';
import { viewRows } from './rows';
import { selectFields } from './selected';
import type { Shaping } from './shaping';
import { isOnlyReview } from './shaping';
import type { NamedStep } from './steps';
import { chooseSteps, nameApart } from './steps';

/** An execution as output items, with what there is to say of them beside. */
export interface Shaped {
	/** The JSON of the items; none where the execution needs no review and only such ones are asked for. */
	items: IDataObject[];
	/** Whether a known score of the chosen steps is below the minimum; false without a minimum. */
	needsReview: boolean;
	/** How many items were left out because they need no review. */
	leftOut: number;
	stepNames: string[];
	/** What was asked for in Only Steps and is not there; empty while the execution runs, because its steps are yet to come. */
	unknownSteps: string[];
	/** What was asked for as a selected field and is not there; empty while the execution runs. */
	unknownFields: string[];
	/** What was asked for as a selected field and is there. */
	foundFields: string[];
	/** Steps whose data is at an address and was not fetched. */
	stepsAtAddress: string[];
}

/** What every output item says first. */
export function idsOf({ workflowId, executionId, status }: StartedExecution): IDataObject {
	return { workflowId, executionId, status };
}

/**
 * The items of an execution; one shaping for all operations. No item has a field `error` at its top, which n8n would take for a
 * failed item. A signed address of a step is shown without its query, but for Raw.
 */
export function shape(execution: Execution, shaping: Shaping): Shaped {
	const named = nameApart(execution.steps);
	const { chosen, unknown } = chooseSteps(named, shaping.onlySteps);
	const review = reviewOf(chosen, shaping.minimumConfidence);
	return {
		unknownFields: [],
		foundFields: [],
		...itemsOf(execution, chosen, review, shaping),
		needsReview: review.needsReview,
		stepNames: named.map(({ name }) => name),
		unknownSteps: execution.phase === 'running' ? [] : unknown,
		stepsAtAddress: chosen.filter(({ step }) => step.address !== undefined).map(({ name }) => name),
	};
}

type Items = Pick<Shaped, 'items' | 'leftOut'> &
	Partial<Pick<Shaped, 'unknownFields' | 'foundFields'>>;

function itemsOf(
	execution: Execution,
	steps: NamedStep[],
	review: Review,
	shaping: Shaping,
): Items {
	if (shaping.output === 'rows') return rowItems(execution, steps, shaping);
	if (isOnlyReview(execution, shaping) && !review.needsReview) return { items: [], leftOut: 1 };
	switch (shaping.output) {
		case 'raw':
			return { items: [raw(execution, review, shaping)], leftOut: 0 };
		case 'simplified':
			return { items: [simplified(execution, steps, review, shaping)], leftOut: 0 };
		case 'selected': {
			const { json, unknownFields, foundFields } = selectFields(
				simplified(execution, steps, review, shaping),
				shaping.fields,
			);
			const isMissing = execution.phase !== 'running' && unknownFields.length > 0;
			// An AI agent sees no hints: what it asked for in vain stands in its item.
			return {
				items: [isMissing ? { ...json, fieldsNotFound: unknownFields } : json],
				leftOut: 0,
				unknownFields: isMissing ? unknownFields : [],
				foundFields,
			};
		}
	}
}

interface Review {
	needsReview: boolean;
	lowestConfidence: number | null;
	/** By their place below `data`. */
	lowConfidenceFields: LowConfidenceField[];
}

function reviewOf(steps: NamedStep[], minimum: number | undefined): Review {
	const low = placedRows(steps).flatMap(([row, place]) => lowConfidenceFields(row, minimum, place));
	return {
		needsReview: low.length > 0,
		lowestConfidence: lowestConfidence(steps.flatMap(({ step }) => step.rows)),
		lowConfidenceFields: low,
	};
}

/** The rows of some steps with their place below `data`. */
function placedRows(steps: NamedStep[]): Array<[Row, string]> {
	return steps.flatMap(({ name, step }) =>
		step.rows.map((row, index): [Row, string] => [row, `${placeOf('', name)}[${index}]`]),
	);
}

/** Plain values by step, the confidence scores in the same shape beside them. */
function simplified(
	execution: Execution,
	steps: NamedStep[],
	review: Review,
	shaping: Shaping,
): IDataObject {
	const { minimumConfidence, below } = shaping;
	const blankBelow = below === 'blank' ? minimumConfidence : undefined;
	const data = steps.map(({ name, step }) => [
		name,
		step.other === undefined ? step.rows.map((row) => valuesOf(row, blankBelow)) : step.other,
	]);
	const confidence = steps.map(({ name, step }) => [name, step.rows.map(scoresOf)]);
	return {
		...headOf(execution),
		needsReview: review.needsReview,
		lowestConfidence: review.lowestConfidence,
		data: Object.fromEntries(data) as IDataObject,
		...confidenceShown(
			Object.fromEntries(confidence) as IDataObject,
			placedRows(steps).flatMap(([row, place]) => tableScores(row, place)),
			shaping,
		),
		lowConfidenceFields: review.lowConfidenceFields,
		metadata: execution.metadata,
	};
}

/** The scores of tables stand apart, because in the shape of the values there is no place for them; most data has none. */
function confidenceShown(
	confidence: IDataObject,
	tableConfidence: TableConfidence[],
	{ includeConfidence }: Shaping,
): IDataObject {
	if (!includeConfidence) return {};
	return tableConfidence.length === 0 ? { confidence } : { confidence, tableConfidence };
}

function rowItems(execution: Execution, steps: NamedStep[], shaping: Shaping): Items {
	const head = headOf(execution);
	const { rows, leftOut } = viewRows(execution, steps, shaping);
	const items = rows.map(
		({
			stepName,
			row,
			fields,
			confidence,
			tableConfidence,
			data,
			lowestConfidence: lowest,
			lowConfidenceFields: low,
		}) => ({
			...head,
			stepName,
			row,
			fields,
			needsReview: low.length > 0,
			lowestConfidence: lowest,
			...(data === undefined ? {} : { data }),
			...confidenceShown(confidence, tableConfidence, shaping),
			lowConfidenceFields: low,
		}),
	);
	return { items, leftOut };
}

/** The answer as it came, signed addresses included; what was judged stands beside it when there is a minimum. */
function raw(
	execution: Execution,
	{ needsReview, lowConfidenceFields: low }: Review,
	{ minimumConfidence }: Shaping,
): IDataObject {
	const marks = minimumConfidence === undefined ? {} : { needsReview, lowConfidenceFields: low };
	return { ...idsOf(execution), ...marks, response: execution.raw };
}

function headOf(execution: Execution): IDataObject {
	const externalId = Object.hasOwn(execution.metadata, EXTERNAL_ID)
		? execution.metadata[EXTERNAL_ID]
		: undefined;
	return {
		...idsOf(execution),
		...((typeof externalId === 'string' && externalId !== '') || typeof externalId === 'number'
			? { externalId }
			: {}),
		...(execution.phase === 'failed' ? { failureReason: execution.failureReason } : {}),
	};
}
