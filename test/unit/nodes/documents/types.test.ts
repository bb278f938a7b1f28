import {
	contradiction,
	extensionIn,
	extensionOf,
	isGeneral,
	kindNamed,
	kindWithin,
	mediaTypeOf,
} from '../../../../nodes/DocumentWorkflow/documents/types';
import { fc } from '../../../properties';

/** Bytes as characters up to 255. */
const bytes = (text: string) => Buffer.from(text, 'latin1');

/** The first box of a phone's photo. Brands have four letters. */
function photo(...brands: string[]): Buffer {
	const box = bytes(`....ftyp${brands[0]}....${brands.slice(1).join('')}`);
	box.writeUInt32BE(box.length);
	return Buffer.concat([box, bytes('....metaavif')]);
}

function bitmap(headerSize = 40): Buffer {
	const head = Buffer.alloc(54);
	head.write('BM');
	head.writeUInt32LE(headerSize, 14);
	return head;
}

const formatOf = (head: Buffer) => kindWithin(head)?.types[0];
const mediaTypeOfExtension = (extension: string) => kindNamed(`a.${extension}`)?.types[0];

const PDF = 'application/pdf';
const ZIP = 'application/zip';
const OLE = 'application/vnd.ms-office';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSM = 'application/vnd.ms-excel.sheet.macroenabled.12';

const NOTHING = Buffer.alloc(0);
const pdf = bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
const png = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
const jpeg = bytes('\xff\xd8\xff\xe0\0\x10JFIF\0');
const zip = bytes('PK\x03\x04\x14\0');
const ole = bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0');
const page = bytes('\r\n<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>');
const pdfBehindLines = bytes('<br />\nWarning: x\n%PDF-1.4\n%\xe2\xe3');

describe('the first bytes', () => {
	it.each<[string, Buffer, string]>([
		['a PDF', pdf, PDF],
		['a PDF behind a byte order mark', Buffer.from('\ufeff%PDF-1.4\n'), PDF],
		['a PDF behind empty lines', bytes('\r\n\r\n%PDF-1.4\n'), PDF],
		['a PNG image', png, 'image/png'],
		['a JPEG image', jpeg, 'image/jpeg'],
		['a GIF image of 1987', bytes('GIF87a\x01\0'), 'image/gif'],
		['a GIF image of 1989', bytes('GIF89a\x01\0'), 'image/gif'],
		['a TIFF image, low byte first', bytes('II*\0\x08\0\0\0'), 'image/tiff'],
		['a TIFF image, high byte first', bytes('MM\0*\0\0\0\x08'), 'image/tiff'],
		['a large TIFF image, low byte first', bytes('II+\0\x08\0'), 'image/tiff'],
		['a large TIFF image, high byte first', bytes('MM\0+\0\x08'), 'image/tiff'],
		['a BMP image', bitmap(), 'image/bmp'],
		['a newer BMP image', bitmap(124), 'image/bmp'],
		['a BMP image of which hardly anything is there', bitmap().subarray(0, 18), 'image/bmp'],
		['a WebP image', bytes('RIFF\x24\0\0\0WEBPVP8 '), 'image/webp'],
		['a photo of a phone', photo('heic', 'mif1', 'heic'), 'image/heic'],
		['a photo of another phone', photo('mif1', 'hevx'), 'image/heic'],
		['a HEIF image of no named codec', photo('msf1', 'miaf'), 'image/heif'],
		['an AVIF image', photo('avif', 'mif1'), 'image/avif'],
		['a ZIP archive', zip, ZIP],
		['an empty ZIP archive', bytes('PK\x05\x06\0\0'), ZIP],
		['a ZIP archive of several parts', bytes('PK\x07\x08PK\x03\x04'), ZIP],
		['a ZIP archive with a PDF in it', Buffer.concat([zip, bytes('a.pdf'), pdf]), ZIP],
		['an OLE file', ole, OLE],
	])('tell %s', (_, head, mediaType) => expect(formatOf(head)).toBe(mediaType));

	it.each<[string, Buffer]>([
		['a web page', page],
		['text', bytes('Schaden')],
		['text about a PDF', bytes('Send it as %PDF-1.4 please')],
		['text that begins as a BMP image', bytes('BMW 320d, damaged at the left door')],
		['text with the name of a format', bytes('Photos: WEBP, 3 of them')],
		['a video', photo('isom', 'mp42')],
		['a sound', bytes('RIFF\x24\0\0\0WAVEfmt ')],
		['the beginning of a BMP image', bitmap().subarray(0, 17)],
		['no bytes', NOTHING],
	])('do not tell %s', (_, head) => expect(formatOf(head)).toBeUndefined());

	it('are read without an error, whatever they are', () => {
		const starts = [pdf, png, zip, ole, photo('heic'), bitmap(), NOTHING];
		fc.assert(
			fc.property(
				fc.constantFrom(...starts),
				fc.nat(60),
				fc.uint8Array({ maxLength: 60 }),
				(start, kept, rest) =>
					expect(() => formatOf(Buffer.concat([start.subarray(0, kept), rest]))).not.toThrow(),
			),
		);
	});
});

