/**
 * How many times as much CPU time work takes with a large input as with a small one: the least of several tries, one after the other in
 * turns, because other work on the machine only adds to it.
 */
export function growthOf<T>(work: (input: T) => unknown, small: T, large: T): number {
	const least = { small: Infinity, large: Infinity };
	for (let tries = 0; tries < 7; tries++) {
		least.small = Math.min(
			least.small,
			cpuOf(() => work(small)),
		);
		least.large = Math.min(
			least.large,
			cpuOf(() => work(large)),
		);
	}
	return least.large / least.small;
}

function cpuOf(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return Math.max(1, user + system);
}
