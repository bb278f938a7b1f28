/** Reads a file while it arrives: counts and hashes every byte, and keeps only files that are read later. */
import { createHash } from 'node:crypto';
import { kindOf, type DocumentFile } from '../extract/document';

export interface ArrivedFile {
	fieldName: string;
	fileName: string;
	mediaType: string;
	bytes: number;
	sha256: string;
}

export interface Intake {
	file: ArrivedFile;
	/** Absent for a file that is too large or of a kind without text. */
	document?: DocumentFile;
}

/** A larger file is only hashed. */
const LARGEST_READ_BYTES = 20 * 1024 * 1024;

/** Reads `content` to its end. Raises the error of the stream when it breaks off. */
export async function takeIn(
	content: AsyncIterable<Uint8Array>,
	named: { fieldName: string; fileName: string; mediaType: string },
): Promise<Intake> {
	const hash = createHash('sha256');
	let bytes = 0;
	let kept: Uint8Array[] | undefined = [];
	for await (const chunk of content) {
		hash.update(chunk);
		if (bytes === 0 && kindOf({ ...named, firstBytes: chunk }) === 'unreadable') kept = undefined;
		bytes += chunk.length;
		if (bytes > LARGEST_READ_BYTES) kept = undefined;
		kept?.push(chunk);
	}
	const file = { ...named, bytes, sha256: hash.digest('hex') };
	if (!kept) return { file };
	return {
		file,
		document: { fileName: named.fileName, mediaType: named.mediaType, bytes: Buffer.concat(kept) },
	};
}
