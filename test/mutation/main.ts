/**
 * `npm run test:mutation [room…]`: changes the code of a room, one place at a time ("mutants"), and runs the unit tests of the room on
 * each. A mutant that no test notices has survived. Ends with the share that was noticed, and fails where it is below LOWEST.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

import { installStryker } from '../../harness/install';
import { ARTEFACTS, ROOT } from '../../harness/pack';
import { elapsed } from '../../harness/report';

const NODES = 'nodes/DocumentWorkflow';
/** Per cent of the mutants. */
const LOWEST = 88;

/** The rooms, small ones first: their product files, and the unit tests that have to notice a change in them. */
const ROOMS: Record<string, { files: string; tests: string }> = {
	credentials: { files: 'credentials/*.ts', tests: 'test/unit/credentials/*.test.ts' },
	webhook: {
		files: 'credentials/webhook/*.ts',
		tests: 'test/unit/credentials/webhook/*.test.ts',
	},
	waits: {
		files: 'service/{wait,retry}.ts',
		tests: 'test/unit/service/{wait,retry,errors,executions}*.test.ts',
	},
	pausing: { files: `${NODES}/pausing/*.ts`, tests: 'test/unit/nodes/pausing/*.test.ts' },
	// receive.ts and handle.ts only run as a whole, in the engine tests.
	trigger: {
		files: `${NODES}/trigger/!(receive|handle).ts`,
		tests: 'test/unit/nodes/trigger/*.test.ts',
	},
	values: {
		files: `${NODES}/results/judge/values/*.ts`,
		tests: 'test/unit/nodes/results/values/*.test.ts',
	},
	// Steps and cells are read for the results, whose tests hold most of it.
	reading: {
		files: 'service/{cells,steps}.ts',
		tests: 'test/unit/{service/{reading,steps,stepsIn},nodes/results/*}.test.ts',
	},
	service: { files: 'service/!(cells|steps).ts', tests: 'test/unit/service/*.test.ts' },
	documents: {
		files: `${NODES}/documents/**/*.ts`,
		tests: 'test/unit/nodes/documents/**/*.test.ts',
	},
	results: {
		files: `${NODES}/results/!(words)/*.ts`,
		tests: 'test/unit/nodes/results/*.test.ts',
	},
	words: {
		files: `${NODES}/results/words/**/*.ts`,
		tests: 'test/unit/nodes/results/**/*.test.ts',
	},
};

const FOLDER = join(ARTEFACTS, 'mutation');

const report = z.object({
	files: z.record(z.object({ mutants: z.array(z.object({ status: z.string() })) })),
});

function settings(room: string, stryker: string): object {
	const packages = join(stryker, 'node_modules', '@stryker-mutator');
	return {
		plugins: [
			join(packages, 'jest-runner', 'dist', 'src', 'index.js'),
			join(__dirname, 'ignorer.mjs'),
		],
		mutate: [ROOMS[room]?.files],
		ignorers: ['panel'],
		ignoreStatic: true, // what runs once, when a file is loaded: constants, most of them texts
		tsconfigFile: 'none', // Stryker would rewrite it with a TypeScript of its own
		testRunner: 'jest',
		jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: false },
		coverageAnalysis: 'perTest',
		concurrency: 1,
		maxTestRunnerReuse: 100, // jest keeps what it loaded
		timeoutMS: 10_000,
		incremental: true,
		incrementalFile: join(FOLDER, `${room}.incremental.json`),
		tempDirName: join(tmpdir(), 'document-workflow-mutation', room), // in the repository jest would find each package.json twice
		ignorePatterns: ['artefacts', 'dist', 'coverage', 'docs', 'demo'],
		reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
		allowConsoleColors: false,
		jsonReporter: { fileName: join(FOLDER, `${room}.json`) },
		htmlReporter: { fileName: join(FOLDER, `${room}.html`) },
	};
}

/** The share of noticed mutants, in per cent, as Stryker counts it. */
function scoreOf(room: string): { noticed: number; all: number } {
	const { files } = report.parse(JSON.parse(readFileSync(join(FOLDER, `${room}.json`), 'utf8')));
	const statuses = Object.values(files).flatMap(({ mutants }) =>
		mutants.map((each) => each.status),
	);
	const count = (...names: string[]) => statuses.filter((status) => names.includes(status)).length;
	const noticed = count('Killed', 'Timeout');
	return { noticed, all: noticed + count('Survived', 'NoCoverage') };
}

async function main(): Promise<void> {
	const wanted = process.argv.slice(2);
	const unknown = wanted.filter((room) => !(room in ROOMS));
	if (unknown.length > 0)
		throw new Error(`No such room: ${unknown.join(', ')}. Rooms: ${Object.keys(ROOMS).join(', ')}`);
	const stryker = await installStryker(console.log);
	mkdirSync(FOLDER, { recursive: true });
	const lines: string[] = [];
	for (const room of wanted.length > 0 ? wanted : Object.keys(ROOMS)) {
		const begin = Date.now();
		const configuration = join(FOLDER, `${room}.settings.json`);
		writeFileSync(configuration, JSON.stringify(settings(room, stryker), null, '\t'));
		const program = join(stryker, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
		const { status } = spawnSync(process.execPath, [program, 'run', configuration], {
			cwd: ROOT,
			stdio: ['ignore', 'inherit', 'inherit'],
			env: {
				...process.env,
				STRYKER_FOLDER: stryker,
				MUTATION_TESTS: ROOMS[room]?.tests,
				TEST_FILES_OF_MUTANTS: join(FOLDER, `${room}.files.json`),
			},
		});
		if (status !== 0) throw new Error(`Stryker failed on the room ${room}.`);
		const { noticed, all } = scoreOf(room);
		const share = (100 * noticed) / all;
		if (share < LOWEST) process.exitCode = 1;
		lines.push(
			`${room.padEnd(12)} ${share.toFixed(1)} % (${noticed} of ${all}) in ${elapsed(Date.now() - begin)}`,
		);
	}
	console.log(`\nMutants noticed by the unit tests of their room; at least ${LOWEST} % are needed`);
	for (const line of lines) console.log(line);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
