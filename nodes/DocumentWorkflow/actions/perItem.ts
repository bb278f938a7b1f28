import { failIfStopped } from '../connection/time';
import { asFailure } from './failures';
import type { Failure, Job, LocalSession, Result } from './operation';

/** Items or jobs prepared in parallel, which is also the number of open files. */
const MAX_AT_ONCE = 8;

/** Runs work for each entry of a list, some in parallel. The results are in the order of the list. */
export async function inParallel<T, R>(
	list: readonly T[],
	work: (each: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const entries = list.entries();
	const worker = async () => {
		for (const [index, each] of entries) results[index] = await work(each, index);
	};
	await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, list.length) }, worker));
	return results;
}

/** Runs work for each input item. Anything thrown becomes the failure of that item. */
export async function forEachItem<T>(
	{ context }: LocalSession,
	prepare: (itemIndex: number) => Promise<T>,
): Promise<Array<T | Failure>> {
	return inParallel(context.getInputData(), async (_item, itemIndex) => {
		try {
			failIfStopped(context);
			return await prepare(itemIndex);
		} catch (error) {
			return asFailure({ context, itemIndex }, error);
		}
	});
}

export async function jobPerItem(
	session: LocalSession,
	prepare: (itemIndex: number) => () => Promise<Result>,
): Promise<Job[]> {
	const prepared = await forEachItem(session, async (itemIndex) => prepare(itemIndex));
	return prepared.map((work, itemIndex) => ({
		key: String(itemIndex),
		itemIndexes: [itemIndex],
		work,
	}));
}

/** Caches a reader, so that each item is read at most once. */
export function oncePerItem<T>(read: (itemIndex: number) => T): (itemIndex: number) => T {
	const known = new Map<number, { value: T }>();
	return (itemIndex) => {
		const entry = known.get(itemIndex) ?? { value: read(itemIndex) };
		known.set(itemIndex, entry);
		return entry.value;
	};
}
