/**
 * `npm run bench` measures what this package costs, beside a hand-written client and beside n8n's own nodes; `npm run bench -- <part> …`
 * only some parts. Prints a table.
 */
import type { Line } from '../harness/install';
import { elapsed } from '../harness/report';
import { answering } from './answering';
import { documents } from './documents';
import { cellsOf, COLUMNS, tableOf, type Figure } from './figures';
import { files } from './files';
import { polling } from './polling';
import { trigger } from './trigger';
import { waits } from './waits';

const report = (sentence: string) => console.error(sentence);
/** `n8n-1` or `n8n-2`, for the parts that can measure both. */
const line = process.argv.find((each): each is Line => each === 'n8n-1' || each === 'n8n-2');
const number = process.argv.slice(2).find((each) => /^\d+$/.test(each));

/** In the order in which a complete run measures them. */
const PARTS: Record<string, () => Promise<Figure[]>> = {
	documents: async () => documents(report),
	files: async () => files(report),
	trigger: async () => trigger(report),
	answering: async () => answering(report),
};

/** Measured only by name: these take long, or compare nothing. They print their own tables. */
const BY_NAME: Record<string, () => Promise<void>> = {
	polling,
	waits: async () => waits(report, line, number === undefined ? undefined : Number(number)),
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
	const all: Figure[] = [];
	for (const name of names) {
		report(`${name} (${elapsed(Date.now() - begin)})`);
		const figures = (await PARTS[name]?.()) ?? [];
		all.push(...figures);
		report(tableOf(COLUMNS, figures.map(cellsOf)).toString());
	}
	console.log(tableOf(COLUMNS, all.map(cellsOf)).toString());
	const missed = all.filter(({ isReached }) => isReached === false);
	console.log(
		`Took ${elapsed(Date.now() - begin)}. ${missed.length === 0 ? 'All targets are reached' : `${missed.length} targets are not reached`}.`,
	);
}

void main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
