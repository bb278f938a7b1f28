import { encodeWord } from 'nodemailer/lib/mime-funcs';

import { completeName, readableName } from '../../../../nodes/DocumentWorkflow/documents/names';
import { anyCharacter, cases, fc } from '../../../properties';

const PDF = 'application/pdf';
/** As a document is named before it is sent. */
const repairFileName = (given: string | undefined, fallback: string, mediaType: string) =>
	completeName(readableName(given, fallback), mediaType);
const repair = (given: string | undefined, mediaType = '') =>
	repairFileName(given, 'attachment_0', mediaType);

describe('a valid file name', () => {
	it.each([
		'Schadenmeldung Müller.pdf',
		'Loss run 2026 (final, v2) #3 & more.xlsx',
		'事故報告書.pdf',
		'تقرير.pdf',
		'👩‍👩‍👧 family claim.pdf',
		"O'Neil's report.pdf",
		"Anlage zu 'Police'.pdf",
		"'Old' and 'new'.pdf",
		'Fwd: Claim 4711.eml',
		'Discount 50% of 20%AB.pdf',
		'20%zz.pdf',
		'Discount of 5%20 for a year.pdf',
		'20%2z.pdf',
		'Discount%20of 5.pdf',
		"Claim utf-8''M%C3%BCller.pdf",
		'a=b?c.pdf',
		'.env',
		'report.pdf.pdf',
	])('is unchanged: %s', (name) => expect(repair(name)).toBe(name));
});

describe('a file name that is missing', () => {
	it.each([
		undefined,
		'',
		'  ',
		'.',
		'..',
		'...',
		'. .',
		'/',
		'\\',
		'../..',
		'""',
		"''",
		'\0',
		'\u202e',
		'\u200b',
		'\ud800',
	])('is replaced by that of the field: %j', (given) => expect(repair(given)).toBe('attachment_0'));

	it('has the extension of the media type', () => {
		expect(repair(undefined, PDF)).toBe('attachment_0.pdf');
		expect(repairFileName('', 'data.pdf', PDF)).toBe('data.pdf');
	});

	it('is "document" when the field has no usable name either', () => {
		expect(repairFileName('..', '../', PDF)).toBe('document.pdf');
		expect(repairFileName('', '.pdf', PDF)).toBe('document.pdf');
	});

	it('is that of the field when there is only an extension', () => {
		expect(repair('.pdf', PDF)).toBe('attachment_0.pdf');
		expect(repair('.pdf', 'image/png')).toBe('attachment_0.pdf');
		expect(repairFileName('/tmp/.pdf', 'data.pdf', PDF)).toBe('data.pdf');
	});

	it('is replaced by the repaired name of the field', () =>
		expect(repairFileName('', 'files/my\tscan', PDF)).toBe('my scan.pdf'));
});

describe('a file name with folders', () => {
	it.each([
		['C:\\x\\a.pdf', 'a.pdf'],
		['../../a.pdf', 'a.pdf'],
		['a/b.pdf', 'b.pdf'],
		['\\\\server\\share\\Police 7.pdf', 'Police 7.pdf'],
		['inbox/a.pdf/', 'a.pdf'],
		['a.pdf/..', 'a.pdf'],
		['"C:\\claims\\a.pdf"', 'a.pdf'],
		['..%2F..%2Fa.pdf', 'a.pdf'],
		['=?utf-8?Q?..=2F..=5Ca.pdf?=', 'a.pdf'],
	])('keeps the last part: %s', (given, name) => expect(repair(given)).toBe(name));
});

describe('a file name with slashes that separate no folders', () => {
	it.each([
		['COI 01/02/2026.pdf', 'COI 01_02_2026.pdf'],
		['1/2/26 COI.pdf', '1_2_26 COI.pdf'],
		['Invoice 12/2026', 'Invoice 12_2026'],
		['COI%2001%2F02%2F2026.pdf', 'COI 01_02_2026.pdf'],
		['=?utf-8?Q?COI_01=2F02=2F2026.pdf?=', 'COI 01_02_2026.pdf'],
		['Claim w/ photos.pdf', 'Claim w_ photos.pdf'],
		['claims/2026/COI 01/02.pdf', 'COI 01_02.pdf'],
	])('is kept: %s', (given, name) => expect(repair(given)).toBe(name));

	it.each([
		['2026/scan.pdf', 'scan.pdf'],
		['claims/2026/11/27.pdf', '27.pdf'],
		['C:\\2026\\11\\scan 1.pdf', 'scan 1.pdf'],
		['claims 1/scan.pdf', 'scan.pdf'],
	])('is not taken for one in folders: %s', (given, name) => expect(repair(given)).toBe(name));
});

