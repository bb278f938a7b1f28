import { readLimits } from '../../../../../nodes/DocumentWorkflow/actions/fields/sending';
import { contextOf } from '../../../support/context';

const contextWith = (parameters: Record<string, unknown>) => contextOf({ parameters });

describe('the limits of a run', () => {
	it.each([
		[undefined, 8],
		[1, 1],
		['20', 20],
		[3.9, 3],
		[null, 8],
	])('allow for %j: %d in parallel', (maximumInParallel, most) =>
		expect(readLimits(contextWith({ maximumInParallel }))).toMatchObject({ maxInParallel: most }),
	);

	it.each([[0], [0.5], [-1], [101], ['many'], [''], [NaN], [true]])(
		'fail for %j in parallel',
		(maximumInParallel) => {
			expect(() => readLimits(contextWith({ maximumInParallel }))).toThrow(
				"'Maximum in Parallel' must be a number from 1 to 100, but is ",
			);
		},
	);
});
