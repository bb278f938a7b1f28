import type { IDataObject } from 'n8n-workflow';

import { FIELDS } from '../../../service/contract';
import { meaningOfStatus } from '../../../service/status';
import type { Shaping } from './choice';
import type { Judgement } from './judgement';
import { type Material, raw, selected, simplified } from './outputs';
import { withReviewForm } from './review/form';
import { rowItems } from './rowItems';
import { STYLE_NAMES } from './optionFields';
import { shortIn, toCheckInWords, toReviewOf } from './toReview';

/** An execution as output items, with what hints report. */
export type Shaped = ReturnType<typeof shape>;

/** Names that hints report of an execution. */
export type Fact = {
	[Name in keyof Shaped]: Shaped[Name] extends string[] ? Name : never;
}[keyof Shaped];

/** What else an output says of its items: selected fields, and the steps and fields of rows. */
const NO_FACTS = {
	unknownFields: [] as string[],
	foundFields: [] as string[],
	emptySteps: [] as string[],
	mixedSteps: [] as string[],
	renamedFields: [] as string[],
};

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
) {
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
		/** Values below their minimum, missing, or texts that should be values. */
		lowCount: toCheck.length,
		/** Texts that some style would convert, where none is chosen. */
		convertibleCount: texts.convertible,
		convertible: texts.example === undefined ? [] : [texts.example],
		numbersIfNamed: [...texts.numbersIfNamed],
		inOtherStyle: [...texts.inOtherStyle].map(([style, text]) => `${STYLE_NAMES[style]}: ${text}`),
		lowValues: toCheck
			.slice(0, MAX_NAMED_VALUES)
			.map((each) => toCheckInWords(each, shortIn(judgement))),
		/** An empty text where the service gives no reason. */
		failure: phase === 'failed' ? [failureReason] : [],
		unjudgedSteps: judgement.lacksScores ? [] : unjudged,
		stepsWithoutScores: judgement.lacksScores ? unjudged : [],
		fieldsWithoutData: isWithoutData ? Object.keys(answer) : [],
		otherStepsField: stepsField === FIELDS.execution.steps ? [] : [stepsField],
		unknownStatus: meaningOfStatus(status) !== undefined ? [] : [status],
		partialStatus: meaningOfStatus(status) === 'partial' ? [status] : [],
		stepNames,
		// While the execution runs, its steps do not exist yet.
		unknownSteps: hasSteps ? judgement.unknownSteps : [],
		unknownMinimums: hasSteps ? minimums.filter((name) => !foundMinimums.has(name)) : [],
		foundMinimums: [...foundMinimums],
		unknownRequired: hasSteps ? absentFields : [],
		foundRequired: shaping.required.filter((name) => !absentFields.includes(name)),
		notDownloaded,
		// Behind the others: V8 is slow with many fields behind a spread.
		...NO_FACTS,
		emptySteps: judgement.lacksRows ? stepNames : [],
		...itemsOf({
			judgement,
			shaping,
			beside: others,
			hasForm: shaping.reviewForm && phase === 'completed',
			toReview: toReviewOf(judgement, others),
		}),
	};
}

type Items = Partial<typeof NO_FACTS> & { items: IDataObject[] };

function itemsOf(material: Material): Items {
	const { judgement, shaping } = material;
	if (shaping.output === 'rows') return rowItems(material);
	if (shaping.output === 'selected') {
		const { json, ...found } = selected(material);
		return { items: [json], ...found };
	}
	if (shaping.output === 'raw') return { items: [raw(material)] };
	const item = simplified(material);
	return { items: [material.hasForm ? withReviewForm(item, judgement.hasOtherReason) : item] };
}
