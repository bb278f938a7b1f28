import { fc } from '../../../properties';

/** Texts and patterns that often match each other, also by letters in another case or by signs of regular expressions. */
export const text: fc.Arbitrary<string> = fc.string({
	unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '.', '(', '\\', '\n', '€'),
	maxLength: 8,
});
export const pattern: fc.Arbitrary<string> = fc.string({
	unit: fc.constantFrom('a', 'B', 'é', '.', '(', '\\', '*', '*'),
	maxLength: 8,
});