describe('the media type to send', () => {
	it.each([
		[PDF, 'photo', jpeg, 'image/jpeg'],
		['image/jpeg', 'scan', pdf, PDF],
		['image/jpeg', 'scan.jpg', png, 'image/png'],
		['text/plain', 'scan', png, 'image/png'],
		[undefined, 'policy.docx', pdf, PDF],
	])('is that of the content for a PDF or an image: %j %s', (given, fileName, head, mediaType) =>
		expect(mediaTypeOf(given, fileName, head)).toBe(mediaType),
	);

	it.each([
		['text/csv; charset=iso-8859-1', 'a.xls', bytes('a;b'), 'text/csv'],
		[' Application/PDF ; name="a.pdf"', 'a.pdf', pdfBehindLines, PDF],
		['image/vnd.dwg, image/vnd.dwg', 'plan', NOTHING, 'image/vnd.dwg'],
		['application/vnd.ms-excel.sheet.macroEnabled.12', 'a', zip, XLSM],
		['x-world/x-vrml', 'a.wrl', NOTHING, 'x-world/x-vrml'],
		['text/plain', 'a.al3', bytes('a;b'), 'text/plain'],
	])('is otherwise the given one if it is specific: %j', (given, fileName, head, mediaType) =>
		expect(mediaTypeOf(given, fileName, head)).toBe(mediaType),
	);

	it.each([
		...[undefined, '', 'pdf', '.pdf', 'undefined', '/', 'image/', 'image/*', '*/*'],
		...['unknown/unknown', 'file/pdf', 'image/png\r\nX-Header: 1'],
		...['application/octet-stream', 'application/octet-stream; charset=binary'],
		...['Application/Octetstream', 'application/octet', 'binary/octet-stream'],
		...['application/x-octet-stream', 'application/binary', 'application/unknown'],
		...['application/x-unknown-content-type', 'application/download', 'application/x-download'],
		...['application/force-download', 'application/save', 'application/file'],
	])('is otherwise that of the extension: %j', (given) => {
		expect(mediaTypeOf(given, 'offer.docx', zip)).toBe(DOCX);
		expect(mediaTypeOf(given, 'mail.MSG', ole)).toBe('application/vnd.ms-outlook');
		expect(mediaTypeOf(given, 'policy.pdf', pdfBehindLines)).toBe(PDF);
		expect(mediaTypeOf(given, 'plan.dwg', NOTHING)).toBe('application/octet-stream');
	});

	it('is neither ZIP nor OLE by the content, which many types have', () => {
		expect(mediaTypeOf('', 'archive', zip)).toBe('application/octet-stream');
		expect(mediaTypeOf('', 'archive', ole)).toBe('application/octet-stream');
		expect(mediaTypeOf(ZIP, 'archive', zip)).toBe(ZIP);
	});

	it('is not the text/plain that n8n gives to unknown files when the content is none', () => {
		expect(mediaTypeOf('text/plain', 'locked.xlsm', ole)).toBe(XLSM);
		expect(mediaTypeOf('text/plain', 'archive', zip)).toBe('application/octet-stream');
	});
});

describe('a file that is not what its name says', () => {
	it.each([
		['policy.pdf', page, 'it is named as a PDF, but is not one'],
		['policy.PDF', png, 'it is named as a PDF, but is an image'],
		['policy.pdf', zip, 'it is named as a PDF, but is a ZIP archive'],
		['policy.pdf', ole, 'it is named as a PDF, but is an Office file'],
		['policy.pdf', bytes(`${' x'.repeat(600)}%PDF-1.4\n`), 'it is named as a PDF, but is not one'],
		['photo.jpg', pdf, 'it is named as an image, but is a PDF'],
		['photo.heic', photo('qt  '), 'it is named as an image, but is not one'],
		['scan.tiff', page, 'it is named as an image, but is not one'],
	])('is known by its first bytes: %s', (fileName, head, words) =>
		expect(contradiction(fileName, head)).toBe(words),
	);

	it.each([
		['policy.pdf', pdf],
		['policy.pdf', pdfBehindLines],
		['photo.jpg', png],
		['photo.jpg', photo('avif')],
		['logo.svg', bytes('<svg/>')],
		['logo.svg', png],
		['offer.docx', page],
		['offer.docx', pdf],
		['offer.zip', ole],
		['plan.dwg', pdf],
		['pdf', png],
	])(
		'is none for other content that is possible, or kinds that are not known: %s',
		(fileName, head) => expect(contradiction(fileName, head)).toBeUndefined(),
	);
});

describe('media types and extensions', () => {
	it.each([
		[PDF, 'pdf'],
		['IMAGE/JPG; name=x', 'jpg'],
		['text/xml', 'xml'],
		['message/rfc822', 'eml'],
		['application/x-zip-compressed', 'zip'],
		['application/x-pkcs7-signature', 'p7s'],
		['application/octet-stream', undefined],
		['', undefined],
	])('%s has the extension %s', (mediaType, extension) =>
		expect(extensionOf(mediaType)).toBe(extension),
	);

	it('are consistent with each other', () => {
		const extensions =
			'pdf jpg png gif tif bmp webp heic heif avif zip docx xlsx pptx docm xlsm xlsb doc xls ppt msg rtf odt ods eml html xml svg json csv ics txt p7s p7m';
		for (const extension of extensions.split(' '))
			expect([extension, extensionOf(mediaTypeOfExtension(extension) ?? '')]).toEqual([
				extension,
				extension,
			]);
		expect(['jpeg', 'htm', 'dwg', ''].map(mediaTypeOfExtension)).toEqual([
			'image/jpeg',
			'text/html',
			undefined,
			undefined,
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
