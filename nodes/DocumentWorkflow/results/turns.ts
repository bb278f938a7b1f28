import { sleep } from 'n8n-workflow';

/** Work on many rows. After each of them other work of n8n may have its turn. */
export type LongWork<T> = Generator<undefined, T>;

/** What long work comes to. */
export type Made<T extends (...given: never[]) => LongWork<unknown>> =
	ReturnType<T> extends LongWork<infer Result> ? Result : never;

/** In milliseconds. Meanwhile n8n answers nobody. */
const TURN = 50;

/** After the turns of all long work so far. */
let lastTurn: Promise<void> = Promise.resolve();

/** The age of this process when the first long work of this turn began. All long work shares it: results that arrive together take one turn. */
let begun: number | undefined;

/** Does long work, and lets other work of n8n go on between its parts. */
export async function givingWay<T>(work: LongWork<T>): Promise<T> {
	for (;;) {
		begun ??= beginTurn();
		const { done, value } = work.next();
		if (done === true) return value;
		if (performance.now() - begun < TURN) continue;
		await (lastTurn = lastTurn.then(async () => sleep(0)));
		begun = undefined;
	}
}

/** The turn ends as soon as other work of n8n has had its own. */
function beginTurn(): number {
	void sleep(0).then(() => (begun = undefined));
	return performance.now();
}

/** Lets other work of n8n go on when long work has taken its turn: between pieces that are no rows. */
export async function giveWay(): Promise<void> {
	await givingWay(mapRows([undefined], () => undefined));
}

export function* mapRows<Row, T>(rows: readonly Row[], map: (row: Row) => T): LongWork<T[]> {
	const mapped: T[] = [];
	for (const row of rows) {
		mapped.push(map(row));
		yield;
	}
	return mapped;
}
