import { growthOf, LINEAR } from '../support/growth';

/** Steps that cannot be left out. */
function count(steps: number): number {
	let sum = 0;
	for (let step = 0; step < steps; step++) sum = (sum + step) % 1_013;
	return sum;
}

describe('The growth of work', () => {
	it.each<[string, (size: number) => number, (growth: number) => void]>([
		[
			'below the limit where time grows with the size',
			(size) => count(5_000 * size),
			(growth) => expect(growth).toBeLessThan(LINEAR),
		],
		[
			'above the limit where time grows with the square of the size',
			(size) => count(2 * size * size),
			(growth) => expect(growth).toBeGreaterThan(LINEAR),
		],
		['none where the work is soon done', () => count(10), (growth) => expect(growth).toBe(0)],
	])('is %s', async (_, work, judge) => judge(await growthOf((size) => size, work, 3_000)));
});
