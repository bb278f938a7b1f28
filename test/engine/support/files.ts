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

const digits = (pair: string, bytes: number) => `<${pair.repeat(bytes)}>`;

/** A PDF with an unknown open password. */
export const LOCKED_PDF: Buffer = Buffer.from(
	[
		'%PDF-1.4',
		'1 0 obj\n<</Type/Catalog>>\nendobj',
		`2 0 obj\n<</Filter/Standard/V 1/R 2/O${digits('1b', 32)}/U${digits('2c', 32)}/P -4>>\nendobj`,
		`trailer\n<</Root 1 0 R/Encrypt 2 0 R/ID[${digits('3d', 16)}${digits('3d', 16)}]>>`,
		'%%EOF\n',
	].join('\n'),
);

export const WEB_PAGE: Buffer = Buffer.from(
	'<!doctype html>\n<html><head><title>Sign in</title></head><body>Your session has ended.</body></html>\n',
);
