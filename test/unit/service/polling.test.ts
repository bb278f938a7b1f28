import fc from 'fast-check';
import { DEFAULT_PLAN, delayBeforeLook } from '../../../service/polling';

describe('when to look next', () => {
	it('is 5 s after the start, then later and later up to half a minute', () => {
		const looks: number[] = [];
		for (let waited = 0; waited < 200_000; ) {
			waited += delayBeforeLook(DEFAULT_PLAN, waited);
			looks.push(Math.round(waited / 1000));
		}
		expect(looks).toEqual([5, 10, 15, 23, 34, 51, 76, 106, 136, 166, 196, 226]);
	});

	it('is no sooner than the service asks', () => {
		expect(delayBeforeLook(DEFAULT_PLAN, 5_000, 90_000)).toBe(90_000);
	});

	it('is at the end of the time limit when the next look would come after it', () => {
		expect(delayBeforeLook({ ...DEFAULT_PLAN, timeoutMilliseconds: 7_000 }, 5_000)).toBe(2_000);
		expect(delayBeforeLook({ ...DEFAULT_PLAN, timeoutMilliseconds: 7_000 }, 7_000)).toBe(0);
	});

	it('never comes past the time limit, and always comes as long as there is time', () => {
		const milliseconds = fc.integer({ min: 1, max: 10_000_000 });
		fc.assert(
			fc.property(milliseconds, milliseconds, milliseconds, fc.nat(10_000_000), fc.nat(600_000), (first, longest, timeout, waited, asked) => {
				const plan = { firstMilliseconds: first, longestMilliseconds: longest, timeoutMilliseconds: timeout };
				const delay = delayBeforeLook(plan, waited, asked);
				expect(waited + delay).toBeLessThanOrEqual(timeout);
				expect(delay > 0).toBe(waited < timeout);
			}),
		);
	});
});