describe('invisible characters', () => {
	it.each([
		['clai\0m.pdf', 'claim.pdf'],
		['a\x7fb\x9f.pdf', 'ab.pdf'],
		['invoice\u202efdp.exe', 'invoicefdp.exe'],
		['\ufeffa\u200b.pdf', 'a.pdf'],
		['a\ud83d.pdf', 'a.pdf'],
		['Claim\r\n\tform.pdf', 'Claim form.pdf'],
		['a\u2028b\x85c.pdf', 'a b c.pdf'],
	])('are not sent: %j', (given, name) => expect(repair(given)).toBe(name));
});

describe('the ends of a file name', () => {
	it.each([
		['  report.pdf ', 'report.pdf'],
		['report.pdf. . .', 'report.pdf'],
		['report.', 'report'],
		['"report.pdf"', 'report.pdf'],
		["'report.pdf'", 'report.pdf'],
		[' "it\'s.pdf" ', "it's.pdf"],
	])('lose spaces, dots and quotes: %j', (given, name) => expect(repair(given)).toBe(name));
});

describe('double quotes within a file name', () => {
	it.each([
		['Anlage zu "Police".pdf', "Anlage zu 'Police'.pdf"],
		['"Old" and "new".pdf', "'Old' and 'new'.pdf"],
		['"', "'"],
		['Anlage%22A%22.pdf', "Anlage'A'.pdf"],
	])('become apostrophes, because a form would contain %%22: %s', (given, name) =>
		expect(repair(given)).toBe(name),
	);

	it('become apostrophes in the fallback name too', () =>
		expect(repairFileName(undefined, 'the "scan"', PDF)).toBe("the 'scan'.pdf"));
});

describe('a file name that is encoded for a mail', () => {
	it.each([
		['=?utf-8?B?U2NoYWRlbiBNw7xsbGVyLnBkZg==?=', 'Schaden Müller.pdf'],
		['=?UTF-8?b?U2NoYWRlbiBNw7xsbGVyLnBkZg?=', 'Schaden Müller.pdf'],
		['=?utf-8?B?TcO8bGxl cg== ?=.pdf', 'Müller.pdf'],
		['=?iso-8859-1?Q?Schaden_M=FCller.pdf?=', 'Schaden Müller.pdf'],
		['=?ISO-8859-1?q?Schaden_M=fcller=2Epdf?=', 'Schaden Müller.pdf'],
		['=?windows-1252?Q?=80_1=96.pdf?=', '€ 1–.pdf'],
		['=?iso-2022-jp?B?GyRCO3Y4TkpzOXA9cRsoQg==?=.pdf', '事故報告書.pdf'],
		['=?utf-8*de?Q?M=C3=BCller.pdf?=', 'Müller.pdf'],
		['=?utf-8?Q?Schaden?=\r\n =?iso-8859-1?Q?_M=FCller.pdf?=', 'Schaden Müller.pdf'],
		['=?utf-8?Q?Schaden?==?utf-8?B?IE3DvGxsZXIucGRm?=', 'Schaden Müller.pdf'],
		['=?utf-8?Q?M=C3?= =?UTF-8?Q?=BCller.pdf?=', 'Müller.pdf'],
		['Anlage =?utf-8?Q?M=C3=BCller?= 2.pdf', 'Anlage Müller 2.pdf'],
		['=?utf-8?Q?Schaden Mu=CC=88ller.pdf?=', 'Schaden Müller.pdf'],
		["utf-8''Schadenmeldung%20M%C3%BCller.pdf", 'Schadenmeldung Müller.pdf'],
		["UTF-8'de'Schaden%20M%C3%BCller.pdf", 'Schaden Müller.pdf'],
		["iso-8859-1''M%FCller.pdf", 'Müller.pdf'],
		['Schadenmeldung%20M%C3%BCller.pdf', 'Schadenmeldung Müller.pdf'],
		['a%00b%0Ac.pdf', 'ab c.pdf'],
	])('is decoded: %s', (given, name) => expect(repair(given)).toBe(name));

	it.each([
		'=?x-unknown?Q?M=FCller.pdf?=',
		'=?utf-8?Q?M=FCller.pdf?=',
		'=?utf-8?Q?100=.pdf?=',
		'=?utf-8?B?M!!.pdf?=',
		'=?utf-8?B?TcO8!bGxlcg==?=',
		'=?utf-8?X?abc?=',
		'=?utf-8?Q?M=C3=BCller',
		'=?utf-8?Q?M=C3=BCller?= =?x-unknown?Q?a?=',
		"x-unknown''M%FCller.pdf",
		'M%FCller.pdf',
		"utf-8''100%.pdf",
	])('is unchanged when it cannot be decoded: %s', (name) => expect(repair(name)).toBe(name));

	it('has its slashes replaced when it cannot be decoded, so that nothing is lost', () => {
		expect(repair('inbox/=?x-unknown?B?YS9i/w==?=')).toBe('=?x-unknown?B?YS9i_w==?=');
	});

	it('is decoded as the mail program meant it', () => {
		fc.assert(
			fc.property(
				anyReadableName,
				fc.constantFrom('Q' as const, 'B' as const),
				fc.integer({ min: 16, max: 75 }),
				(name, encoding, width) => {
					expect(repair(encodeWord(name, encoding, width))).toBe(repair(name));
					expect(repair(`utf-8''${encodeURIComponent(name)}`)).toBe(repair(name));
					expect(repair(encodeURIComponent(name))).toBe(repair(name));
				},
			),
		);
	});
});

