import { completeName, readableName } from '../../../../nodes/DocumentWorkflow/documents/names';
import { anyCharacter, fc } from '../../../properties';

const PDF = 'application/pdf';

/** As a document is named before it is sent. */
export const repairFileName = (given: string | undefined, fallback: string, mediaType: string) =>
	completeName(readableName(given, fallback), mediaType);

const piece = fc.oneof(
	fc.string({ unit: anyCharacter }),
	fc.string({ unit: 'grapheme', maxLength: 200 }),
	fc.constantFrom(
		'.',
		'..',
		' ',
		'/',
		'\\',
		'"',
		"'",
		"utf-8''",
		"iso-8859-1'en'",
		'%',
		'%2F',
		'%25',
		'%C3%BC',
		'%zz',
		'=?',
		'?=',
		'=3D=3F',
	),
	fc.constantFrom(
		'=?utf-8?Q?',
		'=?utf-8?B?',
		'=?x?B?',
		'TcO8bGxlcg==',
		'YS9i',
		'/w==',
		'=C3',
		'=BC',
		'.pdf',
		'.PDF',
		'.docx',
		'.al3',
		'\r\n ',
		'\0',
	),
	fc.constantFrom(
		'\u0958',
		'\u0301',
		'\u212a',
		'\u0130',
		'\ud800',
		'\u202e',
		'\ufeff',
		'a'.repeat(250),
		'ü'.repeat(130),
		'. '.repeat(130),
	),
);
const anyName = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const mediaType = fc.constantFrom(
	'',
	PDF,
	'text/plain',
	'image/jpeg',
	'application/zip',
	'message/rfc822',
	'application/octet-stream',
);
/** Tests the repair with this number of random names. */
export function testAnyFileName(numRuns: number): void {
	const runs = { numRuns };

	it('can be sent after the repair', () => {
		fc.assert(
			fc.property(anyName, anyName, mediaType, (given, fallback, type) => {
				const name = repairFileName(given, fallback, type);
				expect(name).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029/\\"]/u);
				expect(name).not.toMatch(/^\s|[.\s]$|^\.*$/);
				expect(name).toBe(name.normalize('NFC'));
				expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
				if (type === PDF) expect(name).toMatch(/.\.(?:pdf|docx)$/i);
			}),
			runs,
		);
	});
}
