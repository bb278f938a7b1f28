import { inParallel } from '../../../../nodes/DocumentWorkflow/actions/parallel';
import { settled } from '../../support/fakeClock';

describe('work on a list', () => {
	it('gives results in the order of the list, whatever ends first, and does no more at the same time than it may', async () => {
		const ends = new Map<number, () => void>();
		const begun: number[] = [];
		const results = inParallel([0, 1, 2, 3, 4], 2, async (each, index) => {
			begun.push(index);
			await new Promise<void>((resolve) => ends.set(each, resolve));
			return `result ${each}`;
		});
		expect(begun).toEqual([0, 1]);
		for (const each of [1, 2, 0, 4, 3]) {
			ends.get(each)?.();
			await settled();
		}
		expect(begun).toEqual([0, 1, 2, 3, 4]);
		expect(await results).toEqual([0, 1, 2, 3, 4].map((each) => `result ${each}`));
	});

	it('is none for an empty list', async () =>
		expect(
			await inParallel([], 8, async () => Promise.reject(new Error('Nothing is to be done'))),
		).toHaveLength(0));
});
