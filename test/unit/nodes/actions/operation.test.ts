import { inParallel } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { settled } from '../../support/fakeClock';

describe('work on a list', () => {
	it('returns results in the order of the list, and runs no more in parallel than allowed', async () => {
		const ends = new Map<number, () => void>();
		const begun: number[] = [];
		const results = inParallel([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], async (each, index) => {
			begun.push(index);
			await new Promise<void>((resolve) => ends.set(each, resolve));
			return `result ${each}`;
		});
		expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
		for (const each of [1, 2, 0, 4, 3, 9, 8, 7, 6, 5]) {
			ends.get(each)?.();
			await settled();
		}
		expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(await results).toEqual(begun.map((each) => `result ${each}`));
	});

	it('returns nothing for an empty list', async () =>
		expect(
			await inParallel([], async () => Promise.reject(new Error('Nothing is to be done'))),
		).toHaveLength(0));
});
