/** `node harness/launch.mjs test/jest.ts <suite>`: runs a slower suite (gate, e2e) with its own configuration, two files at a time: much of what they do is waiting. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../harness/pack';

const [suite = '', ...options] = process.argv.slice(2);
const results = join(ROOT, 'artefacts', 'results');
mkdirSync(results, { recursive: true });
const { status } = spawnSync(
	process.execPath,
	[
		join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
		...['-c', join(__dirname, suite, 'jest.config.js'), '--maxWorkers=2'],
		...['--json', `--outputFile=${join(results, `${suite}.json`)}`],
		...options,
	],
	{ cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exit(status ?? 1);
