import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { newLog, npm } from './npm';
import { silent, Trouble } from './report';

export const ROOT = join(__dirname, '..');
/** Output of the commands, for people to read; not in the repository. */
export const ARTEFACTS = join(ROOT, 'artefacts');

const FOLDER = join(ARTEFACTS, 'package');
/** All that the package is made of. */
export const SOURCES = [
	'nodes',
	'credentials',
	'service',
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'index.js',
	'README.md',
	'LICENSE',
];

/**
 * Builds and packs the package as it is published and returns the path of the tarball. An existing build and tarball are
 * reused while no source is newer, unless `fresh` is set.
 */
export async function packPackage({ fresh = false, report = silent } = {}): Promise<string> {
	const tarball = join(FOLDER, tarballName());
	if (
		!fresh &&
		existsSync(tarball) &&
		existsSync(join(ROOT, 'dist')) &&
		statSync(tarball).mtimeMs > newest(SOURCES.map((name) => join(ROOT, name)))
	)
		return tarball;
	report('Building and packing the package.');
	rmSync(FOLDER, { recursive: true, force: true });
	return buildAndPack(ROOT, FOLDER);
}

/** Builds the package from sources in a folder, puts the tarball into another one, and returns its path. */
export async function buildAndPack(sources: string, destination: string): Promise<string> {
	const tarball = join(destination, tarballName());
	mkdirSync(destination, { recursive: true });
	const log = newLog(join(destination, 'pack.log'));
	await npm(['run', 'build'], sources, log);
	await npm(['pack', '--ignore-scripts', '--pack-destination', destination], sources, log);
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

/** The time of the latest change in these files and folders, in milliseconds since 1970. */
function newest(paths: string[]): number {
	const times = paths.filter(existsSync).map((path) => {
		const status = statSync(path);
		if (!status.isDirectory()) return status.mtimeMs;
		return Math.max(status.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
	});
	return Math.max(0, ...times);
}
