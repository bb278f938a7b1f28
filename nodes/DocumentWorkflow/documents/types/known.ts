/** A media type, its extensions (the usual one first), and its name for users. */
export interface KnownType {
	mediaType: string;
	extensions: string[];
	words: string;
	/** Other names of the same media type. */
	synonyms: string[];
	/** More general types that its first bytes may show. */
	looksLike: string[];
	/** Its own family first, then those whose documents often have its extension. */
	families: string[];
}

const TEXT = 'text/plain';
const ZIP = 'application/zip';
export const COMPOUND = 'application/x-cfb';
const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

/** A password-protected Office document is a compound file. */
const office = [ZIP, COMPOUND];
const text = { looksLike: [TEXT], families: ['text'] };
const image = { families: ['image'] };

/** The document types that insurers receive. */
const KNOWN_TYPES = [
	known('application/pdf', 'pdf', 'a PDF', { synonyms: ['application/x-pdf'] }),
	known('image/jpeg', 'jpg jpeg jpe jfif', 'a JPEG image', {
		...image,
		synonyms: ['image/jpg', 'image/pjpeg'],
	}),
	known('image/png', 'png', 'a PNG image', { ...image, synonyms: ['image/x-png'] }),
	known('image/gif', 'gif', 'a GIF image', image),
	known('image/tiff', 'tif tiff', 'a TIFF image', {
		...image,
		synonyms: ['image/tif', 'image/x-tiff'],
	}),
	known('image/bmp', 'bmp dib', 'a BMP image', {
		...image,
		synonyms: ['image/x-bmp', 'image/x-ms-bmp'],
	}),
	known('image/webp', 'webp', 'a WebP image', image),
	known('image/heic', 'heic', 'a HEIC image', image),
	known('image/heif', 'heif', 'a HEIF image', image),
	known('image/avif', 'avif', 'an AVIF image', image),
	known(ZIP, 'zip', 'a ZIP archive', {
		synonyms: ['application/x-zip', 'application/x-zip-compressed'],
	}),
	known('application/gzip', 'gz tgz', 'a gzip archive', { synonyms: ['application/x-gzip'] }),
	known('application/x-7z-compressed', '7z', 'a 7z archive'),
	known('application/vnd.rar', 'rar', 'a RAR archive', {
		synonyms: ['application/x-rar', 'application/x-rar-compressed'],
	}),
	known(`${OOXML}.wordprocessingml.document`, 'docx', 'a Word document', {
		looksLike: office,
		families: ['Word'],
	}),
	known(`${OOXML}.spreadsheetml.sheet`, 'xlsx', 'an Excel workbook', {
		looksLike: office,
		families: ['Excel'],
	}),
	known(`${OOXML}.presentationml.presentation`, 'pptx', 'a PowerPoint presentation', {
		looksLike: office,
		families: ['PowerPoint'],
	}),
	known('application/vnd.ms-word.document.macroenabled.12', 'docm', 'a Word document', {
		looksLike: [...office, `${OOXML}.wordprocessingml.document`],
		families: ['Word'],
	}),
	known('application/vnd.ms-excel.sheet.macroenabled.12', 'xlsm', 'an Excel workbook', {
		looksLike: [...office, `${OOXML}.spreadsheetml.sheet`],
		families: ['Excel'],
	}),
	known('application/vnd.ms-excel.sheet.binary.macroenabled.12', 'xlsb', 'an Excel workbook', {
		looksLike: [...office, `${OOXML}.spreadsheetml.sheet`],
		families: ['Excel'],
	}),
	known(
		'application/vnd.ms-powerpoint.presentation.macroenabled.12',
		'pptm',
		'a PowerPoint presentation',
		{
			looksLike: [...office, `${OOXML}.presentationml.presentation`],
			families: ['PowerPoint'],
		},
	),
	// Many systems export reports as HTML or text with the extension of the program that opens them.
	known('application/msword', 'doc', 'an older Word document', {
		looksLike: [COMPOUND],
		families: ['Word', 'text'],
	}),
	known('application/vnd.ms-excel', 'xls', 'an older Excel workbook', {
		looksLike: [COMPOUND],
		families: ['Excel', 'text'],
	}),
	known('application/vnd.ms-powerpoint', 'ppt', 'an older PowerPoint presentation', {
		looksLike: [COMPOUND],
		families: ['PowerPoint'],
	}),
	known('application/vnd.ms-outlook', 'msg', 'an Outlook message', { looksLike: [COMPOUND] }),
	known(COMPOUND, '', 'an older Office file', { synonyms: ['application/x-ole-storage'] }),
	known('application/rtf', 'rtf', 'an RTF document', {
		synonyms: ['text/rtf', 'application/x-rtf'],
		families: ['Word'],
	}),
	known(`${ODF}.text`, 'odt', 'an OpenDocument text', { looksLike: [ZIP] }),
	known(`${ODF}.spreadsheet`, 'ods', 'an OpenDocument spreadsheet', { looksLike: [ZIP] }),
	known(`${ODF}.presentation`, 'odp', 'an OpenDocument presentation', { looksLike: [ZIP] }),
	known('message/rfc822', 'eml mht mhtml', 'an e-mail message', text),
	known('text/html', 'html htm', 'a web page (HTML)', text),
	known('application/xhtml+xml', 'xhtml', 'a web page (HTML)', {
		looksLike: [TEXT, 'text/html', 'application/xml'],
		families: ['text'],
	}),
	known('application/xml', 'xml', 'an XML document', { ...text, synonyms: ['text/xml'] }),
	known('image/svg+xml', 'svg', 'an SVG image', {
		looksLike: [TEXT, 'application/xml'],
		families: ['text', 'image'],
	}),
	known('application/json', 'json', 'JSON data', { ...text, synonyms: ['text/json'] }),
	known('text/csv', 'csv', 'a CSV table', text),
	known('text/tab-separated-values', 'tsv', 'a table of text', text),
	known('text/markdown', 'md', 'plain text', text),
	known('text/calendar', 'ics', 'a calendar entry', text),
	known('text/vcard', 'vcf', 'a contact', text),
	known(TEXT, 'txt text log', 'plain text', { families: ['text'] }),
];

function known(
	mediaType: string,
	extensions: string,
	words: string,
	more: Partial<KnownType> = {},
): KnownType {
	return {
		mediaType,
		extensions: extensions.split(' ').filter(Boolean),
		words,
		synonyms: [],
		looksLike: [],
		families: [],
		...more,
	};
}

const byMediaType = new Map(
	KNOWN_TYPES.flatMap((type) => [type.mediaType, ...type.synonyms].map((name) => [name, type])),
);
const byExtension = new Map(
	KNOWN_TYPES.flatMap((type) => type.extensions.map((extension) => [extension, type])),
);

/** @param mediaType in lower case, without parameters */
export function typeByMediaType(mediaType: string): KnownType | undefined {
	return byMediaType.get(mediaType);
}

/** @param extension in lower case, without a dot */
export function typeByExtension(extension: string): KnownType | undefined {
	return byExtension.get(extension);
}
