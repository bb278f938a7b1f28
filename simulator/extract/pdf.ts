/** The text of PDF documents, read by a worker thread that starts with the first one. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { EMPTY_LINE, linesOfPage, type Line, type PageItem } from './lines';

interface Answer {
	id: number;
	pages?: PageItem[][];
	error?: string;
}

interface Waiting {
	resolve(pages: PageItem[][]): void;
	reject(error: Error): void;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let lastId = 0;

/** Lines of all pages, an empty line between pages. Raises an error for what is not a readable PDF. */
export async function linesOfPdf(bytes: Uint8Array): Promise<Line[]> {
	const id = ++lastId;
	const pages = await new Promise<PageItem[][]>((resolve, reject) => {
		waiting.set(id, { resolve, reject });
		// The worker keeps the process alive only while a PDF is being read.
		running().ref();
		running().postMessage({ id, bytes });
	});
	return pages.flatMap((items, index) => [
		...linesOfPage(items).map((line) => ({ ...line, page: index + 1 })),
		EMPTY_LINE,
	]);
}

/** Ends the worker thread; the next PDF starts a new one. */
export async function stopReadingPdf(): Promise<void> {
	const current = worker;
	worker = undefined;
	await current?.terminate();
}

function running(): Worker {
	if (worker) return worker;
	const started = new Worker(join(__dirname, 'pdf-worker.mjs'));
	started.on('message', (answer: Answer) => {
		const asked = waiting.get(answer.id);
		waiting.delete(answer.id);
		if (waiting.size === 0) started.unref();
		if (answer.pages) asked?.resolve(answer.pages);
		else asked?.reject(new Error(answer.error));
	});
	started.on('exit', () => {
		for (const asked of waiting.values())
			asked.reject(new Error('The reading of the document was ended.'));
		waiting.clear();
		if (worker === started) worker = undefined;
	});
	started.on('error', () => undefined);
	worker = started;
	return started;
}
