import fc from 'fast-check';
import { Heap } from '../../../service/heap';

describe('a heap', () => {
	it('gives what was put into it in order, however it was put in', () => {
		fc.assert(
			fc.property(fc.array(fc.integer(), { maxLength: 200, size: 'max' }), (numbers) => {
				const heap = new Heap<number>((a, b) => a < b);
				for (const number of numbers) heap.push(number);
				expect(numbers.map(() => heap.pop())).toEqual([...numbers].sort((a, b) => a - b));
				expect(heap.pop()).toBeUndefined();
			}),
		);
	});

	it('always knows what comes first, also when things are put in and taken out by turns', () => {
		fc.assert(
			fc.property(fc.array(fc.option(fc.integer())), (steps) => {
				const heap = new Heap<number>((a, b) => a < b);
				let list: number[] = [];
				for (const step of steps) {
					if (step === null) {
						expect(heap.pop()).toBe(list[0]);
						list = list.slice(1);
					} else {
						heap.push(step);
						list = [...list, step].sort((a, b) => a - b);
					}
					expect(heap.first).toBe(list[0]);
				}
			}),
		);
	});
});
