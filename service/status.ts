import type { Meaning, Phase } from './contract';

/** Status words (published: running, completed, failed). */
const WORDS: Record<KnownMeaning, string> = {
	completed: 'completed complete succeeded success successful done finished ok ended processed',
	partial: `completed_with_warnings completed_with_errors finished_with_warnings finished_with_errors
		success_with_warnings succeeded_with_warnings partially_completed partial_completed partially_succeeded
		partial_success partially_successful partial`,
	failed: `failed failure error errored cancelled canceled rejected timed_out timedout timeout expired aborted
		terminated stopped killed crashed interrupted faulted unsuccessful`,
	running: `running queued in_progress progress started submitted created accepted scheduled triggered new active
		open retried in_queue queued_for_review not_started`,
	held: `paused blocked suspended on_hold held needs_review requires_review review_required needs_attention
		manual_review in_review pending_review awaiting_review under_review`,
};

type KnownMeaning = Exclude<Meaning, 'unknown'>;

const MEANINGS = Object.keys(WORDS) as KnownMeaning[];

/** Words such as `processing` and `validating_rows`: something is under way, unless it has failed. */
const UNDER_WAY = /^(?:.*_)?[a-z]+ing(?:_|$)/;
/** What stands behind these is yet to come, as in `awaiting_validation`. */
const AHEAD = /(?:^|_)(?:pending|a?waiting|retrying|being)_/;

/** What a status word means; undefined when it is not known. */
export function meaningOfStatus(status: string): KnownMeaning | undefined {
	const word = status
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, '_');
	const known = MEANINGS.find((each) => WORDS[each].split(/\s+/).includes(word));
	const rest = AHEAD.test(word) ? '' : word.replace(UNDER_WAY, '');
	if (known !== undefined || rest === word) return known;
	if (rest === 'failed') return rest;
	// The completion of a stage may be that of the execution: its data decides.
	return rest === 'completed' ? undefined : 'running';
}

/** Whether an execution goes on only once a person acts in the service. */
export function isHeld(status = ''): boolean {
	return meaningOfStatus(status) === 'held';
}

export const PHASES: Record<Meaning, Phase> = {
	completed: 'completed',
	partial: 'completed',
	unknown: 'completed',
	failed: 'failed',
	running: 'running',
	held: 'running',
};

/** What the status of an execution means, whose steps hold data or not. */
export function readMeaning(status: string, holdsData: boolean): Meaning {
	return meaningOfStatus(status) ?? (holdsData ? 'unknown' : 'running');
}
