import type { Execution } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import { plainText } from '../../../service/text';
import type { Shaping } from './choice';
import { labelOf } from './reportValue';
import { reviewOf } from './review';
import type { NamedStep } from './selection';

/** In the heading of a page. */
export interface Verdict {
	tone: 'good' | 'review' | 'failed' | 'neutral';
	words: string;
}

/** Longer lists of names are cut. */
const MAX_NAMES = 5;

/** Says first whether a person has to do something. */
export function verdictOf(execution: Execution, steps: NamedStep[], shaping: Shaping): Verdict {
	const { phase, status, failureReason } = execution;
	if (phase === 'failed') {
		const reason = failureReason === '' ? '' : `: ${plainText(failureReason)}`;
		return { tone: 'failed', words: `The execution failed${reason}` };
	}
	if (phase === 'running')
		return { tone: 'neutral', words: `The execution is not finished. Status: ${labelOf(status)}` };
	const minimum = shaping.minimumConfidence;
	const atLeast = minimum === undefined ? '' : `${Number((minimum * 100).toFixed(2))} %`;
	const {
		needsReview,
		lowConfidenceFields: low,
		unjudgedSteps,
	} = reviewOf(execution, steps, shaping);
	if (!needsReview)
		return minimum === undefined
			? { tone: 'neutral', words: 'Confidence was not checked: there is no minimum confidence' }
			: { tone: 'good', words: `Nothing to review. Minimum confidence: ${atLeast}` };
	const reasons = [
		low.length === 0
			? ''
			: `${low.length} ${low.length === 1 ? 'value is' : 'values are'} below the minimum confidence of ${atLeast}`,
		unjudgedSteps.length === 0 ? '' : `No confidence in: ${listed(unjudgedSteps.map(labelOf))}`,
		isPartial(status) || !isKnownStatus(status) ? `Status of the service: ${labelOf(status)}` : '',
		steps.length === 0 ? 'There is no data' : '',
	].filter(Boolean);
	return { tone: 'review', words: `Needs review. ${reasons.join('. ')}` };
}

/** The first names, and how many more there are. */
export function listed(names: string[], max = MAX_NAMES): string {
	const more = names.length > max ? ` and ${names.length - max} more` : '';
	return names.slice(0, max).join(', ') + more;
}
