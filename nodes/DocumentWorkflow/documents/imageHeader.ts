/** What an image says of itself in its first bytes. */
export interface ImageHeader {
	/** In pixels. */
	width: number;
	height: number;
	/** Whether it carries Exif data, as cameras, phones and scanners write it. */
	exif: boolean;
}

/** Reads the header of a PNG, GIF or JPEG; undefined for everything else, and when the size is not within these bytes. */
export function readImageHeader(head: Uint8Array): ImageHeader | undefined {
	const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
	const size = sizeOfPng(bytes) ?? sizeOfGif(bytes) ?? sizeOfJpeg(bytes);
	if (!size || size.width === 0 || size.height === 0) return undefined; // a JPEG may give its height at its end
	return {
		...size,
		exif: bytes.includes('Exif\0\0', 0, 'latin1') || bytes.includes('eXIf', 0, 'latin1'),
	};
}

type Size = Pick<ImageHeader, 'width' | 'height'>;

function sizeOfPng(bytes: Buffer): Size | undefined {
	if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
	return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function sizeOfGif(bytes: Buffer): Size | undefined {
	if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
	return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Goes from segment to segment until one describes the frame. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
	if (bytes.length < 2 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
	let at = 2;
	while (at + 9 <= bytes.length && bytes[at] === 0xff) {
		const marker = bytes[at + 1] ?? 0;
		if (marker === 0xff) {
			at += 1; // a filling byte
		} else if (isFrame(marker)) {
			return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
		} else {
			at += 2 + bytes.readUInt16BE(at + 2);
		}
	}
	return undefined;
}

/** SOF0 to SOF15 without the three of that range which mean something else (DHT, JPG, DAC). */
function isFrame(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
