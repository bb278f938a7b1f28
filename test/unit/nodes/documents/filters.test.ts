import type { Filters } from '../../../../nodes/DocumentWorkflow/documents/filters';
import { matcherOf, reasonToSkip } from '../../../../nodes/DocumentWorkflow/documents/filters';
import { cases, fc } from '../../../properties';

const OFF: Filters = {
	fileNamePatterns: [],
	extensions: [],
	mediaTypes: [],
	smallestBytes: undefined,
	largestBytes: undefined,
};
const policy = { fileName: 'Policy 2026.PDF', mediaType: 'application/pdf', bytes: 5000 };

describe('a document is sent', () => {
	it.each<[string, Partial<Filters>]>([
		['without filters', {}],
		['when its name matches one of the patterns', { fileNamePatterns: ['claim*', 'policy*'] }],
		['when it has one of the extensions', { extensions: ['docx', 'pdf'] }],
		['when it has one of the types', { mediaTypes: ['text/plain', 'application/pdf'] }],
		['when its type matches a wildcard', { mediaTypes: ['application/*'] }],
		['when it is exactly as small as is allowed', { smallestBytes: 5000 }],
		['when it is exactly as large as is allowed', { largestBytes: 5000 }],
	])('%s', (_, filters) => expect(reasonToSkip(policy, { ...OFF, ...filters })).toBeUndefined());
});

describe('a document is skipped', () => {
	it.each<[string, Partial<Filters>]>([
		['its name does not match claim*, *.docx', { fileNamePatterns: ['claim*', '*.docx'] }],
		['its extension is not one of docx, tif', { extensions: ['docx', 'tif'] }],
		[
			'its type, application/pdf, is not one of image/*, text/plain',
			{ mediaTypes: ['image/*', 'text/plain'] },
		],
		['it is smaller than 5.001 kB', { smallestBytes: 5001 }],
		['it is smaller than 2.5 MB', { smallestBytes: 2_500_000 }],
		['it is smaller than 1 MB', { smallestBytes: 1_000_000 }],
		['it is smaller than 999.999 kB', { smallestBytes: 999_999 }],
		['it is larger than 4.999 kB', { largestBytes: 4999 }],
		['it is larger than 0.5 kB', { largestBytes: 500 }],
	])('with the reason that %s', (reason, filters) =>
		expect(reasonToSkip(policy, { ...OFF, ...filters })).toBe(reason),
	);

	it('with the first of several reasons', () => {
		expect(reasonToSkip(policy, { ...OFF, extensions: ['tif'], largestBytes: 1 })).toBe(
			'its extension is not one of tif',
		);
	});

	it('when it has no extension but the filter requires one', () => {
		expect(reasonToSkip({ ...policy, fileName: 'pdf' }, { ...OFF, extensions: ['pdf'] })).toBe(
			'its extension is not one of pdf',
		);
		expect(
			reasonToSkip({ ...policy, fileName: 'a.pdf.exe' }, { ...OFF, extensions: ['pdf'] }),
		).toBe('its extension is not one of pdf');
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
	])('%j matches the text %j: %s', (pattern, text, fits) =>
		expect(matcherOf(pattern)(text)).toBe(fits),
	);

	const text = fc.string({
		unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '.', '(', '\\', '\n', '€'),
		maxLength: 8,
	});
	const pattern = fc.string({
		unit: fc.constantFrom('a', 'B', 'é', '.', '(', '\\', '*', '*'),
		maxLength: 8,
	});

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
