import type { IDataObject } from 'n8n-workflow';

import type { Shaping } from './choice';
import type { Judgement } from './judgement';
import { type Material, raw, selected, simplified } from './outputs';
import { rowItems } from './rowItems';
import { STYLE_NAMES } from './optionFields';
import { toReviewOf } from './toReview';
import type { LongWork, Made } from './turns';

/** An execution as output items, with what hints report. */
export type Shaped = Made<typeof shape>;

/** Names that hints report of an execution. */
export type Fact = {
	[Name in keyof Shaped]: Shaped[Name] extends string[] ? Name : never;
}[keyof Shaped];

/**
 * The items of an execution, for all operations and the trigger. No item has a top-level field `error`, because n8n would treat the
 * item as failed. Except in Raw, an address in place of data is shown without its query.
 */
export function* shape(judgement: Judgement, shaping: Shaping, beside: IDataObject = {}) {
	const { execution, steps, stepNames, foundMinimums, texts } = judgement;
	const unjudged = steps.filter(({ isUnjudged }) => isUnjudged).map(({ name }) => name);
	const { phase } = execution;
	// While the execution runs, its steps do not exist yet.
	const hasSteps = phase !== 'running' && stepNames.length > 0;
	const minimums = hasSteps ? [...shaping.minimums.byField.keys()] : [];
	// The judgement has taken it into account.
	const others = { ...beside };
	delete others.needsReview;
	return {
		/** Texts that some style would convert, where none is chosen. */
		convertibleCount: texts.convertible,
		convertible: texts.example === undefined ? [] : [texts.example],
		numbersIfNamed: [...texts.numbersIfNamed],
		inOtherStyle: [...texts.inOtherStyle].map(([style, text]) => `${STYLE_NAMES[style]}: ${text}`),
		unjudgedSteps: judgement.lacksScores ? [] : unjudged,
		stepNames,
		unknownMinimums: minimums.filter((name) => !foundMinimums.has(name)),
		foundMinimums: [...foundMinimums],
		...(yield* itemsOf({
			judgement,
			shaping,
			beside: others,
			toReview: toReviewOf(judgement, others),
		})),
	};
}

function* itemsOf(material: Material) {
	const { shaping } = material;
	if (shaping.output === 'rows') return yield* rowItems(material);
	return { items: [yield* itemOf()], mixedSteps: [], renamedFields: [] };

	function* itemOf(): LongWork<IDataObject> {
		if (shaping.output === 'selected') return yield* selected(material);
		if (shaping.output === 'raw') return raw(material);
		return yield* simplified(material);
	}
}
