import { trendOf } from '../../soak/samples';

const MINUTE = 60_000;
/** A sample a minute. */
const samples = (...values: number[]) =>
	values.map((value, index) => ({ at: 1_700_000_000_000 + index * MINUTE, value }));

describe('The trend of samples', () => {
	it('has the slope an hour of samples on a straight line, and no error', () => {
		const { perHour, error } = trendOf(samples(100, 102, 104, 106));
		expect(perHour).toBeCloseTo(120, 6);
		expect(error).toBeCloseTo(0, 6);
	});

	it('has the slope of least squares, and its standard error, where samples are beside the line', () => {
		// By hand: the line rises by 0.7 a minute, and the squares of the distances from it add up to 5.1.
		const { perHour, error } = trendOf(samples(1, 4, 2, 3, 5));
		expect(perHour).toBeCloseTo(0.7 * 60, 6);
		expect(error).toBeCloseTo(Math.sqrt(5.1 / 3 / 10) * 60, 6);
	});

	it('begins and ends with the median of the first and last tenth, so that a single peak is not taken for growth', () => {
		const flat = Array<number>(30).fill(10);
		const { start, end, highest } = trendOf(samples(...flat.with(0, 90), ...flat.with(-1, 90)));
		expect({ start, end, highest }).toEqual({ start: 10, end: 10, highest: 90 });
	});
});
