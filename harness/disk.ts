import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** What the SQLite database of an n8n takes on disk, in bytes. */
export function databaseBytes(userFolder: string): number {
	return ['', '-wal']
		.map((end) => sizeOf(join(userFolder, '.n8n', `database.sqlite${end}`)))
		.reduce((sum, size) => sum + size, 0);
}

/** What the files of n8n executions take on disk, in the mode `filesystem`, in bytes. */
export function binaryDataBytes(userFolder: string): number {
	// n8n 1 has another folder.
	return ['storage', 'binaryData']
		.flatMap((name) => filesBelow(join(userFolder, '.n8n', name)))
		.reduce((sum, file) => sum + sizeOf(file), 0);
}

/** 0 when it is gone: n8n deletes files at any time. */
function sizeOf(file: string): number {
	return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function filesBelow(folder: string): string[] {
	return entriesOf(folder).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? filesBelow(path) : [path];
	});
}

/** None when the folder is gone, or not made yet. */
function entriesOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}
