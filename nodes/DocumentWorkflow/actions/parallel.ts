/** How many files are looked at at the same time. */
export const MOST_FILES = 8;

/** Does something with each of a list, with some of them at the same time; the results are in the order of the list. */
export async function inParallel<T, R>(
	list: readonly T[],
	most: number,
	work: (each: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const entries = list.entries();
	const worker = async () => {
		for (const [index, each] of entries) results[index] = await work(each, index);
	};
	await Promise.all(Array.from({ length: Math.min(most, list.length) }, worker));
	return results;
}
