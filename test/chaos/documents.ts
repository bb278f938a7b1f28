/** The documents of a chaos, in batches, and what n8n shows about each of them. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sent, Told } from './books';
import { between, numbersFor } from './plan';
import type { World } from '../e2e/support';
import { WAYS, NEXT, NODE, type Way } from './ways';
import type { Execution, Item } from '../../harness/n8n-execution';

/** A document on disk, of one file or two. */
export interface Document extends Sent {
	paths: string[];
}

/** One in so many files is large enough to be interrupted while it is sent. */
const LARGE_ONE_IN = 12;
const LARGE_BYTES = 300_000;

/** Writes a document whose name and case no other has. Without `bytes`, a few of the files are large. */
export async function writeDocument(
	folder: string,
	id: string,
	fileCount: 1 | 2,
	random: () => number,
	bytes?: number,
): Promise<Document> {
	await mkdir(folder, { recursive: true });
	const document: Document = { id, files: {}, cases: [], paths: [] };
	for (const letter of ['a', 'b'].slice(0, fileCount)) {
		const name = `${id}-${letter}.txt`;
		const caseNumber = `CASE-${id}-${letter}`;
		const drawn = () => (between(random, 1, LARGE_ONE_IN) === 1 ? LARGE_BYTES : 1);
		const text = `Case Number: ${caseNumber}\n\n${'x'.repeat(bytes ?? drawn())}\n`;
		const path = join(folder, name);
		await writeFile(path, text);
		document.files[name] = createHash('sha256').update(text).digest('hex');
		document.cases.push(caseNumber);
		document.paths.push(path);
	}
	return document;
}

/** Documents of an n8n execution. */
const SIZE = { long: 40, short: 10 };
/** A few documents, so that many n8n executions pause. */
const PAUSING_SIZE = 5;

/** Documents that one n8n execution sends. */
export interface Batch {
	way: Way;
	documents: Document[];
}

interface Wanted {
	seed: number;
	documents: number;
	long: boolean;
}

/** All documents in batches, each on disk, in random order. */
export async function batchesOf(world: World, { seed, documents, long }: Wanted): Promise<Batch[]> {
	const random = numbersFor(seed, 'documents');
	const weights = WAYS.reduce((sum, { weight }) => sum + weight, 0);
	const batches: Batch[] = [];
	let left = documents;
	for (const way of WAYS) {
		const isLast = way === WAYS.at(-1);
		let ofWay = isLast ? left : Math.round((documents * way.weight) / weights);
		left -= ofWay;
		const size = way.pauses ? PAUSING_SIZE : long ? SIZE.long : SIZE.short;
		for (; ofWay > 0; ofWay -= size) {
			const ids = Array.from(
				{ length: Math.min(size, ofWay) },
				(_, index) => `s${seed}-${batches.length}-${index}`,
			);
			const folder = join(world.folder, `chaos-${seed}`);
			const each = ids.map(async (id) => writeDocument(folder, id, way.fileCount, random));
			batches.push({ way, documents: await Promise.all(each) });
		}
	}
	return batches
		.map((batch) => ({ batch, place: random() }))
		.sort((a, b) => a.place - b.place)
		.map(({ batch }) => batch);
}

/** What n8n shows about each document: its items in the last n8n execution, and the errors of all. */
export function toldBy(executions: Execution[], documents: Sent[]): Map<string, Told> {
	const last = executions.at(-1);
	const error = executions.map(errorOf).join('\n').trim();
	const about = executions.map(describe).join(', ');
	const items = last === undefined || last.status === 'error' ? [] : itemsOf(last);
	return new Map(
		documents.map(({ id }, index) => {
			const own = items.filter((item) => indexOf(item) === index);
			return [id, { items: own.map(({ json }) => json), error, about }];
		}),
	);
}

function describe({ id, status, waitTill, runs }: Execution): string {
	const counts = Object.entries(runs).map(([name, all]) => {
		const items = all.map(({ data }) =>
			(data?.main ?? []).map((some) => some?.length ?? 0).join('+'),
		);
		return `${name} ${items.join(' then ')}`;
	});
	return `n8n execution ${id}: ${status}, waiting until ${waitTill}, items: ${counts.join('; ')}`;
}

function errorOf({ error, runs }: Execution): string {
	const errors = [error, ...(runs[NODE] ?? []).map((run) => run.error)];
	return errors
		.map((each) => (each ? `${each.message}\n${each.description ?? ''}` : ''))
		.join('\n');
}

/** All items that the node has output, on both outputs. After a pause n8n may list a run without items behind the one with them. */
function itemsOf({ runs }: Execution): Item[] {
	const itemsIn = (name: string) =>
		(runs[name] ?? []).map(({ data }) => (data?.main ?? []).flatMap((items) => items ?? []));
	const behind = itemsIn(NEXT).filter((items) => items.length > 0);
	// The node behind must not get them twice either.
	return behind.length > 1 ? behind.flat() : itemsIn(NODE).flat();
}

function indexOf({ pairedItem }: Item): number {
	const paired = Array.isArray(pairedItem) ? (pairedItem[0] as unknown) : pairedItem;
	if (typeof paired === 'number') return paired;
	return (paired as { item?: number } | undefined)?.item ?? -1;
}
