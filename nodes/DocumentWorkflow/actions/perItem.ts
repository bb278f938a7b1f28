import { failIfStopped } from '../stop';
import { asFailure } from './failures';
import type { Failure, Job, Result, Session } from './operation';

/** How many items, or jobs, are prepared at the same time: so many files are open. */
const MOST_AT_ONCE = 8;

/** Does something with each of a list, with some of them at the same time; the results are in the order of the list. */
export async function inParallel<T, R>(
	list: readonly T[],
	work: (each: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const entries = list.entries();
	const worker = async () => {
		for (const [index, each] of entries) results[index] = await work(each, index);
	};
	await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, list.length) }, worker));
	return results;
}

/** Does something for each input item; what is thrown becomes the failure of that item. */
export async function forEachItem<T>(
	{ context }: Session,
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

/** One job for each input item. */
export async function jobPerItem(
	session: Session,
	prepare: (itemIndex: number) => () => Promise<Result>,
): Promise<Job[]> {
	const prepared = await forEachItem(session, async (itemIndex) => prepare(itemIndex));
	return prepared.map((work, itemIndex) => ({
		key: String(itemIndex),
		itemIndexes: [itemIndex],
		work,
	}));
}

/** Reads something once for each item, when it is first asked for. */
export function oncePerItem<T>(read: (itemIndex: number) => T): (itemIndex: number) => T {
	const known = new Map<number, { value: T }>();
	return (itemIndex) => {
		const entry = known.get(itemIndex) ?? { value: read(itemIndex) };
		known.set(itemIndex, entry);
		return entry.value;
	};
}
