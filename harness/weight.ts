/**
 * `npm run weight`: what a reader, a user and a contributor have to take in, each figure with the rule by which it counts.
 * Builds the package first, because two figures are of the built package.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';

import { faultShapes, namesDefinedTwice, participleTypes, sharedVariables } from './declarations';
import { circlesOf, importsOf, PRODUCT, productFiles, ROOT } from './imports';

const NODE = join('nodes', 'DocumentWorkflow');
const WALK = join(ROOT, 'artefacts', 'walk.json');

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const linesOf = (file: string) => textOf(file).split('\n').length - 1;
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

function filesIn(folder: string, endings: RegExp): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => endings.test(file))
		.map((file) => join(folder, file));
}

function wordsIn(files: string[]): number {
	return sum(files.map((file) => wordsOf(readFileSync(join(ROOT, file), 'utf8'))));
}

const RESULTS = join(NODE, 'results');

/** Of a file, the file itself, or its folder where that has no folder in it. */
function partOf(file: string, files: string[]): string {
	const folder = dirname(file);
	const hasFolder = files.some((other) => dirname(other).startsWith(`${folder}/`));
	return hasFolder ? file : folder;
}

interface House {
	rooms: string[];
	/** The longest way of imports, in rooms. */
	floors: number;
	arrows: string[];
}

function houseOf(product: string[]): House {
	const files = product.filter((file) => file.startsWith(RESULTS));
	const imported = new Map<string, Set<string>>();
	for (const file of files) {
		const room = partOf(file, files);
		const others = imported.get(room) ?? new Set();
		for (const other of importsOf(file, files, { types: true })) others.add(partOf(other, files));
		others.delete(room);
		imported.set(room, others);
	}
	const floorOf = (room: string): number =>
		1 + Math.max(0, ...[...(imported.get(room) ?? [])].map(floorOf));
	const rooms = [...imported.keys()];
	return {
		rooms,
		floors: Math.max(...rooms.map(floorOf)),
		arrows: rooms.flatMap((room) => [...(imported.get(room) ?? [])].map((to) => `${room} → ${to}`)),
	};
}

const BRANCHES = new Set([
	ts.SyntaxKind.IfStatement,
	ts.SyntaxKind.ForStatement,
	ts.SyntaxKind.ForInStatement,
	ts.SyntaxKind.ForOfStatement,
	ts.SyntaxKind.WhileStatement,
	ts.SyntaxKind.DoStatement,
	ts.SyntaxKind.CaseClause,
	ts.SyntaxKind.CatchClause,
	ts.SyntaxKind.ConditionalExpression,
	ts.SyntaxKind.QuestionQuestionToken,
	ts.SyntaxKind.AmpersandAmpersandToken,
	ts.SyntaxKind.BarBarToken,
]);

