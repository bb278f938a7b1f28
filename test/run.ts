/**
 * `npm test`: build, then unit, simulator and engine tests, and the types beside them. Without a build there are no tests.
 * Ends with a table of where the time went. Lint and format are `npm run lint`: they take as long as the tests.
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

interface Step {
	title: string;
	script: string[];
	options: string[];
	/** Its output is seen as it comes; that of others when they have ended. */
	isLive?: boolean;
	/** The next steps need it. */
	isNeeded?: boolean;
}

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
	const child = spawn(process.execPath, [join(ROOT, 'node_modules', ...script), ...given], {
		cwd: ROOT,
		stdio: ['ignore', isLive ? 'inherit' : 'pipe', isLive ? 'inherit' : 'pipe'],
	});
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
	const lanes = await Promise.all([inTurn(BUILD, ASSETS, TESTS), inTurn(TYPES)]);
	if (existsSync(RESULTS)) printTimes(RESULTS);
	console.log(`\nTime by step, ${elapsed(Date.now() - begin)} in all`);
	for (const done of lanes.flat()) console.log(`  ${done.title}: ${inWords(done)}`);
	if (!lanes.flat().every(({ isPassed }) => isPassed)) process.exitCode = 1;
}

void main();
