import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord } from '../../../service/contract';
import { FIELDS } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import type { Shaping } from './choice';
import type { JudgedStep, Judgement } from './judgement';
import type { Material } from './outputs';
import { raw, selected, simplified } from './outputs';
import { partsOf } from './path';
import { withFormIn } from './review/form';
import { rowItems } from './rowItems';
import { STYLE_NAMES } from './optionFields';
import { toCheckInWords } from './toReview';

/** Names that hints report of an execution. */
export interface Facts {
	/** Why it failed; an empty text where the service gives no reason. */
	failure: string[];
	/** The first values to review, in words. */
	lowValues: string[];
	/** Chosen steps with rows that have no score, beside others that have; empty without a minimum. */
	unjudgedSteps: string[];
	/** Chosen steps with rows, where no step has a score; empty without a minimum. */
	stepsWithoutScores: string[];
	/** A text that some style would convert, where none is chosen. */
	convertible: string[];
	/** Fields whose texts would be numbers if they were named. */
	numbersIfNamed: string[];
	/** Texts that would be values in another style, with the style. */
	inOtherStyle: string[];
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
	/** Required fields that do not exist; empty while the execution runs. */
	unknownRequired: string[];
	/** Required fields that exist. */
	foundRequired: string[];
	/** Extracted fields whose names had to be changed. */
	renamedFields: string[];
}

/** An execution as output items, with what hints report. */
export interface Shaped extends Facts {
	/** The JSON of the items. */
	items: IDataObject[];
	/** How many values are below their minimum, missing, or texts that should be values. */
	lowCount: number;
	/** How many texts some style would convert, where none is chosen. */
	convertibleCount: number;
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
	const { execution, steps, stepNames, foundMinimums, absentFields, texts } = judgement;
	const { lowConfidenceFields, unconvertedFields, missingFields } = judgement;
	const toCheck = [...missingFields, ...unconvertedFields, ...lowConfidenceFields];
	const unjudged = steps.filter(({ isUnjudged }) => isUnjudged).map(({ name }) => name);
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
		emptySteps: judgement.lacksRows ? stepNames : [],
		mixedSteps: [],
		renamedFields: [],
		...itemsOf({ judgement, shaping, beside: others }),
		lowCount: toCheck.length,
		convertibleCount: texts.convertible,
		convertible: texts.example === undefined ? [] : [texts.example],
		numbersIfNamed: [...texts.numbersIfNamed],
		inOtherStyle: [...texts.inOtherStyle].map(([style, text]) => `${STYLE_NAMES[style]}: ${text}`),
		lowValues: toCheck.slice(0, MAX_NAMED_VALUES).map((each) => inWords(each, steps)),
		failure: phase === 'failed' ? [failureReason] : [],
		unjudgedSteps: judgement.lacksScores ? [] : unjudged,
		stepsWithoutScores: judgement.lacksScores ? unjudged : [],
		fieldsWithoutData: isWithoutData ? Object.keys(answer) : [],
		otherStepsField: stepsField === FIELDS.execution.steps ? [] : [stepsField],
		unknownStatus: isKnownStatus(status) ? [] : [status],
		partialStatus: isPartial(status) ? [status] : [],
		stepNames,
		unknownSteps: hasSteps ? judgement.unknownSteps : [],
		unknownMinimums: hasSteps ? minimums.filter((name) => !foundMinimums.has(name)) : [],
		foundMinimums: [...foundMinimums],
		unknownRequired: hasSteps ? absentFields : [],
		foundRequired: shaping.required.filter((name) => !absentFields.includes(name)),
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
function inWords(low: JsonRecord, steps: JudgedStep[]): string {
	const [name, , ...parts] = partsOf(typeof low.field === 'string' ? low.field : '');
	const isOnly = steps.some((step) => step.name === name && step.rows.length === 1);
	return toCheckInWords(low, isOnly ? [name ?? '', ...parts] : undefined);
}
