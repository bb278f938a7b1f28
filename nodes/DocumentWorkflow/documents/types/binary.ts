import { COMPOUND } from './known';

const SIGNATURES: Array<[signature: string, mediaType: string]> = [
	['%PDF-', 'application/pdf'],
	['\x89PNG\r\n\x1a\n', 'image/png'],
	['\xff\xd8\xff', 'image/jpeg'],
	['GIF87a', 'image/gif'],
	['GIF89a', 'image/gif'],
	['II*\0', 'image/tiff'],
	['MM\0*', 'image/tiff'],
	['II+\0', 'image/tiff'],
	['MM\0+', 'image/tiff'],
	['{\\rtf', 'application/rtf'],
	['\x1f\x8b\x08', 'application/gzip'],
	['7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
	['Rar!\x1a\x07', 'application/vnd.rar'],
];

/** Servers and scanners may add lines before the header, so PDF readers search for it in the first 1,024 bytes. */
const PDF_HEADER = /%PDF-\d\.\d\s/;
const PDF_HEADER_WITHIN_BYTES = 1024;

const BITMAP_HEADER_SIZES = [12, 40, 52, 56, 64, 108, 124];

/** The media type by the signature of a format; undefined when there is none, as in text. */
export function binaryFormat(head: Buffer): string | undefined {
	const text = head.toString('latin1');
	const signature = SIGNATURES.find(([start]) => text.startsWith(start));
	if (signature) return signature[1];
	if (
		text.startsWith('PK\x03\x04') ||
		text.startsWith('PK\x05\x06') ||
		text.startsWith('PK\x07\x08')
	)
		return zipFormat(head);
	if (text.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return compoundFormat(head);
	if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
	if (text.startsWith('ftyp', 4)) return photoFormat(text.slice(8, head.readUInt32BE(0)));
	if (isBitmap(head, text)) return 'image/bmp';
	return text.slice(0, PDF_HEADER_WITHIN_BYTES).search(PDF_HEADER) > 0
		? 'application/pdf'
		: undefined;
}

/** Text may begin with "BM" too. */
function isBitmap(head: Buffer, text: string): boolean {
	return (
		head.length >= 18 &&
		text.startsWith('BM') &&
		text.startsWith('\0\0\0\0', 6) &&
		BITMAP_HEADER_SIZES.includes(head.readUInt32LE(14))
	);
}

/** Photos of phones. Their brands, of four letters each, distinguish them from videos. */
function photoFormat(brands: string): string | undefined {
	const has = (...names: string[]) =>
		(brands.match(/.{4}/gs) ?? []).some((brand) => names.includes(brand));
	if (has('avif', 'avis')) return 'image/avif';
	if (has('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx')) return 'image/heic';
	return has('mif1', 'msf1') ? 'image/heif' : undefined;
}

const LOCAL_HEADER = 'PK\x03\x04';
const LOCAL_HEADER_BYTES = 30;

/** The first file in a document of Word, Excel or PowerPoint. Another archive may contain such a document. */
const FIRST_OF_OFFICE =
	/^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|word\/|xl\/|ppt\/)/;
const PART_OF_OFFICE = /^(word|xl|ppt)\/.*\.(?:xml|rels|bin)$/;
const OPEN_DOCUMENT =
	/^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)(?=PK)/;

const OFFICE_FOLDERS: Record<string, string> = {
	word: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	xl: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	ppt: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** What a ZIP archive contains, by the names of the files at its beginning. */
function zipFormat(head: Buffer): string {
	const text = head.toString('latin1');
	const names: string[] = [];
	for (
		let at = text.indexOf(LOCAL_HEADER);
		at >= 0 && at + LOCAL_HEADER_BYTES <= head.length;
		at = text.indexOf(LOCAL_HEADER, at + 1)
	) {
		const nameEnd = at + LOCAL_HEADER_BYTES + head.readUInt16LE(at + 26);
		const name = text.slice(at + LOCAL_HEADER_BYTES, nameEnd);
		if (at === 0 && name === 'mimetype')
			return (
				OPEN_DOCUMENT.exec(text.slice(nameEnd + head.readUInt16LE(28)))?.[0] ?? 'application/zip'
			);
		names.push(name);
	}
	if (!FIRST_OF_OFFICE.test(names[0] ?? '')) return 'application/zip';
	const folder = names
		.map((name) => PART_OF_OFFICE.exec(name)?.[1])
		.find((found) => found !== undefined);
	return OFFICE_FOLDERS[folder ?? ''] ?? 'application/zip';
}

/** Sectors of 4,096 bytes are rare, and their directory is never within the head. */
const SECTOR_BYTES = 512;
const DIRECTORY_ENTRY_BYTES = 128;

const STREAMS: Array<[name: string, mediaType: string]> = [
	['__properties_version1.0', 'application/vnd.ms-outlook'],
	['__nameid_version1.0', 'application/vnd.ms-outlook'],
	['WordDocument', 'application/msword'],
	['Workbook', 'application/vnd.ms-excel'],
	['Book', 'application/vnd.ms-excel'],
	['PowerPoint Document', 'application/vnd.ms-powerpoint'],
];

/** What a compound file contains, if its directory, which may be anywhere in the file, is within the head. */
function compoundFormat(head: Buffer): string {
	if (head.length < SECTOR_BYTES) return COMPOUND;
	const names = new Set<string>();
	for (
		let at = (head.readUInt32LE(48) + 1) * SECTOR_BYTES;
		at + DIRECTORY_ENTRY_BYTES <= head.length;
		at += DIRECTORY_ENTRY_BYTES
	) {
		const nameBytes = Math.min(head.readUInt16LE(at + 64), 64);
		names.add(head.toString('utf16le', at, at + Math.max(nameBytes - 2, 0)));
	}
	return STREAMS.find(([name]) => names.has(name))?.[1] ?? COMPOUND;
}
