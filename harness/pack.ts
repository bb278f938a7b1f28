import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { newLog, npm } from './npm';
import { silent, Trouble } from './report';

export const ROOT = join(__dirname, '..');
/** What a run leaves for people to look at; not in the repository. */
export const ARTEFACTS = join(ROOT, 'artefacts');

const FOLDER = join(ARTEFACTS, 'package');
const SOURCES = [
	'nodes',
	'credentials',
	'service',
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'index.js',
	'README.md',
	'LICENSE',
	'CHANGELOG.md',
];

/**
 * Builds and packs the package as it would be published and returns the tarball's path. An earlier tarball is used
 * again while no source is newer than it, unless `fresh` asks for a new one.
 */
export async function packPackage({ fresh = false, report = silent } = {}): Promise<string> {
	const tarball = join(FOLDER, tarballName());
	if (
		!fresh &&
		existsSync(tarball) &&
		statSync(tarball).mtimeMs > newest(SOURCES.map((name) => join(ROOT, name)))
	)
		return tarball;
	report('Building and packing the package.');
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	const log = newLog(join(FOLDER, 'pack.log'));
	await npm(['run', 'build'], ROOT, log);
	await npm(['pack', '--ignore-scripts', '--pack-destination', FOLDER], ROOT, log);
	if (!existsSync(tarball))
		throw new Trouble(`npm pack did not make ${tarball}.`, `Log of npm: ${log}`);
	return tarball;
}

function tarballName(): string {
	const manifest = z.object({ name: z.string(), version: z.string() });
	const { name, version } = manifest.parse(
		JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
	);
	return `${name}-${version}.tgz`;
}

/** The latest change of these files and of everything under these folders, in milliseconds since 1970. */
function newest(paths: string[]): number {
	const times = paths.filter(existsSync).map((path) => {
		const status = statSync(path);
		if (!status.isDirectory()) return status.mtimeMs;
		return Math.max(status.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
	});
	return Math.max(0, ...times);
}
