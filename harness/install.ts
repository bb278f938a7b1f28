import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, roomFolder, roomHash, roomSource, type Room } from './cache';
import { withLock } from './lock';
import { newLog, npm, requireNpm } from './npm';
import { runLeashed } from './processes';
import { elapsed, Trouble, type Report } from './report';

export type Line = 'n8n-2' | 'n8n-1';

const COMPLETE = '.complete'; // holds the hash of the lock once the installation was checked
const GIB = 1024 ** 3;
const PROGRESS_EVERY = 15_000; // milliseconds
const ROOMS: Record<Room, { title: string; size: string; minutes: string; space: number }> = {
	'n8n-2': { title: 'n8n 2', size: '2.2 GB', minutes: 'about 3 minutes', space: 3 * GIB },
	'n8n-1': { title: 'n8n 1', size: '1.4 GB', minutes: 'about 3 minutes', space: 2 * GIB },
	'node-24': { title: 'Node 24', size: '0.2 GB', minutes: 'less than a minute', space: 0.5 * GIB },
	gate: {
		title: "n8n's verification scanner and its lint rules",
		size: '0.3 GB',
		minutes: 'less than a minute',
		space: 0.5 * GIB,
	},
	registry: {
		title: 'Verdaccio',
		size: '0.1 GB',
		minutes: 'less than a minute',
		space: 0.5 * GIB,
	},
	mutation: {
		title: 'Stryker',
		size: '0.1 GB',
		minutes: 'less than a minute',
		space: 0.2 * GIB,
	},
};

/** Installs one line of n8n into the cache folder unless it is there; returns its folder. */
export async function installN8n(line: Line, report: Report): Promise<string> {
	return installRoom(line, report, async (folder, log) => isUsable(folder, log, report));
}

/** n8n takes xlsx from its maker's server, which a network with a registry of its own may not reach. */
const OF_THE_REGISTRY = { xlsx: '0.18.5' };

/** Installs one version of n8n into the cache folder unless it is there, as `npm install n8n@…` does; returns its folder. */
export async function installVersion(version: string, report: Report): Promise<string> {
	const folder = versionFolder(version);
	const marker = join(folder, COMPLETE);
	if (existsSync(marker)) return folder;
	await requireNpm();
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await requireSpace(folder, ROOMS['n8n-2'].space, `n8n ${version}`);
	const wanted = { private: true, dependencies: { n8n: version }, overrides: OF_THE_REGISTRY };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted));
	const log = newLog(join(folder, 'install.log'));
	report(`Installing n8n ${version} (about 3 minutes) in ${folder}`);
	await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], folder, log);
	if (!(await isUsable(folder, log, report)))
		throw new Trouble(`n8n ${version} was installed but does not work.`, `Log of npm: ${log}`);
	writeFileSync(marker, version);
	return folder;
}

export function versionFolder(version: string): string {
	return join(cacheFolder(), `n8n-version-${version}`);
}

/** The line whose settings a version needs. */
export function lineOf(version: string): Line {
	return version.startsWith('1.') ? 'n8n-1' : 'n8n-2';
}

async function isUsable(folder: string, log: string, report: Report): Promise<boolean> {
	if (!existsSync(join(folder, 'node_modules', 'n8n', 'bin', 'n8n'))) return false;
	if (await loadsSqlite(folder)) return true;
	report('Compiling the sqlite3 module for this machine.');
	await npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], folder, log);
	return loadsSqlite(folder);
}

/**
 * The Node that runs n8n: this one if it is Node 24, else one from the registry in the cache folder.
 * n8n 2 requires 24 or newer, n8n 1 requires 24 or older.
 */
export async function installNode(report: Report): Promise<string> {
	if (process.versions.node.startsWith('24.')) return process.execPath;
	const relative = nodeBinary();
	if (!relative) {
		throw new Trouble(
			`n8n 2 needs Node 24; this is Node ${process.versions.node} and there is none to install for ${process.platform} ${process.arch}.`,
			'Install Node 24 from https://nodejs.org and start again with it.',
		);
	}
	const folder = await installRoom('node-24', report, async (installed) => {
		const { code, output } = await runLeashed(join(installed, relative), ['--version']);
		return code === 0 && output.startsWith('v24.');
	});
	return join(folder, relative);
}

