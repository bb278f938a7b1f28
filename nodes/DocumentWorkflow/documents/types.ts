/** How many bytes of a document's beginning are inspected. */
export const HEAD_BYTES = 4100;

const ANY = 'application/octet-stream';
const PDF = 'application/pdf';
const ZIP = 'application/zip';
const OLE = 'application/x-cfb';
const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';
const MACROS = 'macroenabled.12';

/** The names of a media type and its extensions, the usual one of each first. */
const TYPES: Array<[mediaTypes: string, extensions: string]> = [
	[`${PDF} application/x-pdf`, 'pdf'],
	['image/jpeg image/jpg image/pjpeg', 'jpg jpeg jpe jfif'],
	['image/png image/x-png', 'png'],
	['image/gif', 'gif'],
	['image/tiff image/x-tiff', 'tif tiff'],
	['image/bmp image/x-ms-bmp', 'bmp dib'],
	['image/webp', 'webp'],
	['image/heic', 'heic'],
	['image/heif', 'heif'],
	['image/avif', 'avif'],
	['image/svg+xml', 'svg'],
	[`${ZIP} application/x-zip application/x-zip-compressed`, 'zip'],
	[`${OOXML}.wordprocessingml.document`, 'docx'],
	[`${OOXML}.spreadsheetml.sheet`, 'xlsx'],
	[`${OOXML}.presentationml.presentation`, 'pptx'],
	[`application/vnd.ms-word.document.${MACROS}`, 'docm'],
	[`application/vnd.ms-excel.sheet.${MACROS}`, 'xlsm'],
	[`application/vnd.ms-excel.sheet.binary.${MACROS}`, 'xlsb'],
	['application/msword', 'doc'],
	['application/vnd.ms-excel', 'xls'],
	['application/vnd.ms-powerpoint', 'ppt'],
	['application/vnd.ms-outlook', 'msg'],
	['application/rtf text/rtf', 'rtf'],
	[`${ODF}.text`, 'odt'],
	[`${ODF}.spreadsheet`, 'ods'],
	['message/rfc822', 'eml mht mhtml'],
	['text/html', 'html htm'],
	['application/xml text/xml', 'xml'],
	['application/json text/json', 'json'],
	['text/csv', 'csv'],
	['text/plain', 'txt text log'],
	['text/calendar', 'ics'],
	['application/pkcs7-signature application/x-pkcs7-signature', 'p7s'],
	['application/pkcs7-mime application/x-pkcs7-mime', 'p7m'],
];

/** Types that are used for documents of many extensions, more than are known here. */
const GENERAL = ['txt', 'zip', 'xml', 'json'];

const SIGNATURES: Array<[signature: string, mediaType: string]> = [
	['\x89PNG\r\n\x1a\n', 'image/png'],
	['\xff\xd8\xff', 'image/jpeg'],
	['GIF87a', 'image/gif'],
	['GIF89a', 'image/gif'],
	['II*\0', 'image/tiff'],
	['MM\0*', 'image/tiff'],
	['II+\0', 'image/tiff'],
	['MM\0+', 'image/tiff'],
	['PK\x03\x04', ZIP],
	['PK\x05\x06', ZIP],
	['PK\x07\x08', ZIP],
	['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', OLE],
];

/** Brands in the first box of a phone's photo, which distinguish it from a video. */
const PHOTOS: Array<[brand: RegExp, mediaType: string]> = [
	[/^avi[fs]$/, 'image/avif'],
	[/^he(?:i[cmsx]|v[cx])$/, 'image/heic'],
	[/^m[is]f1$/, 'image/heif'],
];

const BITMAP_HEADER_SIZES = [12, 40, 52, 56, 64, 108, 124];

const PDF_AT_BEGIN = /^(?:\xef\xbb\xbf)?\s*%PDF-/;
/** Servers and scanners may add lines before the header, so PDF readers search for it in the first 1,024 bytes. */
const PDF_HEADER = /%PDF-\d\.\d\s/;
const PDF_HEADER_WITHIN_BYTES = 1024;

