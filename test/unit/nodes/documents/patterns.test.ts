import { matcherOf, matchesOne } from '../../../../nodes/DocumentWorkflow/documents/select';
import { cases, fc, pattern, text } from '../../../properties';

it.each([
	[true, 'without patterns', []],
	[true, 'when one of them matches', ['claim*', 'policy*']],
	[false, 'when none of them matches', ['claim*', '*.docx']],
])('A name is accepted: %j %s', (isAccepted, _, patterns) =>
	expect(matchesOne('Policy 2026.PDF', patterns)).toBe(isAccepted),
);

describe('a pattern', () => {
	it.each([
		['policy*', 'Policy 2026.pdf', true],
		['*claim*', 'first CLAIM.pdf', true],
		['*.pdf', 'a.pdf.zip', false],
		['a*a', 'a', false],
		['a*a', 'aa', true],
		['a**b', 'ab', true],
		['ab*ba', 'aba', false],
		['*a*b*', 'ba', false],
		['*', '', true],
		['', '', true],
		['', 'a', false],
		['policy', 'Policy', true],
		['policy', 'policy1', false],
		['a.c', 'abc', false],
		['(a*', '(a)\n', true],
	])('%j matches the text %j: %s', (pattern, text, fits) =>
		expect(matcherOf(pattern)(text)).toBe(fits),
	);

	it('matches what a plain regular expression matches', () => {
		const expression = (given: string) => {
			const parts = given
				.toLowerCase()
				.split('*')
				.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
			return new RegExp(`^${parts.join('[^]*')}$`);
		};
		fc.assert(
			fc.property(pattern, text, (given, name) => {
				expect(matcherOf(given)(name)).toBe(expression(given).test(name.toLowerCase()));
			}),
			cases(500),
		);
	});

	it('matches any text in place of its asterisks', () => {
		fc.assert(
			fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), text, (parts, filling) => {
				expect(matcherOf(parts.join('*'))(parts.join(filling).toUpperCase())).toBe(true);
			}),
		);
	});

	it('is compared quickly, even with many asterisks', () => {
		expect(matcherOf(`${'a*'.repeat(60)}b`)('a'.repeat(20_000))).toBe(false);
	});
});