describe('a file name whose UTF-8 was read as Latin-1', () => {
	it.each([
		'Rechnung März.pdf',
		'Überschwemmung.txt',
		'Ålesund à la carte.pdf',
		'見積書.pdf',
		'🏠 damage.jpg',
		'見積書',
	])('is corrected: %s', (name) => {
		expect(repair(Buffer.from(name, 'utf8').toString('latin1'))).toBe(name);
	});

	it.each(['Rechnung März.pdf', '見積書.pdf', 'MÃ¼ller – Söhne.pdf', 'MÃ¼ller – 1.pdf', 'Ã.pdf'])(
		'is not recognized in %j',
		(name) => expect(repair(name)).toBe(name),
	);
});

describe('the extension of a file name', () => {
	it.each([
		['scan.2026', PDF, 'scan.2026.pdf'],
		['scan', 'application/pdf; name=x', 'scan.pdf'],
		['report.jpeg', 'image/jpeg', 'report.jpeg'],
		['REPORT.PDF', PDF, 'REPORT.PDF'],
		['=?utf-8?Q?M=C3=BCller=2Epdf?=', PDF, 'Müller.pdf'],
		['report.docx', PDF, 'report.docx'],
		['Letter to Mr.Smith', PDF, 'Letter to Mr.Smith.pdf'],
		['v1.2 final', 'image/jpg', 'v1.2 final.jpg'],
		['report.', PDF, 'report.pdf'],
		['table.xlsm', 'application/vnd.ms-excel', 'table.xlsm'],
		['photo', 'image/unheard-of', 'photo'],
		['photo', 'application/octet-stream', 'photo'],
	])('is added when it is missing: %s as %s', (given, mediaType, name) =>
		expect(repair(given, mediaType)).toBe(name),
	);

	it.each([
		['submission.al3', 'text/plain', 'submission.al3'],
		['map.KMZ', 'application/zip', 'map.KMZ'],
		['note', 'text/plain', 'note.txt'],
		['note.2026', 'text/plain', 'note.2026.txt'],
	])('is kept when the media type has many extensions: %s as %s', (given, mediaType, name) =>
		expect(repair(given, mediaType)).toBe(name),
	);
});

describe('a long file name', () => {
	it('is cut to 255 bytes, and keeps its extension', () => {
		expect(repair(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`);
		expect(repair('a'.repeat(300), PDF)).toBe(`${'a'.repeat(251)}.pdf`);
		expect(repair(`${'a'.repeat(251)}.pdf`)).toHaveLength(255);
		expect(repair(`${'a'.repeat(250)} .pdf`)).toBe(`${'a'.repeat(250)} .pdf`);
		expect(repair('a'.repeat(300))).toBe('a'.repeat(255));
		expect(repair(`v1. ${'a'.repeat(300)}`)).toBe(`v1. ${'a'.repeat(251)}`);
	});

	it('is cut between two characters', () => {
		expect(repair(`${'ü'.repeat(300)}.pdf`)).toBe(`${'ü'.repeat(125)}.pdf`);
		expect(repair(`a${'👍'.repeat(100)}.pdf`)).toBe(`a${'👍'.repeat(62)}.pdf`);
	});

	it('does not end in spaces and dots after it was cut', () => {
		expect(repair(`${'a'.repeat(249)} . ${'b'.repeat(50)}.pdf`)).toBe(`${'a'.repeat(249)}.pdf`);
	});

	it('is "document" when nothing remains of it', () =>
		expect(repair(`${'.'.repeat(300)}x`, PDF)).toBe('document.pdf'));

	it('is used from its end when it is too long for any name', () =>
		expect(repair(`${'%41'.repeat(3000)}/policy.pdf`)).toBe('policy.pdf'));
});

describe('a file name that was encoded twice', () => {
	it.each([
		['M%25C3%25BCller.pdf', 'M%C3%BCller.pdf'],
		['=?utf-8?Q?=3D=3Futf-8=3FQ=3Fa=3F=3D?=', '=?utf-8?Q?a?='],
		['"\'report.pdf\'"', "'report.pdf'"],
	])('is decoded once: %s', (given, name) => expect(repair(given)).toBe(name));
});

const anyReadableName = fc
	.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
	.map((name) =>
		name
			.normalize('NFC')
			.replace(/[%'"=/\\]|[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
			.replace(/ {2,}/g, ' ')
			.trim(),
	)
	.filter((name) => name !== '' && !name.includes('=?'));

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
describe('any file name', () => {
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
			cases(3_000),
		);
	});
});
