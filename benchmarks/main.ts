/**
 * `npm run bench` measures what this package costs, beside a hand-written client and beside n8n's own nodes; `npm run bench -- <part> …`
 * only some parts. Prints a table, and writes it with the machine to artefacts/bench.json. `npm run bench -- publish` makes the tables and
 * plots of benchmarks/README.md from the last figures of each part.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Line } from '../harness/install';
import { ARTEFACTS } from '../harness/pack';
import { elapsed } from '../harness/report';
import { answering } from './answering';
import { documents } from './documents';
import { cellsOf, COLUMNS, tableOf, type Figure } from './figures';
import { files } from './files';
import { growth } from './growth';
import { polling } from './polling';
import { publish, type Results } from './publish';
import { requests } from './requests';
import { rows } from './rows';
import { trigger } from './trigger';
import { waits } from './waits';

const RESULTS = join(ARTEFACTS, 'bench.json');
const report = (sentence: string) => console.error(sentence);
/** `n8n-1` or `n8n-2`, for the parts that can measure both. */
const line = process.argv.find((each): each is Line => each === 'n8n-1' || each === 'n8n-2');
const number = process.argv.slice(2).find((each) => /^\d+$/.test(each));

/** In the order in which a complete run measures them. */
const PARTS: Record<string, () => Promise<Figure[]>> = {
	documents: async () => documents(report),
	files: async () => files(report),
	requests: async () => requests(report, line),
	rows: async () => rows(report),
	trigger: async () => trigger(report, line),
	growth: async () => growth(report),
	answering: async () => answering(report),
};

/** Measured only by name: these take long, or compare nothing. They print their own tables. */
const BY_NAME: Record<string, () => Promise<void>> = {
	polling,
	waits: async () => waits(report, line, number === undefined ? undefined : Number(number)),
	publish: async () => publish(JSON.parse(readFileSync(RESULTS, 'utf8')) as Results),
};

async function main(args: string[]): Promise<void> {
	const names = args.filter((each) => each !== line && each !== number);
	const unknown = names.filter((name) => !(name in PARTS) && !(name in BY_NAME));
	if (unknown.length > 0)
		throw new Error(
			`There is no part ${unknown.join(', ')}. There are: ${[...Object.keys(PARTS), ...Object.keys(BY_NAME)].join(', ')}.`,
		);
	for (const name of names) await BY_NAME[name]?.();
	const wanted = names.length === 0 ? Object.keys(PARTS) : names.filter((name) => name in PARTS);
	if (wanted.length > 0) await measure(wanted);
}

async function measure(names: string[]): Promise<void> {
	const begin = Date.now();
	const parts: Results['parts'] = {};
	for (const name of names) {
		report(`${name} (${elapsed(Date.now() - begin)})`);
		const figures = (await PARTS[name]?.()) ?? [];
		parts[name] = figures;
		keep(name, figures);
		report(tableOf(COLUMNS, figures.map(cellsOf)).toString());
	}
	console.log(tableOf(COLUMNS, Object.values(parts).flat().map(cellsOf)).toString());
	const missed = Object.values(parts)
		.flat()
		.filter(({ isReached }) => isReached === false);
	console.log(
		`Took ${elapsed(Date.now() - begin)}. ${missed.length === 0 ? 'All targets are reached' : `${missed.length} targets are not reached`}. The figures are in artefacts/bench.json.`,
	);
}

/** Stores the figures of a part, and leaves those of the others. */
function keep(name: string, figures: Figure[]): void {
	const before = existsSync(RESULTS)
		? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results).parts
		: {};
	const results: Results = {
		machine: {
			cores: cpus().length,
			memoryGigabytes: Math.round(totalmem() / 1e9),
			platform: process.platform,
		},
		n8n: versionOf(line ?? 'n8n-2'),
		parts: { ...before, [name]: figures },
	};
	mkdirSync(ARTEFACTS, { recursive: true });
	writeFileSync(RESULTS, JSON.stringify(results, null, '\t'));
}

function versionOf(room: Line): string {
	const text = readFileSync(join(__dirname, '..', 'harness', room, 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(text) as { dependencies: { n8n: string } };
	return dependencies.n8n;
}

void main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
