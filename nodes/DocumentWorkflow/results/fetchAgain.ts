import type { Reply } from '../../../service/http';
import { isPassing, pauseAskedFor } from '../../../service/retry';

/** How often one address is asked, and how long the fetching of one execution pauses in all: a notification waits for its answer meanwhile (assumed). */
const MOST_TRIES = 3;
const LONGEST_PAUSES_MILLISECONDS = 10_000;

const FIRST_DELAY_MILLISECONDS = 1_000;
const GROWTH = 3;

/** For data that did not come in its time: another try would take as long. */
export const NOT_FETCHED_IN_TIME: Reply = { kind: 'noAnswer', code: 'NOT_FETCHED_IN_TIME' };

/** How the fetching went so far: how often this address was asked, and for how long the execution has paused. */
export interface SoFar {
	tries: number;
	pausedMilliseconds: number;
}

/**
 * How long to wait before an address is asked again, in milliseconds; undefined when it is not asked again. Asked again is what may
 * pass: no answer, 408, 429, a fault of the storage. A Retry-After is respected, or is longer than there is time.
 */
export function delayBeforeFetchingAgain(
	reply: Reply,
	{ tries, pausedMilliseconds }: SoFar,
	now: number,
): number | undefined {
	if (reply === NOT_FETCHED_IN_TIME || !isPassing(reply) || tries >= MOST_TRIES) return undefined;
	const delay = pauseAskedFor(reply, now) ?? FIRST_DELAY_MILLISECONDS * GROWTH ** (tries - 1);
	return pausedMilliseconds + delay <= LONGEST_PAUSES_MILLISECONDS ? delay : undefined;
}
