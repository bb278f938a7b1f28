/** Files that input items carry. */
import type { InputFile } from './helper-nodes';

/** A file whose content contains its name by default, so that files differ. */
export function file(
	fileName: string | undefined,
	content: Buffer | string = `Policy Number: ${fileName}`,
	mimeType = 'text/plain',
): InputFile {
	return { bytes: Buffer.from(content), mimeType, ...(fileName === undefined ? {} : { fileName }) };
}

/** Text of this many bytes. The simulated service takes long to read one in which each line has a value. */
export function textOf(bytes: number): Buffer {
	return Buffer.alloc(bytes, `Policy Number: CPP-1001\n${'x'.repeat(1_000)}\n`);
}

export const PDF: Buffer = Buffer.from(
	'%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n',
);

export const WEB_PAGE: Buffer = Buffer.from(
	'<!doctype html>\n<html><head><title>Sign in</title></head><body>Your session has ended.</body></html>\n',
);
