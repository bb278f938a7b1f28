import type { Execution } from '../../../service/contract';

/** What is to come out of an execution. */
export interface Shaping {
	/** `selected` is for AI tools, which should not be handed more than they ask for. */
	output: 'simplified' | 'rows' | 'raw' | 'selected';
	/** From 0 to 1; undefined: nothing is judged, and nothing needs review. */
	minimumConfidence: number | undefined;
	/** What happens to values below the minimum: marked only, null in their place, or what has none of them left out. */
	below: 'mark' | 'blank' | 'only';
	/** Names of steps; empty: all of them. */
	onlySteps: string[];
	/** Whether the scores stand beside the values in the same shape. */
	includeConfidence: boolean;
	/** For `selected`: names of fields, with or without their step; empty: all of them. */
	fields: string[];
}

export const DEFAULT_SHAPING: Shaping = {
	output: 'simplified',
	minimumConfidence: undefined,
	below: 'mark',
	onlySteps: [],
	includeConfidence: true,
	fields: [],
};

/**
 * Whether what needs no review is to be left out. Without a minimum nothing can be told apart; and what has no data yet, or has
 * failed, is never left out for having nothing to review.
 */
export function isOnlyReview(
	{ phase }: Pick<Execution, 'phase'>,
	{ minimumConfidence, below }: Shaping,
): boolean {
	return phase === 'completed' && below === 'only' && minimumConfidence !== undefined;
}
