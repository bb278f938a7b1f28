/**
 * The first step of each command of this repository, before anything is installed: plain JavaScript without dependencies.
 * Checks the version of Node, and installs the development dependencies when they are missing or differ from the lock.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const PROGRESS_EVERY = 15_000; // milliseconds
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Ends the process with a message when Node is too old. */
export function requireNode() {
	const version = process.versions.node;
	if (Number(version.split('.')[0]) >= OLDEST_NODE) return;
	console.error(
		`This is Node ${version}; Node ${OLDEST_NODE} or newer is needed. Install it from https://nodejs.org and start again.`,
	);
	process.exit(1);
}

/** Installs the development dependencies with npm ci, unless they are installed as the lock says. */
export async function ensureDependencies() {
	const difference = differenceToLock();
	if (!difference) return;
	console.log(`Installing the development dependencies (${difference}): about 1 minute, 0.5 GB.`);
	const begin = Date.now();
	const seconds = () => Math.round((Date.now() - begin) / 1000);
	const progress = setInterval(
		() => console.log(`  still installing: ${seconds()} s`),
		PROGRESS_EVERY,
	);
	try {
		await npmCi();
	} finally {
		clearInterval(progress);
	}
	console.log(`Installed the development dependencies in ${seconds()} s.`);
}

/** A short text on how the installed packages differ from the lock; undefined when they do not. */
function differenceToLock() {
	const installedLock = join(ROOT, 'node_modules', '.package-lock.json'); // npm writes it as its last step
	if (!existsSync(installedLock)) return 'they are missing';
	const wanted = packagesOf(join(ROOT, 'package-lock.json'));
	const installed = packagesOf(installedLock);
	const differs = ([path, { version, optional }]) =>
		path !== '' && !optional && installed[path]?.version !== version;
	return Object.entries(wanted).some(differs) ? 'the lock has changed' : undefined;
}

function packagesOf(file) {
	return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function npmCi() {
	const windows = process.platform === 'win32';
	return new Promise((resolve, reject) => {
		const output = [];
		const npm = spawn(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund'], {
			cwd: ROOT,
			shell: windows,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		npm.stdout.on('data', (chunk) => output.push(chunk));
		npm.stderr.on('data', (chunk) => output.push(chunk));
		const end = () => npm.kill('SIGTERM');
		process.once('exit', end);
		npm.on('error', () =>
			reject(
				new Error(
					'npm was not found. It comes with Node.js: install Node.js from https://nodejs.org and start again.',
				),
			),
		);
		npm.on('close', (code) => {
			process.off('exit', end);
			if (code === 0) return resolve();
			const text = Buffer.concat(output).toString('utf8').trim();
			reject(
				new Error(
					`npm ci failed (exit code ${code}).${hint(text)}\n${text.split('\n').slice(-20).join('\n')}`,
				),
			);
		});
	});
}

function hint(text) {
	if (/EUSAGE/.test(text))
		return ' package-lock.json does not fit package.json: run npm install, look at the change, and commit it.';
	if (/ENOSPC/.test(text)) return ' The disk is full: free about 1 GB and start again.';
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(text))
		return ' The npm registry cannot be reached: check the network and the proxy settings of npm.';
	return '';
}
