/**
 * What this process knows of pauses. It saves checks and second resumes, and may be lost at any time.
 *
 * Node and trigger share the state of this module: the node's webhook writes it, the trigger's notifications read it. They also share
 * the token exchanges (service/token.ts), and all runs of the node the claims on documents (documents/underWay.ts). So both have to
 * be loaded from one copy of the package; bundling each node with a copy of its own would break this.
 */
import { time } from '../time';
import type { AwaitedId } from './pause';

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

/** Whether a pause that waited for this execution has resumed, so that it needs no notification any more. */
export function isResumed(execution: AwaitedId): boolean {
	return [...entries.values()].some(
		({ cached }) => cached.resumedUntil > time.now() && cached.ended.has(executionKey(execution)),
	);
}

/** Identifiers of executions are unique within their workflow only (published). */
export function executionKey({ workflowId, executionId }: AwaitedId): string {
	return JSON.stringify([workflowId, executionId]);
}
