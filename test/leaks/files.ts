import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Packages are no data; n8n's database is read row by row. */
const LEFT_OUT = /^(node_modules|database\.sqlite.*)$/;

/** All files in a folder and its folders that may hold secrets. */
export function filesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !LEFT_OUT.test(name))
		.flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return filesIn(path);
			return entry.isFile() ? [path] : [];
		});
}