/** Installs n8n's scanner of community packages, and its tool for their developers; returns their folder. */
export async function installGate(report: Report): Promise<string> {
	return installRoom('gate', report, async (folder) =>
		['scan-community-package', 'node-cli'].every((name) =>
			existsSync(join(folder, 'node_modules', '@n8n', name)),
		),
	);
}

/** Installs Verdaccio, a registry of npm packages; returns its program. */
export async function installRegistry(report: Report): Promise<string> {
	const program = join('node_modules', 'verdaccio', 'bin', 'verdaccio');
	const folder = await installRoom('registry', report, async (installed) =>
		existsSync(join(installed, program)),
	);
	return join(folder, program);
}

/** Installs Stryker, which the mutation tests run; returns its folder. */
export async function installStryker(report: Report): Promise<string> {
	return installRoom('mutation', report, async (folder) =>
		existsSync(join(folder, 'node_modules', '@stryker-mutator', 'jest-runner')),
	);
}

function nodeBinary(): string | undefined {
	const offered = ['linux-x64', 'linux-arm64', 'win-x64']; // as in node-24/package.json
	const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
	if (!offered.includes(platform)) return undefined;
	return join(
		'node_modules',
		`node-${platform}`,
		'bin',
		process.platform === 'win32' ? 'node.exe' : 'node',
	);
}

/** `works` checks the installation, and may add what npm ci does not do. */
async function installRoom(
	room: Room,
	report: Report,
	works: (folder: string, log: string) => Promise<boolean>,
): Promise<string> {
	const folder = roomFolder(room);
	if (isComplete(room, folder)) return folder;
	mkdirSync(cacheFolder(), { recursive: true });
	const { title } = ROOMS[room];
	const waiting = (holder: string) =>
		report(`Waiting for another process (${holder}) that is installing ${title}.`);
	await withLock(`${folder}.lock`, waiting, async () => {
		if (isComplete(room, folder)) return;
		mkdirSync(folder, { recursive: true });
		const log = newLog(join(folder, 'install.log'));
		if (!(npmFinished(folder) && (await works(folder, log))))
			await install(room, folder, log, report, works);
		writeFileSync(join(folder, COMPLETE), roomHash(room));
	});
	return folder;
}

async function install(
	room: Room,
	folder: string,
	log: string,
	report: Report,
	works: (folder: string, log: string) => Promise<boolean>,
): Promise<void> {
	const { title, size, minutes, space } = ROOMS[room];
	await requireNpm();
	await requireSpace(folder, space, title);
	for (const file of ['package.json', 'package-lock.json'])
		copyFileSync(join(roomSource(room), file), join(folder, file));

	report(`Installing ${title} (${size}, once; ${minutes}) in ${folder}`);
	const begin = Date.now();
	const progress = setInterval(
		() => report(`  still installing ${title}: ${elapsed(Date.now() - begin)} of ${minutes}`),
		PROGRESS_EVERY,
	);
	try {
		await npm(
			['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'],
			folder,
			log,
		);
		if (!(await works(folder, log))) {
			throw new Trouble(
				`${title} was installed but does not work.`,
				`Remove the folder ${folder} and start again.\nLog of npm: ${log}`,
			);
		}
	} finally {
		clearInterval(progress);
	}
	report(`Installed ${title} in ${elapsed(Date.now() - begin)}.`);
}

/** npm writes this hidden lock as its last step: an interrupted npm ci has none. */
function npmFinished(folder: string): boolean {
	return existsSync(join(folder, 'node_modules', '.package-lock.json'));
}

function isComplete(room: Room, folder: string): boolean {
	const marker = join(folder, COMPLETE);
	return (
		existsSync(marker) && readFileSync(marker, 'utf8') === roomHash(room) && npmFinished(folder)
	);
}

async function loadsSqlite(folder: string): Promise<boolean> {
	const { code } = await runLeashed(process.execPath, ['-e', 'require("sqlite3")'], {
		cwd: folder,
	});
	return code === 0;
}

async function requireSpace(folder: string, needed: number, title: string): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	const free = bavail * bsize;
	if (free >= needed) return;
	throw new Trouble(
		`There is not enough space for ${title}: ${(free / GIB).toFixed(1)} GB are free in ${folder}, ${(needed / GIB).toFixed(1)} GB are needed.`,
		'Free some space, or set DOCUMENT_WORKFLOW_CACHE to a folder on another disk, and start again.',
	);
}
