import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sent } from './books';
import { between } from './plan';

/** A document on disk, of one file or two. */
export interface Document extends Sent {
	paths: string[];
}

/** One in so many files is large enough to be interrupted while it is sent. */
const LARGE_ONE_IN = 12;
const LARGE_BYTES = 300_000;

/** Writes a document whose name and case no other has. Without `bytes`, a few of the files are large. */
export async function writeDocument(
	folder: string,
	id: string,
	fileCount: 1 | 2,
	random: () => number,
	bytes?: number,
): Promise<Document> {
	await mkdir(folder, { recursive: true });
	const document: Document = { id, files: {}, cases: [], paths: [] };
	for (const letter of ['a', 'b'].slice(0, fileCount)) {
		const name = `${id}-${letter}.txt`;
		const caseNumber = `CASE-${id}-${letter}`;
		const drawn = () => (between(random, 1, LARGE_ONE_IN) === 1 ? LARGE_BYTES : 1);
		const text = `Case Number: ${caseNumber}\n\n${'x'.repeat(bytes ?? drawn())}\n`;
		const path = join(folder, name);
		await writeFile(path, text);
		document.files[name] = createHash('sha256').update(text).digest('hex');
		document.cases.push(caseNumber);
		document.paths.push(path);
	}
	return document;
}
