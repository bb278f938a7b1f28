/** `npm test`: lint, types, build, then unit, simulator and engine tests with their coverage. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../harness/pack';
import { elapsed } from '../harness/report';

const RESULTS = join(ROOT, 'artefacts', 'results');
const tool = (name: string, ...path: string[]): string => join(ROOT, 'node_modules', name, ...path);

const STEPS: Array<{ title: string; script: string; options: string[] }> = [
	{
		title: 'Lint',
		script: tool('eslint', 'bin', 'eslint.js'),
		options: ['.', '--max-warnings', '0'],
	},
	{
		title: 'Types',
		script: tool('typescript', 'bin', 'tsc'),
		options: ['-p', 'test/tsconfig.json'],
	},
	{ title: 'Build: TypeScript', script: tool('typescript', 'bin', 'tsc'), options: [] },
	{
		title: 'Build: icons and codex',
		script: tool('gulp', 'bin', 'gulp.js'),
		options: ['--silent', 'assets'],
	},
	{
		title: 'Unit, simulator and engine tests',
		script: tool('jest', 'bin', 'jest.js'),
		options: [
			'--coverage',
			'--maxWorkers=100%',
			'--json',
			`--outputFile=${join(RESULTS, 'test.json')}`,
		],
	},
];

mkdirSync(RESULTS, { recursive: true });
for (const { title, script, options } of STEPS) {
	console.log(`\n${title}`);
	const begin = Date.now();
	const { status } = spawnSync(process.execPath, [script, ...options], {
		cwd: ROOT,
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	if (status !== 0) {
		console.error(`\n${title}: not passed. What is wrong stands above.`);
		process.exit(1);
	}
	console.log(`${title}: passed in ${elapsed(Date.now() - begin)}`);
}
