/** Many at the same time, and how many there were. */

export function increase(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Works on all, so many at the same time. */
export async function inTurns<T>(
	all: T[],
	atOnce: number,
	work: (one: T) => Promise<unknown>,
): Promise<void> {
	const left = [...all];
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
		}),
	);
}
