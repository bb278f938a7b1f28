import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	contradiction,
	extensionIn,
	extensionOf,
	isGeneral,
	mediaTypeOfExtension,
	repairMediaType,
} from '../../../../../nodes/DocumentWorkflow/documents/types/mediaTypes';
import { bytes, compound, doc, docx, jpeg, loginPage, office, pdf, png, xlsx, zip } from './heads';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PDF = 'application/pdf';
const ZIP = 'application/zip';
const COMPOUND = 'application/x-cfb';
const MAIL = 'message/rfc822';

const submission = readFileSync(
	join(__dirname, '../../../../../examples/documents/submission.eml'),
);

describe('media types and extensions', () => {
	it.each([
		[PDF, 'pdf'],
		['IMAGE/JPG; name=x', 'jpg'],
		['image/pjpeg', 'jpg'],
		['text/xml', 'xml'],
		['text/plain; charset=utf-8', 'txt'],
		[MAIL, 'eml'],
		['application/x-zip-compressed', 'zip'],
		['application/octet-stream', undefined],
		[COMPOUND, undefined],
		['', undefined],
	])('%s has the extension %s', (mediaType, extension) =>
		expect(extensionOf(mediaType)).toBe(extension),
	);

	it.each([
		['pdf', PDF],
		['JPEG', 'image/jpeg'],
		['tiff', 'image/tiff'],
		['htm', 'text/html'],
		['xlsm', 'application/vnd.ms-excel.sheet.macroenabled.12'],
		['dwg', undefined],
		['', undefined],
	])('the extension %s stands for %s', (extension, mediaType) =>
		expect(mediaTypeOfExtension(extension)).toBe(mediaType),
	);

	it('are consistent with each other', () => {
		const extensions =
			'pdf jpg png gif tif bmp webp heic heif avif zip gz 7z rar docx xlsx pptx docm xlsm xlsb pptm doc xls ppt msg rtf odt ods odp eml html xhtml xml svg json csv tsv md ics vcf txt';
		for (const extension of extensions.split(' '))
			expect([extension, extensionOf(mediaTypeOfExtension(extension) ?? '')]).toEqual([
				extension,
				extension,
			]);
	});

	it.each([
		['a.PDF', 'pdf'],
		['a.b.tif ', 'tif'],
		['a.', ''],
		['a', ''],
	])('include for the file name %j the extension %j', (fileName, extension) =>
		expect(extensionIn(fileName)).toBe(extension),
	);

	it('show which media types have unknown extensions too', () => {
		expect(['text/plain', ZIP, 'text/xml', 'application/json; x=y'].every(isGeneral)).toBe(true);
		expect([PDF, 'text/csv', DOCX, 'application/octet-stream', ''].some(isGeneral)).toBe(false);
	});
});

