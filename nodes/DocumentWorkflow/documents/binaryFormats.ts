import { compoundFormat, zipFormat } from './containerFormats';

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

/** Readers of PDF look for its header in the first 1,024 bytes: servers and scanners put lines of their own before it. */
const PDF_HEADER = /%PDF-\d\.\d\s/;
const PDF_HEADER_WITHIN_BYTES = 1024;

const BITMAP_HEADER_SIZES = [12, 40, 52, 56, 64, 108, 124];

/** The media type that the signature of a format shows; undefined when there is none, as in text. */
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

/** "BM" begins many a word too. */
function isBitmap(head: Buffer, text: string): boolean {
	return (
		head.length >= 18 &&
		text.startsWith('BM') &&
		text.startsWith('\0\0\0\0', 6) &&
		BITMAP_HEADER_SIZES.includes(head.readUInt32LE(14))
	);
}

/** Photos of phones, told from videos by the brands of four letters, of which they bear several. */
function photoFormat(brands: string): string | undefined {
	const has = (...names: string[]) =>
		(brands.match(/.{4}/gs) ?? []).some((brand) => names.includes(brand));
	if (has('avif', 'avis')) return 'image/avif';
	if (has('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx')) return 'image/heic';
	return has('mif1', 'msf1') ? 'image/heif' : undefined;
}
