/**
 * `npm test`: build, then unit, simulator and engine tests. Without a build there are no tests. Ends with a table of where the time
 * went. Format, lint and the types of tests are `npm run lint`: they take as long as the tests.
 * Options go on to jest: with `--coverage`, as in `.github/workflows/test.yml`, it measures the coverage as well, and takes twice as long.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../harness/pack';
import { elapsed } from '../harness/report';
import { printTimes } from './times';

const FOLDER = join(ROOT, 'artefacts', 'results');
const RESULTS = join(FOLDER, 'test.json');
const options = process.argv.slice(2);

const STEPS: Array<[title: string, script: string, options: string[]]> = [
	['Build', 'typescript/bin/tsc', []],
	['Icons and codex', 'gulp/bin/gulp.js', ['--silent']],
	[
		'Unit, simulator and engine tests',
		'jest/bin/jest.js',
		// More than cores, because some tests wait.
		['--maxWorkers=3', '--json', `--outputFile=${RESULTS}`, ...options],
	],
];

mkdirSync(FOLDER, { recursive: true });
for (const old of [RESULTS, join(ROOT, 'dist')]) rmSync(old, { recursive: true, force: true });
const begin = Date.now();
const done: string[] = [];
for (const [title, script, given] of STEPS) {
	const start = Date.now();
	const args = [join(ROOT, 'node_modules', script), ...given];
	const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
	const words = `${title}: ${status === 0 ? 'passed' : 'FAILED'} in ${elapsed(Date.now() - start)}`;
	console.log(words);
	done.push(words);
	if (status === 0) continue;
	process.exitCode = 1;
	break;
}
if (existsSync(RESULTS)) printTimes(RESULTS);
console.log(`\nTime by step, ${elapsed(Date.now() - begin)} in all`);
for (const words of done) console.log(`  ${words}`);
