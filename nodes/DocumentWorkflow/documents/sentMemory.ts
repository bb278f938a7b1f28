import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

/** Documents per record; the oldest are forgotten first. n8n writes the whole record each time. */
const MAX_REMEMBERED = 20_000;

/** A document has at most two marks. */
const MAX_ENTRIES = 2 * MAX_REMEMBERED;

const OPTIONS = { mode: 'entries', maxEntries: MAX_ENTRIES } as const;

/** n8n reads, changes and writes the whole record without a lock, so calls of this process run one after the other. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
	const turn = last.then(work, work);
	last = turn.catch(() => undefined);
	return turn;
}

/**
 * Which documents were sent in earlier n8n executions, kept in n8n's deduplication store. That store can only be queried by recording.
 * So each query records two marks for a document: "asked", which stays, and "open", which is removed when the service has accepted the
 * document. A document that is asked but not open was accepted; the query removes its "open" mark again at once. Both marks are removed
 * when it is certain that nothing was started, so a document with an "open" mark has an unknown outcome. If n8n crashes in between, or
 * two n8n processes write at the same time, an accepted document may count as open and be sent again. A document that was not accepted
 * never counts as accepted.
 */
export class SentMemory {
	/** Documents that were sent before, as far as known so far, with an unknown outcome. */
	readonly inDoubt = new Set<string>();

	private asked = new Set<string>();

	private asking: Promise<Set<string>> | undefined;

	private waiting: string[] = [];

	private writing: Promise<void> | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly scope: DeduplicationScope,
	) {}

	/**
	 * Returns which documents were accepted before. A document is a hash of content and workflow. Simultaneous calls share one query of
	 * n8n's store, and its result.
	 */
	async accepted(given: string[]): Promise<Set<string>> {
		if (given.length === 0) return new Set();
		for (const document of given) this.asked.add(document);
		this.asking ??= inTurn(async () => {
			const documents = [...this.asked];
			this.asked = new Set();
			this.asking = undefined;
			const known = await this.record(documents.flatMap(marksOf));
			const isOpen = (document: string) => known.has(openMark(document));
			for (const document of documents.filter(isOpen)) this.inDoubt.add(document);
			const accepted = documents.filter(
				(document) => known.has(askedMark(document)) && !isOpen(document),
			);
			await this.remove(accepted.map(openMark));
			// n8n forgets the older mark first, and that must not be the open one.
			const misplaced = documents.filter(
				(document) => !known.has(askedMark(document)) && isOpen(document),
			);
			await this.remove(misplaced.flatMap(marksOf));
			await this.record(misplaced.flatMap(marksOf));
			return new Set(accepted);
		});
		return this.asking;
	}

	/** Remembers documents as accepted. */
	async remember(documents: string[]): Promise<void> {
		return this.drop(documents.map(openMark));
	}

	/** Forgets documents of which it is certain that nothing was started. */
	async forget(documents: string[]): Promise<void> {
		return this.drop(documents.flatMap(marksOf));
	}

	/** Simultaneous calls share one write. */
	private async drop(given: string[]): Promise<void> {
		if (given.length === 0) return;
		this.waiting.push(...given);
		this.writing ??= inTurn(async () => {
			const marks = this.waiting;
			this.waiting = [];
			this.writing = undefined;
			await this.remove(marks);
		});
		return this.writing;
	}

	/** Records marks, and returns those that existed before. */
	private async record(marks: string[]): Promise<Set<unknown>> {
		if (marks.length === 0) return new Set();
		const { processed } = await this.context.helpers.checkProcessedAndRecord(
			marks,
			this.scope,
			OPTIONS,
		);
		return new Set(processed);
	}

	private async remove(marks: string[]): Promise<void> {
		if (marks.length > 0) await this.context.helpers.removeProcessed(marks, this.scope, OPTIONS);
	}
}

function marksOf(document: string): string[] {
	return [askedMark(document), openMark(document)];
}

function askedMark(document: string): string {
	return `document-workflow asked ${document}`;
}

function openMark(document: string): string {
	return `document-workflow open ${document}`;
}
