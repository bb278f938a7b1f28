/** What a function returns; undefined where it throws. */
export function tryTo<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
