import type { AwaitedId } from './pause';

/** What this process has seen of a pause. It only saves looks and second wakings, so it may be forgotten at any time. */
export interface SeenPause {
	/** Keys of executions that have ended. */
	ended: Set<string>;
	/** Until then n8n is known, or may be expected, to go on with it, in milliseconds since 1970. */
	wokenUntil: number;
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
	const entry = entries.get(pause) ?? {
		seen: { ended: new Set(), wokenUntil: 0 },
		last: Promise.resolve(),
	};
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
export function isOver(execution: AwaitedId): boolean {
	return [...entries.values()].some(
		({ seen }) => seen.wokenUntil > Date.now() && seen.ended.has(keyOf(execution)),
	);
}

/** Identifiers of executions are scoped to their workflow (published). */
export function keyOf({ workflowId, executionId }: AwaitedId): string {
	return JSON.stringify([workflowId, executionId]);
}
