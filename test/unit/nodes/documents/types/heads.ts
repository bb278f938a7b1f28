/** An uncompressed file in a ZIP archive, with its local header. */
interface ZippedFile {
	name: string;
	content?: string;
	/** Bytes between the name and the content; Microsoft Office leaves some. */
	extra?: number;
}

export function zip(...files: ZippedFile[]): Buffer {
	return Buffer.concat(
		files.map(({ name, content = '', extra = 0 }) => {
			const header = Buffer.alloc(30);
			header.write('PK\x03\x04', 'latin1');
			header.writeUInt16LE(20, 4);
			header.writeUInt32LE(content.length, 18);
			header.writeUInt32LE(content.length, 22);
			header.writeUInt16LE(name.length, 26);
			header.writeUInt16LE(extra, 28);
			return Buffer.concat([
				header,
				Buffer.from(name),
				Buffer.alloc(extra),
				Buffer.from(content, 'latin1'),
			]);
		}),
	);
}

/** An Office document with its parts in this order. Like Office, leaves space after the first name. */
export function office(...parts: string[]): Buffer {
	return zip(
		{ name: '[Content_Types].xml', content: '<Types/>', extra: 520 },
		{ name: '_rels/.rels', extra: 264 },
		...parts.map((name) => ({ name })),
	);
}

/** A compound file with a directory of these entries in the given sector, of 512 or 4,096 bytes. */
export function compound(entries: string[], { sector = 1, sectorShift = 9 } = {}): Buffer {
	const header = Buffer.alloc(512);
	header.write('d0cf11e0a1b11ae1', 'hex');
	header.writeUInt16LE(sectorShift, 30);
	header.writeUInt32LE(sector, 48);
	const directory = ['Root Entry', ...entries].map((name) => {
		const entry = Buffer.alloc(128);
		entry.write(name, 'utf16le');
		entry.writeUInt16LE((name.length + 1) * 2, 64);
		return entry;
	});
	const padding = Buffer.alloc((sector + 1) * 2 ** sectorShift - header.length);
	return Buffer.concat([header, padding, ...directory]);
}

/** The first box of a phone's photo. Brands have four letters. */
export function photo(...brands: string[]): Buffer {
	const box = Buffer.from(`....ftyp${brands[0]}....${brands.slice(1).join('')}`, 'latin1');
	box.writeUInt32BE(box.length);
	return Buffer.concat([box, Buffer.from('....metaavif', 'latin1')]);
}

export function bitmap(headerSize = 40): Buffer {
	const head = Buffer.alloc(54);
	head.write('BM');
	head.writeUInt32LE(54, 2);
	head.writeUInt32LE(headerSize, 14);
	return head;
}

/** Bytes as characters up to 255. */
export function bytes(text: string): Buffer {
	return Buffer.from(text, 'latin1');
}

export const pdf = bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
export const png = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
export const jpeg = bytes('\xff\xd8\xff\xe0\0\x10JFIF\0');
export const docx = office('word/_rels/document.xml.rels', 'word/document.xml');
export const xlsx = office('xl/_rels/workbook.xml.rels', 'xl/workbook.xml');
export const doc = compound(['1Table', 'WordDocument']);
export const loginPage = Buffer.from(
	'\r\n<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title></head></html>',
);
