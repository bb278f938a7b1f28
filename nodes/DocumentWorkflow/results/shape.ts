import type { IDataObject } from 'n8n-workflow';

import { FIELDS } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import type { LowConfidenceField } from './cells';
import type { Shaping } from './choice';
import type { JudgedStep, Judgement } from './judgement';
import type { Material } from './outputs';
import { raw, selected, simplified } from './outputs';
import { partsOf } from './path';
import { withFormIn } from './review/form';
import { rowItems } from './rowItems';
import { lowInWords } from './toReview';

/** Names that hints report of an execution. */
export interface Facts {
	/** Why it failed; an empty text where the service gives no reason. */
	failure: string[];
	/** The first values below their minimum, in words. */
	lowValues: string[];
	/** Chosen steps with data that has no score; empty without a minimum. */
	unjudgedSteps: string[];
	/** The fields of the answer where it is completed and has no data. */
	fieldsWithoutData: string[];
	/** The field of the answer in which the data was found instead of the published one. */
	otherStepsField: string[];
	/** The status, if the node does not know it. */
	unknownStatus: string[];
	/** The status, if it says that the result is partial or needs a review. */
	partialStatus: string[];
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
	/** A sentence for each step whose data could not be downloaded. */
	notDownloaded: string[];
	/** Steps without an item, because they have no row. */
	emptySteps: string[];
	/** Steps whose rows are items beside those of other steps. */
	mixedSteps: string[];
	/** Extracted fields whose names had to be changed. */
	renamedFields: string[];
}

/** An execution as output items, with what hints report. */
export interface Shaped extends Facts {
	/** The JSON of the items. */
	items: IDataObject[];
	/** How many values are below their minimum. */
	lowCount: number;
}

/** So many values are named in a hint. */
export const MAX_NAMED_VALUES = 3;

/**
 * The items of an execution, for all operations and the trigger. No item has a top-level field `error`, because n8n would treat the
 * item as failed. Except in Raw, the signed address of a step is shown without its query.
 */
export function shape(
	judgement: Judgement,
	shaping: Shaping,
	beside: IDataObject = {},
	notDownloaded: string[] = [],
): Shaped {
	const { execution, steps, lowConfidenceFields, stepNames, foundMinimums } = judgement;
	const { phase, status, failureReason, raw: answer, stepsField } = execution;
	const hasSteps = phase !== 'running' && stepNames.length > 0;
	const isWithoutData = phase === 'completed' && stepNames.length === 0;
	const minimums = [...shaping.minimums.byField.keys()];
	// The judgement has taken it into account.
	const others = { ...beside };
	delete others.needsReview;
	return {
		unknownFields: [],
		foundFields: [],
		emptySteps: [],
		mixedSteps: [],
		renamedFields: [],
		...itemsOf({ judgement, shaping, beside: others }),
		lowCount: lowConfidenceFields.length,
		lowValues: lowConfidenceFields.slice(0, MAX_NAMED_VALUES).map((each) => inWords(each, steps)),
		failure: phase === 'failed' ? [failureReason] : [],
		unjudgedSteps: steps.filter(({ isUnjudged }) => isUnjudged).map(({ name }) => name),
		fieldsWithoutData: isWithoutData ? Object.keys(answer) : [],
		otherStepsField: stepsField === FIELDS.execution.steps ? [] : [stepsField],
		unknownStatus: isKnownStatus(status) ? [] : [status],
		partialStatus: isPartial(status) ? [status] : [],
		stepNames,
		unknownSteps: hasSteps ? judgement.unknownSteps : [],
		unknownMinimums: hasSteps ? minimums.filter((name) => !foundMinimums.has(name)) : [],
		foundMinimums: [...foundMinimums],
		notDownloaded,
	};
}

type Items = Pick<Shaped, 'items'> & Partial<Shaped>;

function itemsOf(material: Material): Items {
	const { judgement, shaping } = material;
	if (shaping.output === 'rows') return rowItems(material);
	if (shaping.output === 'selected') {
		const { json, ...found } = selected(material);
		return { items: [json], ...found };
	}
	if (shaping.output === 'raw') return { items: [raw(material)] };
	return { items: [withFormIn(simplified(material), judgement, material)] };
}

/** The row is left out where its step has only one. */
function inWords(low: LowConfidenceField, steps: JudgedStep[]): string {
	const [name, , ...parts] = partsOf(low.field);
	const isOnly = steps.some((step) => step.name === name && step.rows.length === 1);
	return lowInWords(low, isOnly ? [name ?? '', ...parts] : undefined);
}
