import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLeashed } from './processes';
import { Trouble } from './report';

const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const LAST_LINES = 12;
const OLDEST = 9; // the npm of Node 20

/** Fails, and says what to do, when npm is missing or too old for our lock files. */
export async function requireNpm(): Promise<void> {
	const { code, output, error } = await runLeashed(NPM, ['--version', '--loglevel=error']);
	const version = /^(\d+)\.\d+\.\d+/m.exec(output);
	if (error !== undefined || code !== 0 || !version) {
		throw new Trouble(
			'npm was not found.',
			'Install Node.js 20 or newer from https://nodejs.org (npm comes with it) and start again.',
		);
	}
	if (Number(version[1]) < OLDEST) {
		throw new Trouble(
			`npm ${version[0]} is too old: version ${OLDEST} or newer is needed.`,
			'Run "npm install --global npm@10" and start again.',
		);
	}
}

/**
 * Runs npm in a folder and appends its output to `log`. Raises Trouble when npm fails.
 * `removeAtEnd` is a temporary folder that is removed when this process ends before npm.
 */
export async function npm(
	args: string[],
	cwd: string,
	log: string,
	removeAtEnd?: string,
): Promise<void> {
	appendFileSync(log, `\n$ npm ${args.join(' ')}\n`);
	const { code, output, error } = await runLeashed(NPM, args, {
		cwd,
		removeAtEnd,
		onOutput: (text) => appendFileSync(log, text),
	});
	if (code !== 0) throw npmTrouble(args, error ?? output, log);
}

/** The address of the registry that npm uses if nobody sets another one; `folder` has no settings of npm. */
export async function defaultRegistry(folder: string): Promise<URL> {
	const settings = ['user', 'global'].map(
		(each) => `--${each}config=${join(folder, `no-${each}`)}`,
	);
	const { output } = await runLeashed(NPM, ['config', 'get', 'registry', ...settings], {
		cwd: folder,
		env: withoutNpmSettings(),
	});
	return new URL(output.trim());
}

/** The environment of this process without settings of npm, which would come before those of a file. */
export function withoutNpmSettings(): NodeJS.ProcessEnv {
	const entries = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
	return Object.fromEntries(entries);
}

/** Starts a new npm log file. */
export function newLog(file: string): string {
	writeFileSync(file, '');
	return file;
}

const causes: Array<{ shows: RegExp; isMissing?: true; what: string; remedy: string }> = [
	{
		shows: /ENOSPC|no space left on device/i,
		what: 'The disk is full.',
		remedy:
			'Free about 3 GB, or set DOCUMENT_WORKFLOW_CACHE to a folder on another disk, and start again.',
	},
	{
		shows:
			/gyp ERR! find Python|not found: make|make: not found|not found: g\+\+|g\+\+: (not found|No such file)|no acceptable C compiler|You need to install the latest version of Visual Studio/i,
		what: 'The sqlite3 module could not be compiled: a compiler is missing.',
		remedy:
			'Install Python 3, make and a C++ compiler (Debian, Ubuntu: "apt-get install python3 make g++"; macOS: "xcode-select --install"; Windows: Visual Studio Build Tools) and start again.',
	},
	{
		shows: /EACCES|EPERM/,
		what: 'npm may not write where it has to.',
		remedy:
			'Find the folder in the log and make it writable, or set DOCUMENT_WORKFLOW_CACHE to another folder.',
	},
	{
		shows:
			/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|socket hang up|ENOTCACHED/i,
		what: 'The npm registry cannot be reached.',
		remedy:
			'Check the network connection and the proxy and registry settings of npm with "npm ping", and start again.',
	},
	{
		shows: /CERT|certificate/i,
		what: 'The certificate of the npm registry is not trusted here.',
		remedy:
			'Give npm the certificate of your network\'s proxy ("npm config set cafile <file>") and start again.',
	},
	{
		shows: /E40[134]|ETARGET/,
		isMissing: true,
		what: 'The npm registry rejected a request or does not have a package.',
		remedy: 'Find the package in the log, and check the registry with "npm config get registry".',
	},
	{
		shows: /gyp ERR!/,
		what: 'The sqlite3 module could not be compiled.',
		remedy: "See the compiler's message in the log; Python 3, make and a C++ compiler are needed.",
	},
];

/** The registry does not give a package. */
export class MissingPackage extends Trouble {}

/** Explains a failure from npm's output, and says what to do. */
function npmTrouble(args: string[], output: string, log: string): Trouble {
	const cause = causes.find(({ shows }) => shows.test(output));
	const lines = output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
	const what =
		cause?.what ??
		`"npm ${args.filter((arg) => !arg.startsWith('-')).join(' ')}" failed. Its last lines:\n${lines}`;
	const remedy = cause?.remedy ?? 'The full output is in the log.';
	const Kind = cause?.isMissing === true ? MissingPackage : Trouble;
	return new Kind(what, `${remedy}\nLog of npm: ${log}`);
}
