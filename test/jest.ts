/**
 * `node harness/launch.mjs test/jest.ts <suite> [options]`: runs a suite that has its own configuration (gate, e2e, long) and prints
 * where its time went. Files with a real n8n mostly wait, so four of them run at a time.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../harness/pack';
import { printTimes } from './times';

const [suite = '', ...options] = process.argv.slice(2);
const folder = join(ROOT, 'artefacts', 'results');
const results = join(folder, `${suite}.json`);
mkdirSync(folder, { recursive: true });
rmSync(results, { force: true });
const { status } = spawnSync(
	process.execPath,
	[
		join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
		...['-c', join(__dirname, suite, 'jest.config.js'), `--maxWorkers=${suite === 'e2e' ? 4 : 2}`],
		...['--json', `--outputFile=${results}`],
		...options,
	],
	{ cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
);
if (existsSync(results)) printTimes(results, { bySpec: suite !== 'gate' });
process.exit(status ?? 1);
