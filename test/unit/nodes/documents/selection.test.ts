import fc from 'fast-check';

import {
	isWildcard,
	matcherOf,
	selectFieldNames,
} from '../../../../nodes/DocumentWorkflow/documents/selection';

const MAIL = ['attachment_10', 'attachment_2', 'attachment_1', 'logo', 'Attachment_3'];

describe('the fields that are meant', () => {
	it.each<[string, string[], string[]]>([
		[
			'by their names, in the order of the names',
			['logo', 'attachment_10', 'attachment_2'],
			['logo', 'attachment_10', 'attachment_2'],
		],
		[
			'by a wildcard, in natural order, in upper and lower case',
			['attachment_*'],
			['attachment_1', 'attachment_2', 'Attachment_3', 'attachment_10'],
		],
		[
			'by * alone are all',
			['*'],
			['attachment_1', 'attachment_2', 'Attachment_3', 'attachment_10', 'logo'],
		],
		['by a wildcard in the middle', ['a*_1*'], ['attachment_1', 'attachment_10']],
		[
			'by several patterns are there once, where they are meant first',
			['attachment_2', '*', 'logo'],
			['attachment_2', 'attachment_1', 'Attachment_3', 'attachment_10', 'logo'],
		],
		['by a wildcard that fits none are none, and none is missing', ['scan_*'], []],
		['by nothing are none', [], []],
	])('%s', (_, patterns, fieldNames) => {
		expect(selectFieldNames(patterns, MAIL)).toEqual({ fieldNames, missing: [] });
	});

	it('are missing where a name without a wildcard is not there, and upper and lower case count for it', () => {
		expect(selectFieldNames(['data', 'attachment_3', 'logo'], MAIL)).toEqual({
			fieldNames: ['logo'],
			missing: ['data', 'attachment_3'],
		});
	});

	it('is the one field of that whole name where a name holds an asterisk', () => {
		const present = ['*', 'scan*', 'scan1', 'scan2'];
		expect(selectFieldNames(['scan*'], present)).toEqual({ fieldNames: ['scan*'], missing: [] });
		expect(selectFieldNames(['*'], present)).toEqual({ fieldNames: ['*'], missing: [] });
		expect(selectFieldNames(['sc*'], present)).toEqual({
			fieldNames: ['scan*', 'scan1', 'scan2'],
			missing: [],
		});
	});

	it('leave the list of fields as it is', () => {
		const present = Object.freeze([...MAIL]) as string[];
		expect(selectFieldNames(['*'], present).fieldNames).toHaveLength(MAIL.length);
	});
});

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
	])('%j and the text %j: %s', (pattern, text, fits) =>
		expect(matcherOf(pattern)(text)).toBe(fits),
	);

	it('is a wildcard when it holds an asterisk', () =>
		expect(['a*', '*', 'a', ''].map(isWildcard)).toEqual([true, true, false, false]));

	const text = fc.string({
		unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '.', '(', '\\', '\n', '€'),
		maxLength: 8,
	});
	const pattern = fc.string({
		unit: fc.constantFrom('a', 'B', 'é', '.', '(', '\\', '*', '*'),
		maxLength: 8,
	});

	it('fits the texts that a plain regular expression fits', () => {
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
			{ numRuns: 3000 },
		);
	});

	it('fits whatever stands in the place of its asterisks', () => {
		fc.assert(
			fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), text, (parts, filling) => {
				expect(matcherOf(parts.join('*'))(parts.join(filling).toUpperCase())).toBe(true);
			}),
		);
	});

	it('with many asterisks is compared at once', () => {
		expect(matcherOf(`${'a*'.repeat(60)}b`)('a'.repeat(20_000))).toBe(false);
	});

	it('selects from any fields each once: those it names, or those it fits', () => {
		fc.assert(
			fc.property(
				fc.array(pattern, { maxLength: 4 }),
				fc.uniqueArray(text, { maxLength: 6 }),
				(patterns, present) => {
					const { fieldNames, missing } = selectFieldNames(patterns, present);
					const meant = (name: string) =>
						patterns.some((given) =>
							present.includes(given)
								? given === name
								: given.includes('*') && matcherOf(given)(name),
						);
					expect([...fieldNames].sort()).toEqual(present.filter(meant).sort());
					expect(missing).toEqual(
						patterns.filter((given) => !given.includes('*') && !present.includes(given)),
					);
				},
			),
		);
	});
});
