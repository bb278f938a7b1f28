import {
	inOneLine,
	labelCreate,
} from '../../../../../nodes/DocumentWorkflow/actions/sending/journal';
import { documentOf, submissionOf } from '../../../support/documents';
import { anyCharacter, cases, fc } from '../../../../properties';

const shown = (names: string[], externalId = '', fileUrls: string[] = []) =>
	inOneLine(
		labelCreate(
			submissionOf({
				itemIndexes: [2],
				documents: names.map((fileName) => documentOf('1', { fileName })),
				fileUrls,
				about: externalId === '' ? {} : { externalId },
			}),
		),
	);

describe('the label of a create in one line', () => {
	it('names the item, up to three documents and the External ID', () => {
		expect(shown([])).toBe('item 2');
		expect(shown(['a.pdf'])).toBe('item 2 (a.pdf)');
		expect(shown(['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'], 'INV-1')).toBe(
			'item 2 (a.pdf, b.pdf, c.pdf and 2 more), External ID "INV-1"',
		);
	});

	it('names addresses without their signatures', () => {
		expect(shown([], '', ['https://files.example.com/a.pdf?sig=secret'])).not.toContain('secret');
	});

	it('is one short line, whatever the names and the External ID are', () => {
		const part = fc.oneof(
			fc.string({ unit: anyCharacter, maxLength: 40 }),
			fc.constantFrom('\n', '\u2028', '\u202e', '\u0000', 'eyJhbGciOiJIUzI1NiJ9.e30.x', '"'),
		);
		const text = fc
			.tuple(part, fc.integer({ min: 1, max: 2_000 }))
			.map(([each, times]) => each.repeat(times).slice(0, 100_000));
		fc.assert(
			fc.property(fc.array(text, { maxLength: 5 }), text, (names, externalId) => {
				const line = shown(names, externalId);
				expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
				expect(line).not.toContain('eyJhbGci');
				expect(line.length).toBeLessThan(900);
			}),
			cases(60),
		);
	});
});
