import { sleep } from 'n8n-workflow';

/** In milliseconds. Meanwhile n8n answers nobody. */
const TURN = 50;

/** After the turns of all long work so far. */
let lastTurn: Promise<void> = Promise.resolve();

/** The age of this process when the first long work of this turn began. All long work shares it: results that arrive together take one turn. */
let begun: number | undefined;

/** Lets other work of n8n go on when long work has taken its turn. */
export async function giveWay(): Promise<void> {
	if (!isTurnOver()) return;
	await (lastTurn = lastTurn.then(async () => sleep(0)));
	begun = undefined;
}

/** Maps rows, and lets other work of n8n go on between them. */
export async function mapRows<Row, T>(
	rows: readonly Row[],
	map: (row: Row, index: number) => T,
): Promise<T[]> {
	const mapped: T[] = [];
	for (const row of rows) {
		if (isTurnOver()) await giveWay();
		mapped.push(map(row, mapped.length));
	}
	return mapped;
}

function isTurnOver(): boolean {
	const now = performance.now();
	if (begun === undefined) {
		begun = now;
		// The turn ends as soon as other work of n8n has had its own.
		void sleep(0).then(() => (begun = undefined));
	}
	return now - begun >= TURN;
}
