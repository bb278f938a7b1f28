import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../pack';
import type { Candidate, Lock } from './faults';
import { hasPartOf, placeholdersOf, type Manifest } from './home';

const versions = z.record(z.string());
const manifestJson = z.object({
	name: z.string(),
	version: z.string(),
	author: z.object({ name: z.string(), email: z.string() }),
	repository: z.object({ url: z.string() }),
	devDependencies: versions,
	peerDependencies: versions,
});
const lockJson = z.object({
	version: z.string(),
	packages: z.record(
		z.object({
			integrity: z.string().optional(),
			link: z.boolean().optional(),
			inBundle: z.boolean().optional(),
			devDependencies: versions.optional(),
			peerDependencies: versions.optional(),
		}),
	),
});

export function readText(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8');
}

export function readManifest(): Manifest {
	return manifestJson.parse(JSON.parse(readText('package.json')));
}

/** The files of the repository that are texts. */
export function trackedTexts(): string[] {
	return git('ls-files', '-z')
		.split('\0')
		.filter((file) => file !== '' && !readText(file).includes('\0'));
}

/** What is to be released under a tag, as the repository stands. */
export function readCandidate(tag: string): Candidate {
	const manifest = readManifest();
	const placeholders = placeholdersOf(manifest.name);
	const lock: Lock = lockJson.parse(JSON.parse(readText('package-lock.json')));
	return {
		tag,
		manifest,
		lock,
		changelog: readText('CHANGELOG.md'),
		uncommitted: git('status', '--porcelain', '-z')
			.split('\0')
			.filter((line) => line !== '')
			.map((line) => line.slice(3)),
		withPlaceholders: trackedTexts().filter((file) => hasPartOf(readText(file), placeholders)),
		workflowOf: process.env.GITHUB_REPOSITORY,
	};
}

function git(...args: string[]): string {
	return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 100_000_000 });
}
