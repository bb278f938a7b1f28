import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../harness/pack';

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
