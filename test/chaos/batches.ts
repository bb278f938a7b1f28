import { join } from 'node:path';
import type { World } from '../e2e/support';
import { writeDocument, type Document } from './documents';
import { numbersFor } from './plan';
import { WAYS, type Way } from './ways';

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