describe('the repair of a media type', () => {
	const nothing = Buffer.alloc(0);

	it.each([
		['image/png', 'image/png'],
		[' Application/PDF ; name="a.pdf"', PDF],
		['text/csv; charset=iso-8859-1', 'text/csv'],
		['application/pdf, application/pdf', PDF],
		['image/jpg', 'image/jpg'],
		[
			'application/vnd.ms-excel.sheet.macroEnabled.12',
			'application/vnd.ms-excel.sheet.macroenabled.12',
		],
		['x-world/x-vrml', 'x-world/x-vrml'],
		['text/plain', 'text/plain'],
	])('keeps a specific type: %s', (given, mediaType) =>
		expect(repairMediaType(given, 'a.gif', nothing)).toBe(mediaType),
	);

	it.each([
		undefined,
		'',
		'pdf',
		'.pdf',
		'undefined',
		'/',
		'image/',
		'image/*',
		'*/*',
		'unknown/unknown',
		'file/pdf',
		'image/png\r\nX-Header: 1',
		'application/octet-stream',
		'application/octet-stream; charset=binary',
		'Application/Octetstream',
		'application/octet',
		'binary/octet-stream',
		'application/x-octet-stream',
		'application/binary',
		'application/unknown',
		'application/x-unknown-content-type',
		'application/download',
		'application/x-download',
		'application/force-download',
		'application/x-force-download',
		'application/save',
		'application/file',
	])('replaces an unspecific type: %j', (given) =>
		expect(repairMediaType(given, 'a.gif', png)).toBe('image/png'),
	);

	it('keeps a specific type even when the bytes show another', () => {
		expect(repairMediaType(PDF, 'a.pdf', png)).toBe(PDF);
		expect(repairMediaType('text/csv', 'a.csv', xlsx)).toBe('text/csv');
	});

	it('uses the type of the bytes, otherwise of the extension, otherwise octet-stream', () => {
		expect(repairMediaType('', 'a.pdf', png)).toBe('image/png');
		expect(repairMediaType('', 'a.PDF', bytes('\0'))).toBe(PDF);
		expect(repairMediaType('', 'a.dwg', bytes('\0'))).toBe('application/octet-stream');
		expect(repairMediaType('', 'a', nothing)).toBe('application/octet-stream');
	});

	it.each([
		['list.csv', bytes('a;b\n'), 'text/csv'],
		['offer.docx', office(), DOCX],
		['offer.docm', docx, 'application/vnd.ms-word.document.macroenabled.12'],
		['bordereau.xlsb', xlsx, 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
		['locked.xlsx', compound(['EncryptedPackage']), XLSX],
		['old.xls', compound(['Workbook'], { sector: 40 }), 'application/vnd.ms-excel'],
		['mail.msg', compound([], { sector: 40 }), 'application/vnd.ms-outlook'],
		['logo.svg', bytes('<?xml version="1.0"?><svg/>'), 'image/svg+xml'],
		['page.xhtml', bytes('<?xml version="1.0"?><html/>'), 'application/xhtml+xml'],
		['offer.zip', docx, DOCX],
		['offer.doc', bytes('{\\rtf1'), 'application/rtf'],
		['offer.docx', loginPage, 'text/html'],
		['data.txt', bytes('{"a":1}'), 'application/json'],
	])('refines the type of the bytes by the extension: %s', (fileName, head, mediaType) => {
		expect(repairMediaType(undefined, fileName, head)).toBe(mediaType);
	});

	it('ignores the text/plain that n8n gives to unknown files', () => {
		expect(repairMediaType('text/plain', 'scan', pdf)).toBe(PDF);
		expect(repairMediaType('text/plain', 'page', loginPage)).toBe('text/plain');
		expect(repairMediaType('text/plain', 'notes.txt', bytes('M\xfcller'))).toBe('text/plain');
	});
});

describe('a document whose content differs from its name', () => {
	it.each([
		['policy.pdf', loginPage, 'a PDF', 'a web page (HTML)'],
		['policy.PDF', bytes('{"error":"expired"}'), 'a PDF', 'JSON data'],
		['policy.pdf', bytes('Not found'), 'a PDF', 'plain text'],
		['policy.pdf', bytes('<?xml version="1.0"?><Error/>'), 'a PDF', 'an XML document'],
		['policy.pdf', png, 'a PDF', 'a PNG image'],
		['policy.pdf', docx, 'a PDF', 'a Word document'],
		['policy.pdf', zip({ name: 'a.pdf' }), 'a PDF', 'a ZIP archive'],
		['policy.pdf', compound(['EncryptedPackage']), 'a PDF', 'an older Office file'],
		['photo.jpg', pdf, 'a JPEG image', 'a PDF'],
		['photo.jpg', loginPage, 'a JPEG image', 'a web page (HTML)'],
		['offer.docx', loginPage, 'a Word document', 'a web page (HTML)'],
		['offer.docx', xlsx, 'a Word document', 'an Excel workbook'],
		['offer.doc', pdf, 'an older Word document', 'a PDF'],
		['offer.doc', xlsx, 'an older Word document', 'an Excel workbook'],
		['list.csv', xlsx, 'a CSV table', 'an Excel workbook'],
		['list.txt', doc, 'plain text', 'an older Word document'],
		['mail.msg', submission, 'an Outlook message', 'an e-mail message'],
		['mail.msg', doc, 'an Outlook message', 'an older Word document'],
		['mail.eml', pdf, 'an e-mail message', 'a PDF'],
		['all.zip', bytes('7z\xbc\xaf\x27\x1c'), 'a ZIP archive', 'a 7z archive'],
		['letter.rtf', loginPage, 'an RTF document', 'a web page (HTML)'],
		['letter.odt', docx, 'an OpenDocument text', 'a Word document'],
	])('is reported: %s', (fileName, head, claimed, found) =>
		expect(contradiction(fileName, head)).toEqual({ claimed, found }),
	);

	it.each([
		['what it says', 'policy.pdf', pdf],
		['a PDF behind other bytes', 'policy.pdf', bytes('<br />\nWarning: x\n%PDF-1.4\n%\xe2\xe3')],
		['the other spelling', 'photo.jpeg', jpeg],
		['another kind of image', 'photo.jpg', png],
		['another kind of image', 'logo.svg', png],
		['an archive that may be a Word document', 'offer.docx', office()],
		['a Word document, which is an archive', 'offer.zip', docx],
		['a workbook with macros', 'list.xlsm', xlsx],
		['an Office document with a password', 'offer.docx', compound(['EncryptedPackage'])],
		['an older file that may be a message', 'mail.msg', compound([], { sector: 40 })],
		['a newer Word document', 'offer.doc', docx],
		['an older Word document', 'offer.docx', doc],
		['RTF, which Word writes as .doc', 'offer.doc', bytes('{\\rtf1')],
		['a Word document', 'offer.rtf', docx],
		['a newer workbook', 'list.xls', xlsx],
		['a report that is to be opened with Excel', 'list.xls', bytes('<html><table>')],
		['a table of text that is to be opened with Excel', 'list.xls', bytes('a\tb\n')],
		['a single-file web page for Word', 'offer.doc', bytes('Date: today\nMIME-Version: 1.0\n\n')],
		['JSON', 'a.txt', bytes('{"a":1}')],
		['a web page', 'a.txt', loginPage],
		['plain text', 'a.html', bytes('Hello')],
		['plain text', 'a.json', bytes('Hello')],
		['plain text', 'a.xml', bytes('Hello')],
		['plain text', 'a.eml', bytes('Hello')],
		['a mail', 'a.csv', submission],
		['what nobody knows', 'policy.pdf', bytes('\x01\x02')],
		['under a name that nobody knows', 'plan.dwg', pdf],
		['under a name without an extension', 'pdf', png],
		['empty', 'policy.pdf', Buffer.alloc(0)],
	])('is accepted when it is %s: %s', (_what, fileName, head) =>
		expect(contradiction(fileName, head)).toBeUndefined(),
	);
});
