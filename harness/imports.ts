/** The product files of the package and their imports, for the tests of its structure and its weight. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '..');

export const PRODUCT = ['nodes', 'credentials', 'service'];

/** The TypeScript files of some folders, relative to the root. */
export function productFiles(folders: string[]): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
			.map((file) => join(folder, file)),
	);
}

/** The files among some that a file imports. Without `types` only those that are loaded with it. */
export function importsOf(
	file: string,
	files: readonly string[],
	{ types }: { types: boolean },
): string[] {
	const source = readFileSync(join(ROOT, file), 'utf8');
	const imports = [...source.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']*)';$/gm)];
	return imports
		.filter(([, type]) => types || type === undefined)
		.map(([, , path = '']) => join(dirname(file), path))
		.flatMap((path) =>
			files.filter((each) => each === `${path}.ts` || each === `${path}/index.ts`),
		);
}

/** The groups of files that import each other in a circle. */
export function circlesOf(files: readonly string[]): string[][] {
	const reached = new Map(files.map((file) => [file, reachedFrom(file, files)]));
	const seen = new Set<string>();
	return files.flatMap((file) => {
		if (seen.has(file) || reached.get(file)?.has(file) !== true) return [];
		const circle = files.filter(
			(other) => reached.get(file)?.has(other) === true && reached.get(other)?.has(file) === true,
		);
		for (const each of circle) seen.add(each);
		return [circle];
	});
}

function reachedFrom(start: string, files: readonly string[]): Set<string> {
	const reached = new Set<string>();
	const open = [start];
	for (let file = open.pop(); file !== undefined; file = open.pop()) {
		for (const next of importsOf(file, files, { types: true })) {
			if (!reached.has(next)) open.push(next);
			reached.add(next);
		}
	}
	return reached;
}
