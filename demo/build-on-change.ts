import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { PRODUCT, ROOT } from '../harness/imports';

const ASSET = /\.(?:svg|node\.json)$|__schema__.*\.json$/;

/** Builds the product into a folder at each change of a file. Ends by `stop`. */
export function buildOnChange(
	folder: string,
	report: (sentence: string) => void,
): { stop: () => void } {
	const program = ts.createWatchProgram(compilerOf(folder, report));
	const assets = PRODUCT.map((room) =>
		watch(join(ROOT, room), { recursive: true }, (_event, file) => {
			if (file !== null && ASSET.test(file)) copyAsset(join(room, file), folder, report);
		}),
	);
	return {
		stop: () => {
			program.close();
			for (const each of assets) each.close();
		},
	};
}

function compilerOf(folder: string, report: (sentence: string) => void) {
	const text = (message: ts.DiagnosticMessageChain | string) =>
		ts.flattenDiagnosticMessageText(message, '\n');
	const names = {
		getCanonicalFileName: (name: string) => name,
		getCurrentDirectory: () => ROOT,
		getNewLine: () => '\n',
	};
	const system = { ...ts.sys, writeFile: writeIfChanged };
	return ts.createWatchCompilerHost(
		join(ROOT, 'tsconfig.json'),
		{ outDir: folder, rootDir: ROOT, sourceMap: false },
		system,
		ts.createEmitAndSemanticDiagnosticsBuilderProgram,
		(fault) => report(ts.formatDiagnostic(fault, names).trim()),
		(change) => report(text(change.messageText)),
	);
}

/** n8n loads the package again at each write, also one that changes nothing. */
function writeIfChanged(path: string, data: string): void {
	if (ts.sys.readFile(path) !== data) ts.sys.writeFile(path, data);
}

function copyAsset(file: string, folder: string, report: (sentence: string) => void): void {
	try {
		cpSync(join(ROOT, file), join(folder, file));
		report(`${file} was copied.`);
	} catch {
		report(`${file} is gone.`);
	}
}
