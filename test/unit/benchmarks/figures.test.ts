import { cellsOf, figureOf, spreadOf, type Target } from '../../../benchmarks/figures';

const measured = (target?: Target) =>
	figureOf({
		name: '500 documents',
		beside: 'a client',
		unit: 's',
		own: [11, 12, 30],
		other: [10, 10, 10],
		target,
	});

describe('A measured figure', () => {
	it('compares both ways round by round, and shows the median with its range', () => {
		expect(measured()).toMatchObject({
			own: { median: 12 },
			ratio: { median: 1.2, lowest: 1.1, highest: 3 },
		});
		expect(cellsOf(measured())).toEqual([
			...['500 documents', '12 s', 'a client', '10 s', '1.20', '1.10 to 3.00', '', ''],
		]);
	});

	it.each<[Target, boolean, string]>([
		[{ of: 'ratio', atMost: 1.2 }, true, 'at most 1.2'],
		[{ of: 'ratio', atMost: 1.19 }, false, 'at most 1.19'],
		[{ of: 'ratio', atLeast: 1.3 }, false, 'at least 1.3'],
		[{ of: 'ratio', atLeast: 0.85, atMost: 1.15 }, false, '0.85 to 1.15'],
		[{ of: 'own', atMost: 12 }, true, 'at most 12 s'],
	])('with the target %j reaches it by its median: %s', (target, isReached, text) => {
		const figure = measured(target);
		expect(figure.isReached).toBe(isReached);
		expect(cellsOf(figure).slice(-2)).toEqual([text, isReached ? 'yes' : 'no']);
	});

	it('has the mean of the two middle values as median of an even number of rounds', () => {
		expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, lowest: 1, highest: 4 });
	});
});
