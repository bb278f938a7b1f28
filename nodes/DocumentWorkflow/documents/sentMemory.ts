import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

/** At least so many documents are remembered; the oldest are forgotten first. n8n keeps them in one record, which it writes as a whole. */
const MOST_REMEMBERED = 20_000;

/** A document has two marks at most. */
const MOST_ENTRIES = 2 * MOST_REMEMBERED;

const OPTIONS = { mode: 'entries', maxEntries: MOST_ENTRIES } as const;

/** n8n reads, changes and writes the whole record: within this process one after the other. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
	const turn = last.then(work, work);
	last = turn.catch(() => undefined);
	return turn;
}

/**
 * Which documents were sent in earlier n8n executions, in n8n's own store of what was processed. That store can only be asked by
 * recording, so asking records two marks for a document: that it was asked for, which stays, and that it is open, which is taken
 * back when the service has accepted it. What was asked for and is not open was accepted; of that, asking takes the second mark
 * back at once. If n8n ends in between, or two n8n processes write at the same time, a document that was accepted may count as
 * open and be sent again. One that was not accepted never counts as accepted.
 */
export class SentMemory {
	private asked = new Set<string>();

	private asking: Promise<Set<string>> | undefined;

	private waiting: string[] = [];

	private writing: Promise<void> | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly scope: DeduplicationScope,
	) {}

	/**
	 * Which documents, each the mark of a content and a workflow, were accepted before, of those that are given and those that are asked
	 * for at the same time: n8n's store is asked for all of them together.
	 */
	async accepted(given: string[]): Promise<Set<string>> {
		if (given.length === 0) return new Set();
		for (const document of given) this.asked.add(document);
		this.asking ??= inTurn(async () => {
			const documents = [...this.asked];
			this.asked = new Set();
			this.asking = undefined;
			const known = await this.record(documents.flatMap(marksOf));
			const accepted = documents.filter(
				(document) => known.has(askedMark(document)) && !known.has(openMark(document)),
			);
			await this.remove(accepted.map(openMark));
			// The older mark is forgotten first: it must not be the open one.
			const misplaced = documents.filter(
				(document) => !known.has(askedMark(document)) && known.has(openMark(document)),
			);
			await this.remove(misplaced.flatMap(marksOf));
			await this.record(misplaced.flatMap(marksOf));
			return new Set(accepted);
		});
		return this.asking;
	}

	/** Remembers documents as accepted; many at the same time are written together. */
	async remember(documents: string[]): Promise<void> {
		this.waiting.push(...documents.map(openMark));
		this.writing ??= inTurn(async () => {
			const marks = this.waiting;
			this.waiting = [];
			this.writing = undefined;
			await this.remove(marks);
		});
		return this.writing;
	}

	/** Records marks, and returns those that were there already. */
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
