import type { Pause, Time } from './http';

/** How long a Stop may go unnoticed. A timer of its own for each wait is cheap: 1,000 waits take 9 ms of CPU a second. */
const LONGEST_SLEEP_MILLISECONDS = 500;

/** Makes a pause of short sleeps. Before and after each of them `goOnOrThrow` may end the pause. */
export function pauseWith({ now, sleep }: Time, goOnOrThrow: () => void): Pause {
	return async (milliseconds) => {
		const until = now() + milliseconds;
		for (;;) {
			goOnOrThrow();
			const left = until - now();
			if (left <= 0) return;
			await sleep(Math.min(left, LONGEST_SLEEP_MILLISECONDS));
		}
	};
}
