import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer';
import { PDFDocument } from 'pdf-lib';

import {
	extensionOf,
	HEAD_BYTES,
	mediaTypeOfBytes,
} from '../../../../../nodes/DocumentWorkflow/documents/types/mediaTypes';
import {
	bitmap,
	bytes,
	compound,
	doc,
	docx,
	jpeg,
	loginPage,
	office,
	pdf,
	photo,
	png,
	xlsx,
	zip,
} from './heads';
import { cases, fc } from '../../../../properties';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const ODT = 'application/vnd.oasis.opendocument.text';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const PDF = 'application/pdf';
const ZIP = 'application/zip';
const COMPOUND = 'application/x-cfb';
const MAIL = 'message/rfc822';

const example = (name: string) =>
	readFileSync(join(__dirname, '../../../../../examples/documents', name));
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('the media type by the first bytes', () => {
	it.each([
		['a PDF', pdf, PDF],
		[
			'a PDF behind the headers of an answer',
			bytes(`HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n${pdf.toString('latin1')}`),
			PDF,
		],
		['a PDF behind a byte order mark', Buffer.from('\ufeff%PDF-1.4\n'), PDF],
		['a PDF behind 1,000 bytes', Buffer.concat([Buffer.alloc(1000, 0), pdf]), PDF],
		['a PNG image', png, 'image/png'],
		['a JPEG image', jpeg, 'image/jpeg'],
		['a GIF image of 1987', bytes('GIF87a\x01\0'), 'image/gif'],
		['a GIF image of 1989', bytes('GIF89a\x01\0'), 'image/gif'],
		['a TIFF image, low byte first', bytes('II*\0\x08\0\0\0'), 'image/tiff'],
		['a TIFF image, high byte first', bytes('MM\0*\0\0\0\x08'), 'image/tiff'],
		['a TIFF image beyond 4 GB, low byte first', bytes('II+\0\x08\0'), 'image/tiff'],
		['a TIFF image beyond 4 GB, high byte first', bytes('MM\0+\0\x08'), 'image/tiff'],
		['a BMP image', bitmap(), 'image/bmp'],
		['a newer BMP image', bitmap(124), 'image/bmp'],
		['a BMP image of which hardly anything is known', bitmap().subarray(0, 18), 'image/bmp'],
		['a WebP image', bytes('RIFF\x24\0\0\0WEBPVP8 '), 'image/webp'],
		['a photo of a phone', photo('heic', 'mif1', 'heic'), 'image/heic'],
		['a photo of another phone', photo('mif1', 'heic'), 'image/heic'],
		['a HEIF image of no named codec', photo('mif1', 'miaf'), 'image/heif'],
		['an AVIF image', photo('avif', 'mif1'), 'image/avif'],
		['a sequence of AVIF images', photo('avis', 'msf1'), 'image/avif'],
		['a sequence of photos of no named codec', photo('msf1'), 'image/heif'],
		['an RTF document', bytes('{\\rtf1\\ansi'), 'application/rtf'],
		['a gzip archive', bytes('\x1f\x8b\x08\0'), 'application/gzip'],
		['a 7z archive', bytes('7z\xbc\xaf\x27\x1c\0\x04'), 'application/x-7z-compressed'],
		['a RAR archive', bytes('Rar!\x1a\x07\x01\0'), 'application/vnd.rar'],
		['a ZIP archive', zip({ name: 'claims/photo.jpg' }), ZIP],
		['an empty ZIP archive', bytes(`PK\x05\x06${'\0'.repeat(18)}`), ZIP],
		['a ZIP archive of several parts', bytes('PK\x07\x08PK\x03\x04'), ZIP],
		['a Word document', docx, DOCX],
		[
			'a Word document whose list of parts comes last',
			zip({ name: '_rels/.rels' }, { name: 'docProps/app.xml' }, { name: 'word/document.xml' }),
			DOCX,
		],
		['a Word document that begins with its text', zip({ name: 'word/document.xml' }), DOCX],
		['an Excel workbook', xlsx, XLSX],
		['a binary Excel workbook', office('xl/workbook.bin'), XLSX],
		['a PowerPoint presentation', office('ppt/presentation.xml'), PPTX],
		['an Office document whose parts lie further on', office(), ZIP],
		[
			'a ZIP archive with a Word document in it',
			zip({ name: 'offer.docx', content: docx.toString('latin1') }),
			ZIP,
		],
		[
			'a ZIP archive with a folder named word',
			zip({ name: 'word/' }, { name: 'word/list.txt' }),
			ZIP,
		],
		['an OpenDocument text', zip({ name: 'mimetype', content: ODT }, { name: 'content.xml' }), ODT],
		[
			'an OpenDocument spreadsheet',
			zip({ name: 'mimetype', content: ODS, extra: 4 }, { name: 'content.xml' }),
			ODS,
		],
		[
			'a ZIP archive with the parts of an OpenDocument text further on',
			zip({ name: 'a.txt' }, { name: 'mimetype', content: ODT }, { name: 'content.xml' }),
			ZIP,
		],
		[
			'a template of an OpenDocument text',
			zip({ name: 'mimetype', content: `${ODT}-template` }, { name: 'content.xml' }),
			ZIP,
		],
		['an older Word document', doc, 'application/msword'],
		['an older Excel workbook', compound(['Workbook']), 'application/vnd.ms-excel'],
		['an Excel workbook of 1995', compound(['Book'], { sector: 0 }), 'application/vnd.ms-excel'],
		[
			'an older PowerPoint presentation',
			compound(['Pictures', 'PowerPoint Document']),
			'application/vnd.ms-powerpoint',
		],
		[
			'an Outlook message',
			compound(['__nameid_version1.0', '__substg1.0_001A001F']),
			'application/vnd.ms-outlook',
		],
		[
			'an Outlook message with a Word document in it',
			compound(['WordDocument', '__properties_version1.0']),
			'application/vnd.ms-outlook',
		],
		[
			'an Office document with a password',
			compound(['EncryptionInfo', 'EncryptedPackage']),
			COMPOUND,
		],
		[
			'a compound file whose directory lies further on',
			compound(['WordDocument'], { sector: 40 }),
			COMPOUND,
		],
		[
			'a compound file of large sectors',
			compound(['WordDocument'], { sector: 0, sectorShift: 12 }),
			COMPOUND,
		],
		['the beginning of a compound file', compound([]).subarray(0, 100), COMPOUND],
		['a web page', loginPage, 'text/html'],
		['a web page without a doctype', bytes('<HTML><BODY>'), 'text/html'],
		[
			'a web page that only goes on to another',
			bytes("<script>location='/login'</script>"),
			'text/html',
		],
		['a web page with comments first', bytes('<!-- a --> <!-- <b> -->\n<html>'), 'text/html'],
		[
			'a web page in XML',
			bytes('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">'),
			'text/html',
		],
		['a web page in UTF-16', utf16('<html>'), 'text/html'],
		[
			'a web page in ISO 8859-1',
			bytes('<html><title>Anmeldung f\xfcr Kunden</title>'),
			'text/html',
		],
		['a web page in windows-1252', bytes('<html><title>\x96 100 \x80</title>'), 'text/html'],
		['an XML document', bytes('\xef\xbb\xbf<?xml version="1.0"?><ACORD/>'), 'application/xml'],
		[
			'an XML document in ISO 8859-1',
			bytes('<?xml version="1.0" encoding="ISO-8859-1"?><Stra\xdfe/>'),
			'application/xml',
		],
		[
			'an XML document behind an empty line',
			bytes('\n<?xml version="1.0"?><ACORD/>'),
			'application/xml',
		],
		['a JSON object', bytes('\n{ "policy\\"": 1 }'), 'application/json'],
		['a list of JSON objects', bytes('[{"a":1}]'), 'application/json'],
		['plain text', Buffer.from('Schaden: Müller\tx\r\n\f'), 'text/plain'],
		['a list in brackets', bytes('[1] first, {"a"} second'), 'text/plain'],
		['plain text in UTF-16, low byte first', utf16('Schaden Müller'), 'text/plain'],
		['plain text in UTF-16, high byte first', utf16('Schaden Müller').swap16(), 'text/plain'],
		['text that names a kind of PDF', bytes('Send it as %PDF-A please'), 'text/plain'],
		[
			'text that begins like a BMP image',
			bytes('BMW 320d, damaged at the left door'),
			'text/plain',
		],
		['text with the name of a format', bytes('Photos: WEBP, 3 of them'), 'text/plain'],
		[
			'text that looks like the head of a mail',
			bytes('From: Adjuster\nTo: File\nSubject: Roof\n\nSeen today.'),
			'text/plain',
		],
		[
			'a part of an answer',
			bytes('Content-Type: text/html\nMIME-Version: 1.0\n\nHello'),
			'text/plain',
		],
		[
			'text with lines like those of a mail',
			bytes('Hello,\nFrom: Adjuster\nContent-Type: roof\n\n'),
			'text/plain',
		],
	])('is found for %s', (_what, head, mediaType) => expect(mediaTypeOfBytes(head)).toBe(mediaType));

	it.each(['heix', 'heim', 'heis', 'hevc', 'hevx'])(
		'is found for a photo of the brand %s',
		(brand) => expect(mediaTypeOfBytes(photo(brand, 'mif1'))).toBe('image/heic'),
	);

	it.each(['Seen today.\n\n', 'Seen today.\nSubj', 'From here on, by hand:\nTo: File\n\n'])(
		'is found for text that begins like a mail and goes on with %j',
		(end) =>
			expect(mediaTypeOfBytes(bytes(`Received: today\nFrom: Adjuster\n${end}`))).toBe('text/plain'),
	);

	it.each([
		['no bytes', Buffer.alloc(0)],
		['a video', photo('isom', 'mp42')],
		['a sound', bytes('RIFF\x24\0\0\0WAVEfmt ')],
		['text in ISO 8859-1', bytes('Schaden M\xfcller')],
		['text with a control character', bytes('Schaden\x1b[0m')],
		['text with a control character of the upper half', Buffer.from('Schaden\x9f')],
		['UTF-16 without a byte order mark', Buffer.from('Schaden', 'utf16le')],
		['UTF-32', bytes('\xff\xfe\0\0a\0\0\0')],
		['half a character at the end of the document', Buffer.from('ü').subarray(0, 1)],
		['the beginning of a BMP image', bitmap().subarray(0, 17)],
		['bytes like those of a BMP image without its name', bitmap().fill('?', 0, 2)],
		[
			'bytes like those of a BMP image with others in place of its zeros',
			bitmap().fill('?', 6, 10),
		],
		['a web page with NUL', bytes('<html>\0\xff')],
		['a PDF header behind 2,000 bytes', Buffer.concat([Buffer.alloc(2000, 0), pdf])],
	])('is unknown for %s', (_what, head) => expect(mediaTypeOfBytes(head)).toBeUndefined());

	it.each([
		['application.pdf', PDF],
		['first-notice-of-loss.eml', MAIL],
		['submission.eml', MAIL],
		['claim-note.txt', 'text/plain'],
		['invoice.expected.json', 'application/json'],
	])('is right for %s', (name, mediaType) =>
		expect(mediaTypeOfBytes(example(name).subarray(0, HEAD_BYTES))).toBe(mediaType),
	);

	it('is found for a PDF that pdf-lib wrote', async () => {
		const document = await PDFDocument.create();
		document.addPage();
		expect(mediaTypeOfBytes(await document.save())).toBe(PDF);
	});

	it('is found for a mail, even if its head is truncated or it comes from a mailbox file', async () => {
		const to = Array.from({ length: 200 }, (_, number) => `recipient-${number}@example.com`);
		const composed = await new MailComposer({
			from: 'a@example.com',
			to,
			subject: 'Müller',
			text: 'Schaden',
			html: '<html>',
		})
			.compile()
			.build();
		const mail = Buffer.concat([
			bytes(
				'Received: from mail.example.com by mx.example.com;\r\n Mon, 7 Dec 2026 15:40:00 +0000\r\n',
			),
			composed,
		]);
		expect(mediaTypeOfBytes(mail)).toBe(MAIL);
		expect(mail.indexOf('\r\n\r\n')).toBeGreaterThan(HEAD_BYTES);
		expect(mediaTypeOfBytes(mail.subarray(0, HEAD_BYTES))).toBe(MAIL);
		expect(
			mediaTypeOfBytes(
				bytes(`Received: from x\nFrom: y\nX-Long: ${'x'.repeat(HEAD_BYTES - 39)}\nSubject: z\n\n`),
			),
		).toBe(MAIL);
		expect(
			mediaTypeOfBytes(
				Buffer.concat([bytes('From a@example.com Mon Dec  7 15:40:00 2026\n'), mail]),
			),
		).toBe(MAIL);
		expect(mediaTypeOfBytes(bytes('Received: from x\nFrom: y\n\nSch\xf6ne Gr\xfc\xdfe'))).toBe(
			MAIL,
		);
	});

	it('is the same for a view of a larger memory', () => {
		const memory = new Uint8Array(100);
		memory.set(png, 40);
		expect(mediaTypeOfBytes(memory.subarray(40))).toBe('image/png');
	});

	it('is text, wherever a long text is truncated', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(3), (piece, shift) => {
				const line = piece.replace(/\p{C}/gu, '') + 'ü€👍\n';
				const text =
					'x'.repeat(shift) + line.repeat(Math.ceil(HEAD_BYTES / Buffer.byteLength(line)) + 1);
				expect(mediaTypeOfBytes(Buffer.from(text).subarray(0, HEAD_BYTES))).toBe('text/plain');
			}),
		);
	});

	it('is detected without an error in any bytes, even after the signature of a format', () => {
		const starts = [
			pdf,
			png,
			docx,
			zip({ name: 'mimetype' }),
			doc,
			photo('heic'),
			bitmap(),
			bytes('From a\nFrom: b\n'),
			bytes('\xff\xfe'),
			bytes(''),
		];
		fc.assert(
			fc.property(
				fc.constantFrom(...starts),
				fc.nat(600),
				fc.uint8Array({ maxLength: 600 }),
				(start, kept, rest) => {
					const found = mediaTypeOfBytes(Buffer.concat([start.subarray(0, kept), rest]));
					expect(
						found === undefined || extensionOf(found) !== undefined || found === COMPOUND,
					).toBe(true);
				},
			),
			cases(500),
		);
	});
});