function branchesIn(file: string): number {
	const text = readFileSync(join(ROOT, file), 'utf8');
	let count = 0;
	const visit = (node: ts.Node): void => {
		if (BRANCHES.has(node.kind)) count++;
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
	return count;
}

function printLanguage(product: string[]): void {
	const texts = Object.fromEntries(product.map((file) => [file, textOf(file)]));
	const bags = product.flatMap((file) => textOf(file).match(/^.*\bIDataObject\b.*$/gm) ?? []);
	const shared = sharedVariables(texts);
	const sharing = new Set(shared.map((each) => each.split(': ')[1]));
	const branches = sum(product.map(branchesIn)) / (sum(product.map(linesOf)) / 100);
	const twice = namesDefinedTwice(texts);
	print('Names defined twice', twice.length, 'at the top level of two files, CONSTANTS aside');
	for (const each of twice) console.log(`    ${each}`);
	const participles = participleTypes(texts).length;
	print('Types that are participles', participles, 'one word that ends with ed or ing');
	print('Lines with IDataObject', bags.length, 'product lines, imports too');
	const shapes = faultShapes(texts).length;
	print('Shapes of "it went wrong"', shapes, 'types with message: string, or that extend Fault');
	print('Shared variables', shared.length, 'top-level let, or const = new X() of nothing');
	print('    files with one', sharing.size, 'the same variables');
	print('Branches in 100 lines', branches.toFixed(1), 'as below, in all product files');
}

function printResults(product: string[]): void {
	const files = product.filter((file) => file.startsWith(RESULTS));
	const { rooms, floors, arrows } = houseOf(product);
	const withGenerator = files.filter((file) => /\bfunction\*|\byield\b/.test(textOf(file)));
	const hints = product.filter((file) => textOf(file).includes("location: 'outputPane'"));
	const branches = sum(files.map(branchesIn)) / (sum(files.map(linesOf)) / 100);
	print(
		'Rooms in results/',
		rooms.length,
		'its files, and as one room each folder without folders',
	);
	print('    floors', floors, 'the longest way of imports from room to room, types too');
	print('    arrows', arrows.length, 'a room imports another, types too; each pair once');
	print('    files with generators', withGenerator.length, 'function* or yield in results/');
	print(
		'    branches in 100 lines',
		branches.toFixed(1),
		'if, for, while, case, catch, ?:, ??, &&, ||',
	);
	print('Places that make hints', hints.length, "product files with location: 'outputPane'");
}

/** The file or folder directly in the folder of the node that a file belongs to. */
function roomOf(file: string): string {
	return file.slice(NODE.length + 1).split('/')[0] ?? '';
}

function arrowsInNode(product: string[]): { rooms: string[]; arrows: string[] } {
	const inside = product.filter((file) => file.startsWith(NODE));
	const arrows = inside.flatMap((file) =>
		importsOf(file, inside, { types: true }).map((other) => `${roomOf(file)} → ${roomOf(other)}`),
	);
	return {
		rooms: [...new Set(inside.map(roomOf))],
		arrows: [...new Set(arrows)].filter((arrow) => {
			const [from, to] = arrow.split(' → ');
			return from !== to;
		}),
	};
}

type Entry = INodeProperties | INodePropertyCollection;

/** A field and, in a collection, all its entries. Notices set nothing. */
function settingsIn(field: Entry): number {
	if (!('type' in field)) return sum(field.values.map(settingsIn));
	if (['notice', 'hidden'].includes(field.type)) return 0;
	const isCollection = ['collection', 'fixedCollection'].includes(field.type);
	return 1 + (isCollection ? sum((field.options as Entry[]).map(settingsIn)) : 0);
}

function settingsOf({ properties }: INodeTypeDescription): Array<[string, number]> {
	const operation = properties.find(({ name }) => name === 'operation');
	if (operation === undefined) return [['the trigger', sum(properties.map(settingsIn))]];
	const values = (operation.options ?? []).map((option) => ('value' in option ? option.value : ''));
	return values.map((value): [string, number] => {
		const shown = properties.filter(({ name, displayOptions }) => {
			const operations = displayOptions?.show?.operation as unknown[] | undefined;
			return name !== 'operation' && (operations?.includes(value) ?? true);
		});
		return [String(value), sum(shown.map(settingsIn))];
	});
}

function descriptionOf(name: string): INodeTypeDescription {
	const built = createRequire(__filename)(join(ROOT, 'index.js')) as Record<
		string,
		new () => { description: INodeTypeDescription }
	>;
	const Node = built[name];
	if (Node === undefined) throw new Error(`index.js has no ${name}`);
	return new Node().description;
}

function run(command: string, args: string[]): void {
	const { status } = spawnSync(command, args, {
		cwd: ROOT,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	if (status !== 0) console.error(`"${command} ${args.join(' ')}" ended with ${status}`);
}

function notesInExamples(): number {
	const workflows = filesIn('examples/workflows', /\.json$/);
	return sum(
		workflows.map((file) => {
			const { nodes } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as {
				nodes: Array<{ parameters: { content?: string } }>;
			};
			return sum(nodes.map(({ parameters: { content = '' } }) => wordsOf(content)));
		}),
	);
}

function print(figure: string, value: number | string, rule: string): void {
	console.log(`${figure.padEnd(34)} ${String(value).padStart(8)}   ${rule}`);
}

function main(): void {
	rmSync(WALK, { force: true });
	run('npm', ['run', '--silent', 'build']);
	run(process.execPath, [
		join('node_modules', 'jest', 'bin', 'jest.js'),
		'--silent',
		'test/engine/walk',
	]);
	const product = productFiles(PRODUCT);
	const tests = filesIn('test', /\.(ts|js|cjs|mjs)$/);
	const { rooms, arrows } = arrowsInNode(product);
	const action = settingsOf(descriptionOf('DocumentWorkflow'));
	const trigger = settingsOf(descriptionOf('DocumentWorkflowTrigger'));
	const docs = filesIn('docs', /\.md$/);
	print('Product lines', sum(product.map(linesOf)), '*.ts in nodes, credentials, service');
	print('Product files', product.length, 'the same files');
	const circles = circlesOf(product);
	print('Circles', circles.length, 'groups of product files that import each other, types too');
	for (const circle of circles) console.log(`    ${circle.join(', ')}`);
	print('Rooms in the node', rooms.length, `files and folders directly in ${NODE}`);
	print('Arrows between them', arrows.length, 'a room imports another, types too; each pair once');
	printLanguage(product);
	printResults(product);
	const settings = 1 + sum(action.map(([, count]) => count));
	print(
		'Things to set in the action node',
		settings,
		'fields, collections and their entries for each operation, and the operation',
	);
	console.log(`    ${[...action, ...trigger].map((each) => each.join(' ')).join(', ')}`);
	const walked = existsSync(WALK) ? (JSON.parse(readFileSync(WALK, 'utf8')) as string[]) : [];
	print(
		'Files that a document passes',
		walked.length > 0 ? walked.length : 'not measured',
		'a function ran in Create and Wait; without files that import no product file at run time',
	);
	print('Test lines', sum(tests.map(linesOf)), 'code in test/');
	print(
		'    of the simulator',
		sum(filesIn('test/simulator', /\.ts$/).map(linesOf)),
		'test/simulator',
	);
	print(
		'    of attacks',
		sum(tests.filter((file) => /hostile[^/]*\.ts$/.test(file)).map(linesOf)),
		'hostile*.ts',
	);
	const hasTest = (file: string) => /^\s*it(?:\.\w+)*[(`]/m.test(textOf(file));
	const support = tests.filter((file) => !file.endsWith('.test.ts') && !hasTest(file));
	const percentOf = (some: number, all: number) => `${Math.round((100 * some) / all)} %`;
	print(
		'Support in the lines of tests',
		percentOf(sum(support.map(linesOf)), sum(tests.map(linesOf))),
		'code in test/ that is no *.test.ts and has no it( of its own; at most a third',
	);
	print('    in their files', percentOf(support.length, tests.length), 'the same files');
	print('Pages of docs', docs.length + 1, 'docs/*.md and README.md');
	print('Words of docs', wordsIn([...docs, 'README.md']), 'the same files');
	print(
		'Lines of the simulator',
		sum(productFiles(['simulator']).map(linesOf)),
		'*.ts in simulator',
	);
	console.log('Outside these counts:');
	const others = readdirSync(ROOT).filter((file) => file.endsWith('.md') && file !== 'README.md');
	print('    words of other pages', wordsIn(others), others.join(', '));
	print('    words of notes', notesInExamples(), 'notes on the canvas of examples/workflows');
	const data = [...filesIn('test', /\.(json|tsv|csv|md|html)$/), ...filesIn('nodes', /\.json$/)];
	print(
		'    lines of data',
		sum(data.map(linesOf)),
		'json, tsv, csv, md, html in test, json in nodes',
	);
}

main();
