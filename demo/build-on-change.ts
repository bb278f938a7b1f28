import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watch } from 'chokidar';
import ts from 'typescript';
import { PRODUCT, ROOT } from '../harness/imports';

const ASSET = /\.(?:svg|node\.json)$|__schema__.*\.json$/;
/** A file may be written in parts. */
const SETTLED_AFTER = 50; // milliseconds

type Report = (sentence: string) => void;

/**
 * Puts each file of the product that changes into a folder, compiled: at once, by itself. The types of all files are checked beside it,
 * which takes longer, and only reported. Ends by `stop`.
 */
export async function buildOnChange(
	folder: string,
	report: Report,
): Promise<{ stop: () => Promise<void> }> {
	const pending = new Map<string, NodeJS.Timeout>();
	const changed = (file: string) => {
		clearTimeout(pending.get(file));
		pending.set(
			file,
			setTimeout(() => build(file, folder, report), SETTLED_AFTER),
		);
	};
	// Node's own watch loses a file for which another one is put in its place, as some editors save.
	const watching = watch(PRODUCT, { cwd: ROOT, ignoreInitial: true, disableGlobbing: true });
	watching.on('add', changed).on('change', changed);
	watching.on('error', (error) => report(error.message));
	await new Promise((resolve) => watching.on('ready', resolve));
	const checking = ts.createWatchProgram(typesOf(report));
	return {
		stop: async () => {
			checking.close();
			await watching.close();
			for (const each of pending.values()) clearTimeout(each);
		},
	};
}

function build(file: string, folder: string, report: Report): void {
	if (!existsSync(join(ROOT, file))) return;
	if (ASSET.test(file)) cpSync(join(ROOT, file), join(folder, file));
	else if (file.endsWith('.ts')) writeCompiled(file, folder);
	else return;
	report(`${file} is built.`);
}

function writeCompiled(file: string, folder: string): void {
	const compiled = ts.transpileModule(readFileSync(join(ROOT, file), 'utf8'), {
		fileName: file,
		compilerOptions: {
			target: ts.ScriptTarget.ES2022,
			module: ts.ModuleKind.CommonJS,
			esModuleInterop: true,
		},
	});
	const path = join(folder, file.replace(/\.ts$/, '.js'));
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, compiled.outputText);
}

function typesOf(report: Report) {
	const names = {
		getCanonicalFileName: (name: string) => name,
		getCurrentDirectory: () => ROOT,
		getNewLine: () => '\n',
	};
	return ts.createWatchCompilerHost(
		join(ROOT, 'tsconfig.json'),
		{ noEmit: true },
		ts.sys,
		ts.createSemanticDiagnosticsBuilderProgram,
		(fault) => report(ts.formatDiagnostic(fault, names).trim()),
		({ messageText }) => report(ts.flattenDiagnosticMessageText(messageText, '\n')),
	);
}
