/**
 * `npm run release -- check <tag>` says what stands in the way of a release; `npm run release -- files <tag>` makes, from a build that
 * was tested, what is released: the package, its notes and its list of components (SBOM), in `artefacts/release`.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newLog, npm } from '../npm';
import { ARTEFACTS, ROOT } from '../pack';
import { runLeashed } from '../processes';
import { Trouble } from '../report';
import { findFaults } from './faults';
import { notesOf } from './notes';
import { readCandidate, readManifest, readText } from './repository';

const FOLDER = join(ARTEFACTS, 'release');
const HELP = 'npm run release -- check <tag>\nnpm run release -- files <tag>';

async function main([what, tag, ...others]: string[]): Promise<void> {
	if (tag === undefined || others.length > 0 || (what !== 'check' && what !== 'files'))
		throw new Trouble('Say what to do, and for which tag.', HELP);
	const faults = findFaults(readCandidate(tag));
	if (faults.length > 0)
		throw new Trouble(faults.join('\n'), `Nothing of ${tag} has been published.`);
	console.log(`${tag} can be released.`);
	if (what === 'files') await makeFiles();
}

async function makeFiles(): Promise<void> {
	const { version } = readManifest();
	if (!existsSync(join(ROOT, 'dist')))
		throw new Trouble('There is no build.', 'Run npm run prepublishOnly, and start again.');
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	const log = newLog(join(ARTEFACTS, 'release.log'));
	await npm(['pack', '--ignore-scripts', '--pack-destination', FOLDER], ROOT, log);
	const notes = notesOf(readText('CHANGELOG.md'), version);
	writeFileSync(join(FOLDER, 'notes.md'), `${notes?.text ?? ''}\n`);
	writeFileSync(join(FOLDER, 'sbom.cdx.json'), await componentsOfPackage());
	console.log(`${FOLDER} has ${readdirSync(FOLDER).join(', ')}.`);
}

/** What the package brings with it: nothing but itself. */
async function componentsOfPackage(): Promise<string> {
	const args = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];
	const { code, output } = await runLeashed('npm', args, { cwd: ROOT });
	if (code !== 0) throw new Trouble('npm sbom has failed.', output);
	return output;
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
