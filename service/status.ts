import type { Phase } from './contract';

/** Status words (published: running, completed, failed; the others assumed). */
const WORDS: Record<Phase | 'partial', ReadonlySet<string>> = {
	running: words(
		'running queued in_progress progress started submitted created accepted scheduled triggered new active open paused retried in_review in_queue queued_for_review',
	),
	completed: words(
		'completed complete succeeded success successful done finished ok ended processed',
	),
	partial: words(
		'completed_with_warnings completed_with_errors finished_with_warnings finished_with_errors success_with_warnings succeeded_with_warnings partially_completed partial_completed partially_succeeded partial_success partially_successful partial needs_review requires_review review_required needs_attention manual_review',
	),
	failed: words(
		'failed failure error errored cancelled canceled rejected timed_out timedout timeout expired aborted terminated stopped killed crashed interrupted faulted unsuccessful',
	),
};

function words(list: string): ReadonlySet<string> {
	return new Set(list.split(' '));
}

/** Words such as `processing`, `extracting` and `pending_review`: something is under way (assumed). */
const UNDER_WAY = /(?:^|_)[a-z]+ing(?:_|$)/;

/** What a status word means; undefined when it is not known. `partial` has ended, but not all is well. */
function meaningOf(status: string): Phase | 'partial' | undefined {
	const word = status
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, '_');
	const known = (['completed', 'partial', 'failed', 'running'] as const).find((meaning) =>
		WORDS[meaning].has(word),
	);
	return known ?? (UNDER_WAY.test(word) ? 'running' : undefined);
}

export function isKnownStatus(status: string): boolean {
	return meaningOf(status) !== undefined;
}

/** Whether a status word itself says that the result is partial or needs a review. */
export function isPartial(status: string): boolean {
	return meaningOf(status) === 'partial';
}

/** The phase that a status word means. With an unknown word the execution has ended once its steps hold data (assumed). */
export function phaseOf(status: string, holdsData = false): Phase {
	const meaning = meaningOf(status) ?? (holdsData ? 'completed' : 'running');
	return meaning === 'partial' ? 'completed' : meaning;
}
