/**
 * Property tests. The daily ones take some of the cases, always the same ones, so that a failure is the fault of the change that was
 * tested. `npm run test:long` takes all cases, other ones each time, and prints the seed of a failure.
 */
import fc from 'fast-check';

/** Set by test/long/jest.config.js. */
export const isLong = process.env.PROPERTY_TESTS === 'all cases';

if (!isLong) fc.configureGlobal({ seed: 20_260_131, numRuns: 30 });

export { fc };

/** The parameters of a property test that takes `all` cases in its long form. */
export function cases(all: number): { numRuns: number } {
	return { numRuns: isLong ? all : Math.max(20, Math.ceil(all / 10)) };
}

/** Any character, and halves of pairs. It is like fast-check's unit `binary`, which takes most of a second to prepare. */
export const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));

/** Texts and patterns that often match each other, also by letters in another case or by signs of regular expressions. */
export const text: fc.Arbitrary<string> = fc.string({
	unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '.', '(', '\\', '\n', '€'),
	maxLength: 8,
});
export const pattern: fc.Arbitrary<string> = fc.string({
	unit: fc.constantFrom('a', 'B', 'é', '.', '(', '\\', '*', '*'),
	maxLength: 8,
});
