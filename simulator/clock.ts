import { setTimeout as wait } from 'node:timers/promises';

/** The time of the service. Tests give it another one. Tokens and signatures use the real time, because their receivers do too. */
export interface Clock {
	/** Milliseconds since 1970. */
	now: () => number;
	/** Resolves after a time, or as soon as `ended` aborts. `isAwaited`: given where a caller waits for its answer meanwhile. */
	sleep(milliseconds: number, ended: AbortSignal, isAwaited?: () => boolean): Promise<void>;
}

export const REAL_TIME: Clock = {
	now: () => Date.now(),
	sleep: async (milliseconds, signal) =>
		wait(milliseconds, undefined, { signal }).catch(() => undefined),
};
