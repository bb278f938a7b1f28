/**
 * `npm test`: format, lint and types, and beside them build, then unit, simulator and engine tests. A check that fails does not hide
 * the next; only without a build there are no tests. Ends with a table of where the time went.
 * In CI (environment variable CI), or with `--coverage`, it measures the coverage as well. Further options go on to jest.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../harness/pack';
import { elapsed } from '../harness/report';
import { printTimes } from './times';

const FOLDER = join(ROOT, 'artefacts', 'results');
const RESULTS = join(FOLDER, 'test.json');
const options = process.argv.slice(2);
const isCi = process.env.CI !== undefined;
const coverage = isCi && !options.includes('--coverage') ? ['--coverage'] : [];
/** A rule that reads types may miss what a change in another file causes, so CI lints everything. */
const lintCache = isCi ? [] : ['--cache', '--cache-location', 'node_modules/.cache/eslint/'];

interface Step {
	title: string;
	script: string[];
	options: string[];
	/** Its output is seen as it comes; that of others when they have ended. */
	isLive?: boolean;
	/** The next steps need it. */
	isNeeded?: boolean;
}

const FORMAT: Step = {
	title: 'Format',
	script: ['prettier', 'bin', 'prettier.cjs'],
	options: ['--check', '.', '--cache', '--log-level=warn'],
};
const LINT: Step = {
	title: 'Lint',
	script: ['eslint', 'bin', 'eslint.js'],
	options: ['.', '--max-warnings', '0', ...lintCache],
};
const TYPES: Step = {
	title: 'Types',
	script: ['typescript', 'bin', 'tsc'],
	options: ['-p', 'test/tsconfig.json'],
};
const BUILD: Step = {
	title: 'Build',
	script: ['typescript', 'bin', 'tsc'],
	options: [],
	isNeeded: true,
};
const ASSETS: Step = {
	title: 'Icons and codex',
	script: ['gulp', 'bin', 'gulp.js'],
	options: ['--silent'],
};
const TESTS: Step = {
	title: 'Unit, simulator and engine tests',
	script: ['jest', 'bin', 'jest.js'],
	// More than cores, because some tests wait.
	options: ['--maxWorkers=3', '--json', `--outputFile=${RESULTS}`, ...coverage, ...options],
	isLive: true,
};

interface Done {
	title: string;
	milliseconds: number;
	isPassed: boolean;
}

async function run({ title, script, options: given, isLive = false }: Step): Promise<Done> {
	const begin = Date.now();
	const output: Buffer[] = [];
	// Lint makes so many objects that it takes a fifth less time with more room for new ones. The others do not need it.
	const child = spawn(
		process.execPath,
		['--max-semi-space-size=64', join(ROOT, 'node_modules', ...script), ...given],
		{
			cwd: ROOT,
			stdio: ['ignore', isLive ? 'inherit' : 'pipe', isLive ? 'inherit' : 'pipe'],
		},
	);
	for (const stream of [child.stdout, child.stderr])
		stream?.on('data', (chunk: Buffer) => output.push(chunk));
	const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
	const done = { title, milliseconds: Date.now() - begin, isPassed: code === 0 };
	console.log(`${title}: ${inWords(done)}\n${Buffer.concat(output).toString()}`.trimEnd());
	return done;
}

/** One step after the other, also after one that does not pass, unless the next steps need it. */
async function inTurn(...steps: Step[]): Promise<Done[]> {
	const done: Done[] = [];
	for (const step of steps) {
		const last = await run(step);
		done.push(last);
		if (step.isNeeded === true && !last.isPassed) break;
	}
	return done;
}

function inWords({ milliseconds, isPassed }: Done): string {
	return `${isPassed ? 'passed' : 'FAILED'} in ${elapsed(milliseconds)}`;
}

async function main(): Promise<void> {
	mkdirSync(FOLDER, { recursive: true });
	for (const old of [RESULTS, join(ROOT, 'dist')]) rmSync(old, { recursive: true, force: true });
	const begin = Date.now();
	const lanes = await Promise.all([inTurn(BUILD, ASSETS, TESTS), inTurn(FORMAT, LINT, TYPES)]);
	if (existsSync(RESULTS)) printTimes(RESULTS);
	console.log(`\nTime by step, ${elapsed(Date.now() - begin)} in all`);
	for (const done of lanes.flat()) console.log(`  ${done.title}: ${inWords(done)}`);
	if (!lanes.flat().every(({ isPassed }) => isPassed)) process.exitCode = 1;
}

void main();
