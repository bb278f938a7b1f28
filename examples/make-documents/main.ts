/** Writes the sample documents and their expected fields into `examples/documents`. The same sources give the same bytes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeFiles } from './sample-documents';

const FOLDER = join(__dirname, '..', 'documents');

async function main(): Promise<void> {
	await mkdir(FOLDER, { recursive: true });
	for (const [name, bytes] of await makeFiles()) {
		await writeFile(join(FOLDER, name), bytes);
		console.log(`${name.padEnd(40)} ${String(bytes.byteLength).padStart(7)} bytes`);
	}
}

void main();