/** What the first bytes show: a PDF, an image, a ZIP archive or an OLE file. Undefined for everything else. */
export function formatOf(head: Buffer): string | undefined {
	const text = head.toString('latin1');
	if (PDF_AT_BEGIN.test(text)) return PDF;
	const signature = SIGNATURES.find(([start]) => text.startsWith(start));
	if (signature !== undefined) return signature[1];
	if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
	if (text.startsWith('ftyp', 4)) {
		const brands = text.slice(8, head.readUInt32BE(0)).match(/.{4}/gs) ?? [];
		return PHOTOS.find(([brand]) => brands.some((each) => brand.test(each)))?.[1];
	}
	// Text may begin with "BM" too.
	const isBitmap =
		text.startsWith('BM') &&
		head.length >= 18 &&
		BITMAP_HEADER_SIZES.includes(head.readUInt32LE(14));
	return isBitmap ? 'image/bmp' : undefined;
}

function wordsFor(mediaType: string | undefined): string | undefined {
	if (mediaType === PDF) return 'a PDF';
	if (mediaType === ZIP) return 'a ZIP archive';
	if (mediaType === OLE) return 'an Office file';
	return mediaType?.startsWith('image/') && mediaType !== 'image/svg+xml' ? 'an image' : undefined;
}

/**
 * Why a file is not what its name says; undefined if it may be. Only PDFs and images are known by their first bytes. An
 * image may have the extension of another image format, because image readers accept that.
 */
export function contradiction(fileName: string, head: Buffer): string | undefined {
	const claimed = wordsFor(mediaTypeOfExtension(extensionIn(fileName)));
	if (claimed !== 'a PDF' && claimed !== 'an image') return undefined;
	const found = wordsFor(formatOf(head));
	if (found === claimed) return undefined;
	const begin = head.toString('latin1', 0, PDF_HEADER_WITHIN_BYTES);
	if (claimed === 'a PDF' && PDF_HEADER.test(begin)) return undefined;
	return `its name says ${claimed}, but its content is ${found ?? 'not'}`;
}

/** Registered and private types, but not "unknown/unknown" or "pdf". */
const MEDIA_TYPE =
	/^(?:application|audio|chemical|font|image|message|model|multipart|text|video|x-[a-z0-9-]+)\/[a-z0-9][\w.+-]*$/;

/** Used by programs for files of unknown type. */
const SOME_FILE =
	/\/(?:x-)?(?:octet(?:-?stream)?|binary|unknown|unknown-content-type|(?:force-?)?download|file|save|data)$/;

/**
 * The media type to send: that of a PDF or an image by its first bytes, otherwise the given one if it is specific,
 * otherwise that of the extension. ZIP and OLE are the content of many types.
 */
export function mediaTypeOf(given: string | undefined, fileName: string, head: Buffer): string {
	const found = formatOf(head);
	if (found !== undefined && found !== ZIP && found !== OLE) return found;
	const stated = bare(given ?? '');
	// n8n gives text/plain to every file of unknown type.
	const isGuess = stated === 'text/plain' && found !== undefined;
	if (MEDIA_TYPE.test(stated) && !SOME_FILE.test(stated) && !isGuess) return stated;
	return mediaTypeOfExtension(extensionIn(fileName)) ?? ANY;
}

/** From each of the first words to the first of the others. */
const toFirst = (pairs: Array<[string, string]>) =>
	new Map(pairs.flatMap(([from, to]) => from.split(' ').map((each) => [each, to.split(' ')[0]])));

const extensions = toFirst(TYPES);
const mediaTypes = toFirst(TYPES.map(([types, names]) => [names, types]));

/** The usual extension of a media type, without a dot; undefined when it is not known. */
export function extensionOf(mediaType: string): string | undefined {
	return extensions.get(bare(mediaType));
}

/** @param extension in lower case, without a dot */
export function mediaTypeOfExtension(extension: string): string | undefined {
	return mediaTypes.get(extension);
}

export function isGeneral(mediaType: string): boolean {
	return GENERAL.includes(extensionOf(mediaType) ?? '');
}

/** The text after the last dot of a file name, in lower case; empty without a dot. */
export function extensionIn(fileName: string): string {
	return (/\.([^.]*)$/.exec(fileName)?.[1] ?? '').trimEnd().toLowerCase();
}

/** In lower case, without parameters. Takes the first when a header was sent twice. */
function bare(mediaType: string): string {
	return (/[^;,]*/.exec(mediaType)?.[0] ?? '').trim().toLowerCase();
}
