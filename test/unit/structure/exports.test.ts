import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

import { ROOT } from '../../../harness/pack';

/** Rooms whose exports must be imported somewhere. The others only import. */
const CHECKED = ['nodes', 'credentials', 'service', 'simulator', 'harness'];
const IMPORTING = [...CHECKED, 'demo', 'examples', 'benchmarks', 'test'];
/** n8n loads these by the names in package.json. */
const ENTRY = /\.(?:node|credentials)\.ts$/;

interface Module {
	exported: string[];
	/** By name, the file from which it is imported, without its extension. `*` means all names. */
	imported: Array<{ from: string; name: string }>;
}

function modulesOf(texts: Record<string, string>): Map<string, Module> {
	return new Map(
		Object.entries(texts).map(([path, text]) => [path, moduleOf(path, text)] as const),
	);
}

function moduleOf(path: string, text: string): Module {
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
	const found: Module = { exported: [], imported: [] };
	for (const statement of source.statements) {
		if (ts.isExportDeclaration(statement) || ts.isImportDeclaration(statement)) {
			const from = fileOf(path, statement.moduleSpecifier);
			if (from !== undefined)
				found.imported.push(...namesTakenBy(statement).map((name) => ({ from, name })));
			if (ts.isExportDeclaration(statement) && statement.exportClause)
				found.exported.push(...namesGivenBy(statement.exportClause));
		} else if (isExported(statement))
			found.exported.push(
				...namesDeclaredBy(statement).filter((name) => !isTypeInUse(statement, name, text)),
			);
	}
	return found;
}

/** A type of a parameter or result may be exported with its function, even if nobody imports it. */
const isTypeInUse = (statement: ts.Statement, name: string, text: string): boolean =>
	(ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
	(text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;

const isExported = (statement: ts.Statement): boolean =>
	ts.canHaveModifiers(statement) &&
	(ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function fileOf(importer: string, specifier: ts.Expression | undefined): string | undefined {
	if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return;
	return withoutEnding(posix.join(posix.dirname(importer), specifier.text));
}

const withoutEnding = (path: string): string =>
	path.replace(/\.(?:ts|mjs|js)$/, '').replace(/\/index$/, '');

function namesTakenBy(statement: ts.ImportDeclaration | ts.ExportDeclaration): string[] {
	const names = ts.isImportDeclaration(statement)
		? statement.importClause?.namedBindings
		: statement.exportClause;
	if (!names || ts.isNamespaceImport(names) || ts.isNamespaceExport(names)) return ['*'];
	return names.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
}

const namesGivenBy = (clause: ts.NamedExportBindings): string[] =>
	ts.isNamespaceExport(clause) ? [clause.name.text] : clause.elements.map(({ name }) => name.text);

function namesDeclaredBy(statement: ts.Statement): string[] {
	if (ts.isVariableStatement(statement))
		return statement.declarationList.declarations.map(({ name }) =>
			ts.isIdentifier(name) ? name.text : 'a pattern',
		);
	const { name } = statement as ts.DeclarationStatement;
	return name && ts.isIdentifier(name) ? [name.text] : [];
}

/** `file: name` for each export of a checked room that no file imports. */
function deadExports(texts: Record<string, string>): string[] {
	const modules = modulesOf(texts);
	const imported = new Set(
		[...modules.values()].flatMap((module) =>
			module.imported.map(({ from, name }) => `${from}: ${name}`),
		),
	);
	const isImported = (path: string, name: string) =>
		[name, '*'].some((wanted) => imported.has(`${withoutEnding(path)}: ${wanted}`));
	return [...modules]
		.filter(([path]) => CHECKED.includes(path.split('/')[0] ?? '') && !ENTRY.test(path))
		.flatMap(([path, { exported }]) =>
			exported.filter((name) => !isImported(path, name)).map((name) => `${path}: ${name}`),
		);
}

function textsOfRooms(): Record<string, string> {
	const paths = IMPORTING.flatMap((room) =>
		readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((path) =>
			join(ROOT, room, path),
		),
	).filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules'));
	return Object.fromEntries(
		paths.map((path) => [relative(ROOT, path).replaceAll(sep, '/'), readFileSync(path, 'utf8')]),
	);
}

describe('exports', () => {
	it('are each imported by another file', () => {
		expect(deadExports(textsOfRooms())).toEqual([]);
	});

	it('count as dead when no import names them', () => {
		const texts = {
			'service/a.ts':
				'export const used = 1, dead = 2; export interface Dead {} export type Used = 1; export type InUse = 1; export const used2: InUse = 1; const own = 3; export { own as given };',
			'service/whole/index.ts': 'export function all() {}',
			'nodes/N.node.ts': 'export class N {}',
			'nodes/b.ts':
				"import { used as mine, used2, type Used } from '../service/a'; import * as whole from '../service/whole'; export { mine } from '../service/a';",
		};
		expect(deadExports(texts)).toEqual([
			'service/a.ts: dead',
			'service/a.ts: Dead',
			'service/a.ts: given',
			'nodes/b.ts: mine',
		]);
	});
});
