import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import type { Shaping } from './choice';
import { isOnlyReview } from './choice';
import { namesWithMinimum } from './minimums';
import { raw, selected, simplified } from './outputs';
import type { Material } from './outputs';
import { reviewOf } from './review';
import { withFormIn } from './reviewForm';
import { rowItems } from './rowItems';
import { chooseSteps, uniquelyNamed } from './selection';

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
	/** Requested steps that do not exist; empty while the execution runs, because its steps do not exist yet. */
	unknownSteps: string[];
	/** Selected fields that do not exist; empty while the execution runs. */
	unknownFields: string[];
	/** Selected fields that exist. */
	foundFields: string[];
	/** Fields with a minimum of their own that do not exist; empty while the execution runs. */
	unknownMinimums: string[];
	/** Fields with a minimum of their own that exist. */
	foundMinimums: string[];
	/** Steps whose data is at a URL, and was not downloaded. */
	stepsAtAddress: string[];
	/** Steps that have no item, because they have no row. */
	emptySteps: string[];
	/** Steps whose rows are items beside those of other steps. */
	mixedSteps: string[];
	/** Names of extracted fields that had to be changed. */
	renamedFields: string[];
	/** Whether an item tells the documents that were sent and skipped. */
	hasDetails: boolean;
	/** The field in which the items list the values below their minimum; undefined where they do not. */
	lowConfidenceField: string | undefined;
}

const LOW_CONFIDENCE_FIELD = 'lowConfidenceFields';

/**
 * The items of an execution, for all operations and the trigger. No item has a top-level field `error`, because n8n would treat the
 * item as failed. Except in Raw, the signed address of a step is shown without its query.
 */
export function shape(execution: Execution, shaping: Shaping, beside: IDataObject = {}): Shaped {
	const { phase, status, raw: answer, stepsField, steps } = execution;
	const named = uniquelyNamed(steps);
	const { chosen, unknown } = chooseSteps(named, shaping.onlySteps);
	const { unjudgedSteps, ...review } = reviewOf(execution, chosen, shaping.minimums);
	const minimums = namesWithMinimum(chosen, shaping.minimums);
	const isWithoutSteps = phase === 'running' || named.length === 0;
	return {
		leftOut: 0,
		unknownFields: [],
		foundFields: [],
		emptySteps: [],
		mixedSteps: [],
		renamedFields: [],
		hasDetails: true,
		lowConfidenceField: LOW_CONFIDENCE_FIELD,
		...itemsOf({ execution, steps: chosen, review, shaping, beside }),
		hasLowConfidence: review.lowConfidenceFields.length > 0,
		unjudgedSteps,
		fieldsWithoutData:
			phase === 'completed' && named.length === 0 ? Object.keys(answer) : undefined,
		stepsField,
		unknownStatus: isKnownStatus(status) ? undefined : status,
		partialStatus: isPartial(status) ? status : undefined,
		stepNames: named.map(({ name }) => name),
		unknownSteps: isWithoutSteps ? [] : unknown,
		unknownMinimums: isWithoutSteps ? [] : minimums.unknown,
		foundMinimums: minimums.found,
		stepsAtAddress: chosen.filter(({ step }) => step.address !== undefined).map(({ name }) => name),
	};
}

type Items = Pick<Shaped, 'items'> & Partial<Shaped>;

function itemsOf(material: Material): Items {
	const { execution, review, shaping } = material;
	if (shaping.output === 'rows') return rowItems(material);
	if (isOnlyReview(execution, shaping) && !review.needsReview) return { items: [], leftOut: 1 };
	if (shaping.output === 'selected') {
		const { json, ...found } = selected(material);
		return {
			items: [json],
			...found,
			lowConfidenceField: Object.hasOwn(json, LOW_CONFIDENCE_FIELD)
				? LOW_CONFIDENCE_FIELD
				: undefined,
		};
	}
	if (shaping.output === 'raw') return { items: [raw(material)] };
	return { items: [withFormIn(simplified(material), review, material)] };
}
