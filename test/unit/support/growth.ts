/** Growth of time with the size of the input, without a limit in time: other work of a machine hardly changes it. */

/** In milliseconds. Work that is done sooner needs no second look. */
const SOON = 20;
const TRIES = 5;
/** Needs no third try. A second one is needed, because a busy machine can make all the small inputs of the first one slow. */
const CLEARLY_LINEAR = 2;

/** From then on time grows with more than the size. With its square, the growth is 10. */
export const LINEAR = 4;

/**
 * How many times as long work takes on one large input as on ten of a tenth of its size: the least of several tries each, in turns.
 * Work that is soon done has no growth.
 */
export async function growthOf<T>(
	make: (size: number) => T,
	work: (input: T) => unknown,
	size = 100_000,
): Promise<number> {
	const [small, large] = [make(size / 10), make(size)];
	let [few, one] = [Infinity, Infinity];
	for (let tries = 0; tries < TRIES; tries++) {
		one = Math.min(one, await timeOf(async () => work(large)));
		if (one < SOON) return 0;
		few = Math.min(
			few,
			await timeOf(async () => {
				for (let count = 0; count < 10; count++) await work(small);
			}),
		);
		if (tries > 0 && one < few * CLEARLY_LINEAR) break;
	}
	return one / few;
}

/** In milliseconds, by the clock or by CPU time. Other work of the machine makes the first longer; the second counts all threads. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	const began = performance.now();
	await work();
	const { user, system } = process.cpuUsage(before);
	return Math.min(performance.now() - began, (user + system) / 1_000);
}
