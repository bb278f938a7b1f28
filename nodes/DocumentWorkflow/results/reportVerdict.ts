import { isKnownStatus, isPartial } from '../../../service/status';
import { plainText } from '../../../service/text';
import type { Minimums } from './minimums';
import type { Judgement } from './judgement';
import { labelOf } from './reportValue';

/** In the heading of a page. */
export interface Verdict {
	tone: 'good' | 'review' | 'failed' | 'neutral';
	words: string;
}

/** Longer lists of names are cut. */
const MAX_NAMES = 5;

/** Says first whether a person has to do something. */
export function verdictOf(judgement: Judgement, minimums: Minimums): Verdict {
	const { execution, steps, needsReview, lowConfidenceFields: low } = judgement;
	const { phase, status, failureReason } = execution;
	if (phase === 'failed') {
		const reason = failureReason === '' ? '' : `: ${plainText(failureReason)}`;
		return { tone: 'failed', words: `The execution failed${reason}` };
	}
	if (phase === 'running')
		return { tone: 'neutral', words: `The execution is not finished. Status: ${labelOf(status)}` };
	if (!needsReview)
		return judgement.isJudged
			? { tone: 'good', words: `Nothing to review. Minimum confidence: ${inPercent(minimums)}` }
			: { tone: 'neutral', words: 'Confidence was not checked: there is no minimum confidence' };
	const unjudgedSteps = steps.filter(({ isUnjudged }) => isUnjudged).map(({ name }) => name);
	const atAddress = steps.filter(({ isAtAddress }) => isAtAddress).map(({ name }) => name);
	const reasons = [
		low.length === 0
			? ''
			: `${low.length} ${low.length === 1 ? 'value is' : 'values are'} below the minimum confidence of ${inPercent(minimums)}`,
		unjudgedSteps.length === 0 ? '' : `No confidence in: ${listed(unjudgedSteps.map(labelOf))}`,
		isPartial(status) || !isKnownStatus(status) ? `Status of the service: ${labelOf(status)}` : '',
		atAddress.length === 0 ? '' : `Not downloaded: ${listed(atAddress.map(labelOf))}`,
		steps.length === 0 ? 'There is no data' : '',
	].filter(Boolean);
	return { tone: 'review', words: `Needs review. ${reasons.join('. ')}` };
}

/** Fields may have a minimum of their own. */
function inPercent({ general, byField }: Minimums): string {
	const minimums = [general, ...byField.values()].filter((minimum) => minimum !== undefined);
	const percents = minimums.map((minimum) => Number((minimum * 100).toFixed(2)));
	const [lowest, highest] = [Math.min(...percents), Math.max(...percents)];
	return lowest === highest ? `${lowest} %` : `${lowest} to ${highest} %`;
}

/** The first names, and how many more there are. */
export function listed(names: string[], max = MAX_NAMES): string {
	const more = names.length > max ? ` and ${names.length - max} more` : '';
	return names.slice(0, max).join(', ') + more;
}
