/**
 * What this process knows of pauses, from the calls of their resume addresses. It saves checks and second resumes, and may be lost at
 * any time.
 */
export interface CachedPause {
	/** Keys of executions that have ended. */
	ended: Set<string>;
	/** The pause counts as resumed until then, in milliseconds since 1970. */
	resumedUntil: number;
}

interface Entry {
	cached: CachedPause;
	/** The latest work for this pause. */
	last: Promise<unknown>;
}

const MAX_PAUSES = 1_000;

const entries = new Map<string, Entry>();

/** Runs work for one pause at a time, in order, so that simultaneous notifications resume it once. */
export async function inTurn<T>(
	pauseId: string,
	work: (cached: CachedPause) => Promise<T>,
): Promise<T> {
	const entry = entries.get(pauseId) ?? {
		cached: { ended: new Set(), resumedUntil: 0 },
		last: Promise.resolve(),
	};
	// Moved to the end: the first entry is the one unused for longest.
	entries.delete(pauseId);
	entries.set(pauseId, entry);
	const [oldest] = entries.keys();
	if (entries.size > MAX_PAUSES && oldest !== undefined) entries.delete(oldest);
	const turn = entry.last.then(async () => work(entry.cached));
	entry.last = turn.catch(() => undefined);
	return turn;
}
