/**
 * `npm run set-repository -- owner/name mail` gives the package another home: it replaces the repository, the author and the e-mail
 * address in all files.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { ROOT } from '../pack';
import { Trouble } from '../report';
import { homeOf, moveHome, type Home } from './home';
import { readManifest, readText, trackedTexts } from './repository';

function readHome([repository = '', mail = '', ...others]: string[]): Home {
	const [owner = ''] = repository.split('/');
	if (others.length > 0 || !/^[\w-]+\/[\w.-]+$/.test(repository) || !/^\S+@\S+\.\S+$/.test(mail))
		throw new Trouble(
			'Name the repository at GitHub and an e-mail address for reports of security problems.',
			'npm run set-repository -- owner/name mail',
		);
	return { repository, author: owner, mail };
}

async function main(): Promise<void> {
	const to = readHome(process.argv.slice(2));
	const from = homeOf(readManifest());
	const changed: string[] = [];
	for (const file of trackedTexts()) {
		const text = readText(file);
		const moved = moveHome(text, from, to);
		if (moved === text) continue;
		writeFileSync(join(ROOT, file), await formatted(file, moved));
		changed.push(file);
	}
	console.log(`${to.repository} is named in ${changed.length} files:\n${changed.join('\n')}`);
	console.log('Look at the change (git diff), run npm run lint and npm test, and commit.');
}

/** Addresses have another length now. */
async function formatted(file: string, text: string): Promise<string> {
	const ignorePath = join(ROOT, '.prettierignore');
	const { ignored, inferredParser } = await getFileInfo(join(ROOT, file), { ignorePath });
	if (ignored || inferredParser === null) return text;
	const options = await resolveConfig(join(ROOT, file), { editorconfig: true });
	return format(text, { ...options, filepath: file });
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
