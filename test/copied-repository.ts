import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../harness/pack';

const manifestJson = z
	.object({
		name: z.string(),
		version: z.string(),
		author: z.object({ name: z.string(), email: z.string() }),
		repository: z.object({ type: z.string(), url: z.string() }),
		scripts: z.record(z.string()),
	})
	.passthrough();

/**
 * Makes a repository with one commit of all files as they are, the same dependencies, and a remote one. Its `npm test`,
 * `npm run lint` and `npm run test:gate` only write their names into a file of the folder.
 */
export function copyRepository(copy: string, remote: string): void {
	const git = (cwd: string, ...args: string[]) =>
		execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
	const files = git(ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
	for (const file of files
		.split('\0')
		.filter((each) => each !== '' && existsSync(join(ROOT, each))))
		cpSync(join(ROOT, file), join(copy, file));
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	const manifest = manifestOf(copy);
	const noting = (step: string) => `echo ${step} >> artefacts/steps`;
	const scripts = {
		...manifest.scripts,
		test: `mkdir -p artefacts && ${noting('test')}`,
		lint: `mkdir -p artefacts && ${noting('lint')}`,
		'test:gate': noting('gate'),
	};
	const path = join(copy, 'package.json');
	writeFileSync(path, `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`);
	// A link is no folder: `.gitignore` names folders.
	writeFileSync(
		join(copy, '.gitignore'),
		`${readFileSync(join(ROOT, '.gitignore'), 'utf8')}node_modules\n`,
	);
	git(ROOT, 'init', '-q', '--bare', '-b', 'main', remote);
	git(copy, 'init', '-q', '-b', 'main');
	git(copy, 'config', 'user.name', 'Publisher');
	git(copy, 'config', 'user.email', 'publisher@example.com');
	git(copy, 'remote', 'add', 'origin', remote);
	git(copy, 'add', '-A');
	git(copy, 'commit', '-qm', 'All files');
	git(copy, 'push', '-q', '-u', 'origin', 'main');
}

export function manifestOf(folder: string): z.infer<typeof manifestJson> {
	return manifestJson.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/** The names that the tests of the copy have written down. */
export function stepsIn(copy: string): string[] {
	return readFileSync(join(copy, 'artefacts', 'steps'), 'utf8')
		.trim()
		.split('\n');
}

/** The blocks of commands of a page, in its order, as somebody copies them. */
export function commandBlocks(page: string): string[] {
	return [...textOf(page).matchAll(/^( *)```sh\n([^]*?)\n\1```$/gm)].map(
		([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
	);
}

/** A command that a page has in a sentence; fails if it has not. */
export function inlineCommand(page: string, command: string): string {
	if (!textOf(page).includes(`\`${command}\``)) throw new Error(`${page} has no \`${command}\`.`);
	return command;
}

function textOf(page: string): string {
	return readFileSync(join(ROOT, page), 'utf8');
}
