import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

import { ROOT } from '../../../harness/pack';

/** The rooms of product code. */
const ROOMS = ['nodes', 'credentials', 'service'];

function productFiles(): Record<string, string> {
	const paths = ROOMS.flatMap((room) =>
		readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((path) =>
			join(ROOT, room, path),
		),
	).filter((path) => path.endsWith('.ts'));
	return Object.fromEntries(
		paths.map((path) => [relative(ROOT, path).replaceAll(sep, '/'), readFileSync(path, 'utf8')]),
	);
}

/** The files of `texts` that each of them imports or exports from, types included. */
function arrowsOf(texts: Record<string, string>): Map<string, string[]> {
	return new Map(
		Object.entries(texts).map(([path, text]) => {
			const { importedFiles } = ts.preProcessFile(text, true, true);
			const places = importedFiles
				.filter(({ fileName }) => fileName.startsWith('.'))
				.map(({ fileName }) => posix.join(posix.dirname(path), fileName));
			return [
				path,
				places
					.map((place) =>
						[`${place}.ts`, `${place}/index.ts`].find((file) => Object.hasOwn(texts, file)),
					)
					.filter((file) => file !== undefined),
			];
		}),
	);
}

/** A circle through each file that is in one and in none before it: `a → b → a`. */
function circlesIn(arrows: Map<string, string[]>): string[] {
	const circles: string[] = [];
	const done = new Set<string>();
	const visit = (file: string, path: string[]) => {
		const start = path.indexOf(file);
		if (start >= 0) circles.push([...path.slice(start), file].join(' → '));
		if (start >= 0 || done.has(file)) return;
		for (const next of arrows.get(file) ?? []) visit(next, [...path, file]);
		done.add(file);
	};
	for (const file of arrows.keys()) visit(file, []);
	return circles;
}

/** The rooms of the nodes, and the other ones that each may import. */
const MAY_IMPORT: Record<string, string[]> = {
	'DocumentWorkflow.node.ts': ['actions', 'methods.ts', 'pausing'],
	'DocumentWorkflowTrigger.node.ts': ['methods.ts', 'trigger'],
	'about.ts': [],
	actions: ['about.ts', 'connection', 'documents', 'panel', 'pausing', 'results'],
	connection: [],
	documents: ['about.ts', 'connection', 'panel'],
	'methods.ts': ['connection', 'documents'],
	panel: [],
	pausing: ['about.ts', 'connection'],
	results: ['about.ts', 'connection', 'documents', 'panel'],
	trigger: ['connection', 'panel', 'results'],
};

/** The room of a file of the nodes: a folder or file directly in their folder. */
function roomOf(path: string): string | undefined {
	return /^nodes\/DocumentWorkflow\/([^/]+)/.exec(path)?.[1];
}

/** The imports from one room of the nodes into another that the list does not allow. */
function unlistedIn(arrows: Map<string, string[]>): string[] {
	return [...arrows].flatMap(([file, imported]) => {
		const room = roomOf(file);
		if (room === undefined) return [];
		return imported
			.filter((other) => {
				const target = roomOf(other);
				return target !== undefined && target !== room && !MAY_IMPORT[room]?.includes(target);
			})
			.map((other) => `${file} → ${other}`);
	});
}

describe('The imports of product files', () => {
	it('lead in no circle', () => {
		expect(circlesIn(arrowsOf(productFiles()))).toEqual([]);
	});

	it('count also where they import only a type, a whole room or nothing, or export from a file', () => {
		const texts = {
			'service/a.ts': "import type { B } from './b';",
			'service/b.ts': "import { all } from './whole';",
			'service/whole/index.ts': "import '../c';",
			'service/c.ts': "export { a } from './a';",
			'nodes/N.node.ts': "import { a } from '../service/a';\nimport { x } from 'n8n-workflow';",
		};
		expect(circlesIn(arrowsOf(texts))).toEqual([
			'service/a.ts → service/b.ts → service/whole/index.ts → service/c.ts → service/a.ts',
		]);
	});

	it('lead in no circle where two files only import the same one', () => {
		const texts = {
			'nodes/a.ts': "import { b } from './b';\nimport { c } from './c';",
			'nodes/b.ts': "import { c } from './c';",
			'nodes/c.ts': '',
		};
		expect(circlesIn(arrowsOf(texts))).toEqual([]);
	});

	it('lead from each room of the nodes only into the rooms that it may import', () => {
		expect(unlistedIn(arrowsOf(productFiles()))).toEqual([]);
	});

	it('are found in a room that may not import the other, and in a room that is not listed', () => {
		const nodes = 'nodes/DocumentWorkflow';
		const texts = {
			[`${nodes}/panel/a.ts`]: "import type { B } from '../results/b';",
			[`${nodes}/new/a.ts`]: "import { b } from '../results/b';",
			[`${nodes}/results/b.ts`]: "import { c } from './report/c';",
			[`${nodes}/results/report/c.ts`]: "import { d } from '../../panel/d';",
			[`${nodes}/panel/d.ts`]: '',
		};
		expect(unlistedIn(arrowsOf(texts))).toEqual([
			`${nodes}/panel/a.ts → ${nodes}/results/b.ts`,
			`${nodes}/new/a.ts → ${nodes}/results/b.ts`,
		]);
	});

	it('need each arrow that the list allows', () => {
		const used = new Set(
			[...arrowsOf(productFiles())].flatMap(([file, imported]) =>
				imported.map((other) => `${roomOf(file)} → ${roomOf(other)}`),
			),
		);
		const listed = Object.entries(MAY_IMPORT).flatMap(([room, others]) =>
			others.map((other) => `${room} → ${other}`),
		);
		expect(listed.filter((arrow) => !used.has(arrow))).toEqual([]);
	});
});
