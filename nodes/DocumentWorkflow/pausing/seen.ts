/** What this process has seen of a pause. It only saves looks and second wakings, so it may be forgotten at any time. */
export interface SeenPause {
	/** Identifiers of executions that have ended. */
	ended: Set<string>;
	/** Whether n8n goes on with it. */
	isWoken: boolean;
}

interface Entry {
	seen: SeenPause;
	/** What was begun last for it. */
	last: Promise<unknown>;
}

const MOST_PAUSES = 1_000;

const entries = new Map<string, Entry>();

/** Does something for a pause, after all that was begun for it before: of notifications that come at the same moment only one wakes. */
export async function inTurn<T>(pause: string, work: (seen: SeenPause) => Promise<T>): Promise<T> {
	const entry = entries.get(pause) ?? { seen: { ended: new Set(), isWoken: false }, last: Promise.resolve() };
	// The one that was used last stands last.
	entries.delete(pause);
	entries.set(pause, entry);
	const [oldest] = entries.keys();
	if (entries.size > MOST_PAUSES && oldest !== undefined) entries.delete(oldest);
	const turn = entry.last.then(async () => work(entry.seen));
	entry.last = turn.catch(() => undefined);
	return turn;
}

/** Whether a pause that waited for an execution of the service is over, so that nobody need be told of its end any more. */
export function isOver(executionId: string): boolean {
	return [...entries.values()].some(({ seen }) => seen.isWoken && seen.ended.has(executionId));
}
