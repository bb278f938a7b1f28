import type { IDataObject } from 'n8n-workflow';

import type { Execution, StartedExecution } from '../../../service/contract';
import { EXTERNAL_ID } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import { excerptOf } from '../../../service/text';
import type { TableConfidence } from './cells';
import { scoresOf, tableScores, valuesOf } from './cells';
import type { Shaping } from './choice';
import { isOnlyReview } from './choice';
import type { Review } from './review';
import { placedRows, reviewOf } from './review';
import { viewRows } from './rows';
import type { NamedStep } from './selection';
import { chooseSteps, selectFields, uniquelyNamed } from './selection';

/** An execution as output items, with the facts that hints report. */
export interface Shaped {
	/** The JSON of the items; empty where only executions to review are wanted and this one needs none. */
	items: IDataObject[];
	/** Whether a score of the chosen steps is below the minimum; false without a minimum. */
	hasLowConfidence: boolean;
	/** Chosen steps with data that has no score; empty without a minimum. */
	unjudgedSteps: string[];
	/** The fields of the answer of a completed execution without data; undefined where it has data. */
	fieldsWithoutData: string[] | undefined;
	/** The field of the answer in which the data was found. */
	stepsField: string;
	/** The status, if the node does not know it. */
	unknownStatus: string | undefined;
	/** The status, if it says that the result is partial or needs a review. */
	partialStatus: string | undefined;
	/** How many items were omitted because they need no review. */
	leftOut: number;
	stepNames: string[];
	/** Names in Only Steps that no step has; empty while the execution runs, because its steps do not exist yet. */
	unknownSteps: string[];
	/** Selected fields that do not exist; empty while the execution runs. */
	unknownFields: string[];
	/** Selected fields that exist. */
	foundFields: string[];
	/** Steps whose data is at an address, and was not fetched. */
	stepsAtAddress: string[];
}

/** The first fields of every output item. */
export function idsOf({ workflowId, executionId, status }: StartedExecution): IDataObject {
	return { workflowId, executionId, status };
}

/**
 * The items of an execution, for all operations and the trigger. No item has a top-level field `error`, because n8n would treat the
 * item as failed. Except in Raw, the signed address of a step is shown without its query.
 */
export function shape(execution: Execution, shaping: Shaping): Shaped {
	const named = uniquelyNamed(execution.steps);
	const { chosen, unknown } = chooseSteps(named, shaping.onlySteps);
	const review = reviewOf(execution, chosen, shaping);
	const { phase, status, raw: answer, stepsField } = execution;
	return {
		unknownFields: [],
		foundFields: [],
		...itemsOf(execution, chosen, review, shaping),
		hasLowConfidence: review.lowConfidenceFields.length > 0,
		unjudgedSteps: review.unjudgedSteps,
		fieldsWithoutData: isWithoutData(execution) ? Object.keys(answer) : undefined,
		stepsField,
		unknownStatus: isKnownStatus(status) ? undefined : status,
		partialStatus: isPartial(status) ? status : undefined,
		stepNames: named.map(({ name }) => name),
		unknownSteps: phase === 'running' || named.length === 0 ? [] : unknown,
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
			// An AI agent sees no hints, so missing fields are listed in its item.
			return {
				items: [isMissing ? { ...json, fieldsNotFound: unknownFields } : json],
				leftOut: 0,
				unknownFields: isMissing ? unknownFields : [],
				foundFields,
			};
		}
	}
}

/** Whether a completed execution has nothing that could be read as its data. */
function isWithoutData({ phase, steps }: Execution): boolean {
	return phase === 'completed' && steps.length === 0;
}

/** Plain values by step, with the confidence scores beside them in the same shape. */
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

/** The scores of tables are a separate list, because the shape of the values has no place for them. Most data has none. */
function confidenceShown(
	confidence: IDataObject,
	tableConfidence: TableConfidence[],
	{ includeConfidence }: Shaping,
): IDataObject {
	if (!includeConfidence) return {};
	return tableConfidence.length === 0 ? { confidence } : { confidence, tableConfidence };
}

function rowItems(execution: Execution, steps: NamedStep[], shaping: Shaping): Items {
	const { rows, leftOut } = viewRows(execution, steps, shaping);
	const head = headOf(execution);
	const items = rows.map((view) => ({
		...head,
		stepName: view.stepName,
		row: view.row,
		fields: view.fields,
		needsReview: view.needsReview,
		lowestConfidence: view.lowestConfidence,
		...(view.data === undefined ? {} : { data: view.data }),
		...confidenceShown(view.confidence, view.tableConfidence, shaping),
		lowConfidenceFields: view.lowConfidenceFields,
	}));
	return { items, leftOut };
}

/** The unchanged answer, signed addresses included. With a minimum, the values to review are listed beside it. */
function raw(
	execution: Execution,
	{ needsReview, lowConfidenceFields: low }: Review,
	{ minimumConfidence }: Shaping,
): IDataObject {
	const marks = minimumConfidence === undefined ? {} : { needsReview, lowConfidenceFields: low };
	return { ...idsOf(execution), ...marks, response: execution.raw };
}

function headOf(execution: Execution): IDataObject {
	const { metadata, raw, reference = '' } = execution;
	const externalId = Object.hasOwn(metadata, EXTERNAL_ID) ? metadata[EXTERNAL_ID] : undefined;
	return {
		...idsOf(execution),
		...(isExternalId(externalId) ? { externalId } : {}),
		...(execution.phase === 'failed' ? { failureReason: execution.failureReason } : {}),
		...(isWithoutData(execution)
			? { dataNotRead: `The answer has no steps with data. It is: ${excerptOf(raw, [reference])}` }
			: {}),
	};
}

/** Every row of an execution repeats it, so a very long text stays in the metadata (assumed). */
function isExternalId(id: unknown): id is string | number {
	return typeof id === 'number' || (typeof id === 'string' && id !== '' && id.length <= 500);
}
