/**
 * Which documents were sent, in n8n's deduplication store. The store is a list of marks, and can only be queried by
 * recording. So each query gives a document all marks, and then removes those that it did not have.
 *
 * | State    | Marks                        | The document was …                  | When it is to be sent again |
 * |----------|------------------------------|-------------------------------------|----------------------------|
 * | new      | none                         | not sent, or its failure was output | sent                       |
 * | unknown  | known, unanswered, no result | sent, and its answer is not known   | sent, with a warning       |
 * | accepted | known, no result             | accepted, and its result is missing | skipped, with needsReview  |
 * | cameOut  | known                        | accepted, and its result was output | skipped                    |
 *
 * | Event    | When                                                   | Change                | n8n was killed before |
 * |----------|--------------------------------------------------------|-----------------------|-----------------------|
 * | ask      | before a document is sent                              | all marks are added   | new                   |
 * | accepted | after the answer of the service                        | unanswered is removed | unknown               |
 * | cameOut  | when the node ends and outputs the result              | no result is removed  | accepted              |
 * | forget   | when nothing was started, or a failure is output       | all marks are removed | unknown or accepted   |
 *
 * A kill between the two writes of a query makes known documents unknown: the store offers no other way to query. Two
 * n8n processes that write at the same moment may lose a change. In both cases a document may be sent again, but none
 * is skipped by mistake.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

export type SentState = 'new' | 'unknown' | 'accepted' | 'cameOut';

type Mark = 'known' | 'unanswered' | 'no result';

/** In this order, because n8n forgets the oldest marks first: a document without "unanswered" would look accepted. */
const MARKS: Mark[] = ['known', 'unanswered', 'no result'];

export type SentEvent = 'accepted' | 'cameOut' | 'forget';

const REMOVED_MARKS: Record<SentEvent, Mark[]> = {
	accepted: ['unanswered'],
	cameOut: ['no result'],
	forget: MARKS,
};

/** Documents that a node remembers. n8n writes the whole record each time. */
const MAX_REMEMBERED = 20_000;

const OPTIONS = { mode: 'entries', maxEntries: MARKS.length * MAX_REMEMBERED } as const;

export class SentStore {
	constructor(private readonly context: IExecuteFunctions) {}

	/** The states of documents until now. From now on new ones are unknown. */
	readonly ask = inBatches(async (documents) => {
		const before = await this.record(entriesOf(documents));
		const isKnown = (document: string) => before.has(markEntry(document, 'known'));
		const wasThere = (entry: string) => before.has(entry);
		await this.remove(entriesOf(documents.filter(isKnown)).filter((entry) => !wasThere(entry)));
		// n8n has forgotten the first marks of these.
		const isCut = (document: string) => !isKnown(document) && entriesOf([document]).some(wasThere);
		const inOrder = entriesOf(documents.filter(isCut));
		await this.remove(inOrder);
		await this.record(inOrder);
		const stateOf = (document: string) => stateBy((mark) => wasThere(markEntry(document, mark)));
		return new Map(documents.map((document) => [document, stateOf(document)]));
	});

	async write(event: SentEvent, documents: string[]): Promise<void> {
		return this.removeTogether(entriesOf(documents, REMOVED_MARKS[event]));
	}

	private readonly removeTogether = inBatches(async (entries) => this.remove(entries));

	/** Records entries, and returns those that existed before. */
	private async record(entries: string[]): Promise<Set<unknown>> {
		if (entries.length === 0) return new Set();
		const { helpers } = this.context;
		const { processed } = await helpers.checkProcessedAndRecord(entries, 'node', OPTIONS);
		return new Set(processed);
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		await this.context.helpers.removeProcessed(entries, 'node', OPTIONS);
	}
}

function stateBy(has: (mark: Mark) => boolean): SentState {
	if (has('unanswered')) return 'unknown';
	if (!has('known')) return 'new';
	return has('no result') ? 'accepted' : 'cameOut';
}

function entriesOf(documents: string[], marks = MARKS): string[] {
	return documents.flatMap((document) => marks.map((mark) => markEntry(document, mark)));
}

function markEntry(document: string, mark: Mark): string {
	return `document-workflow ${mark} ${document}`;
}

/** The claims on each document that is being sent in this process, by any n8n execution. */
const claims = new Map<string, Promise<unknown>>();

/** Claims all documents at once. A claim waits only for earlier ones, so no two can wait for each other. */
export function claimDocuments(documents: string[]) {
	let release = (): void => undefined;
	const own = new Promise<void>((resolve) => (release = resolve));
	const earlier = documents.flatMap((document) => claims.get(document) ?? []);
	for (const document of documents) {
		const all = Promise.all([claims.get(document), own]);
		claims.set(document, all);
		void all.then(() => {
			if (claims.get(document) === all) claims.delete(document);
		});
	}
	return { earlier, release };
}

/** n8n reads, changes and writes the whole record without a lock, so calls of this process run one after the other. */
let last: Promise<unknown> = Promise.resolve();

/** Calls that wait for an earlier one share one run of `work`. */
function inBatches<R>(work: (all: string[]) => Promise<R>): (given: string[]) => Promise<R> {
	const waiting = new Set<string>();
	let next: Promise<R> | undefined;
	const workOnAll = async () => {
		const all = [...waiting];
		waiting.clear();
		next = undefined;
		return work(all);
	};
	return async (given) => {
		given.forEach((each) => waiting.add(each));
		if (next === undefined) {
			next = last.then(workOnAll);
			last = next.catch(() => undefined);
		}
		return next;
	};
}
