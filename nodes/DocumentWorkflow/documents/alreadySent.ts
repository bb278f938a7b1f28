import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';
import type { Pause } from '../../../service/http';
import { MAX_SLEEP_MILLISECONDS } from '../../../service/send';
import { messageOf } from '../../../service/text';
import type { SkippedAddress } from './addresses';
import type { InputDocument } from './open';
import { SentMemory } from './sentMemory';
import type { SkippedDocument } from './select';

/** The run of a node in which the service accepted a document; undefined when it did not. */
export type AcceptedIn = symbol | undefined;

/**
 * The outcome of each document that is being sent in this process, by any n8n execution. A claim waits only for earlier claims on the
 * same document, so no two can wait for each other.
 */
const underWay = new Map<string, Promise<AcceptedIn>>();

export interface Claim {
	/** The outcome of the documents that were claimed earlier. */
	earlier: ReadonlyMap<string, Promise<AcceptedIn>>;
	/** Must be called, even after an error. */
	settle: (acceptedIn: AcceptedIn) => void;
}

/** Claims all documents at once. A document is released when this claim and all earlier ones are settled. */
export function claim(documents: ReadonlySet<string>): Claim {
	let settle: Claim['settle'] = () => undefined;
	const own = new Promise<AcceptedIn>((resolve) => (settle = resolve));
	const earlier = new Map<string, Promise<AcceptedIn>>();
	for (const document of documents) {
		const before = underWay.get(document);
		if (before !== undefined) earlier.set(document, before);
		const outcome = either(before, own);
		underWay.set(document, outcome);
		void outcome.then(() => {
			if (underWay.get(document) === outcome) underWay.delete(document);
		});
	}
	return { earlier, settle };
}

/** If an earlier claim was accepted, that is the outcome for later claims too. */
async function either(
	before: Promise<AcceptedIn> | undefined,
	own: Promise<AcceptedIn>,
): Promise<AcceptedIn> {
	return (await before) ?? own;
}

const BEFORE = 'it was sent before';
const IN_THIS_RUN = 'it was sent with another item in this run';

/** Reasons to skip a document that the service already has. */
export const SENT_BEFORE: ReadonlySet<string> = new Set([BEFORE, IN_THIS_RUN]);

/** Stands for any run that has ended. */
const EARLIER = Symbol('earlier run');

/** The parts of a submission that are needed here. */
interface ToBeSent {
	workflowId: string;
	documents: InputDocument[];
	/** SHA-256 of the documents; empty unless sent documents are remembered. */
	hashes: ReadonlyMap<InputDocument, string>;
	skipped: Array<SkippedDocument | SkippedAddress>;
	handling: { sentMemory: DeduplicationScope | 'off' };
}

interface Reduced<T> {
	submission: T;
	/** The names of documents of which it is not known whether they were sent before. */
	inDoubt: string[];
	/** Must be called, because other submissions with the same documents wait for it. Undefined: nothing was started. */
	done: (outcome: 'accepted' | 'unknown' | 'failed' | undefined) => Promise<void>;
}

/**
 * Skips documents that were sent before, in another n8n execution or by another submission of this run. n8n executions that run at
 * the same time in this process wait for each other where they have the same document.
 */
export class AlreadySent {
	private readonly run = Symbol('run');

	private readonly memories: Record<DeduplicationScope, SentMemory>;

	/** `pause` rejects when there is nothing to wait for any more. */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly pause: Pause,
	) {
		const [node, workflow] = [new SentMemory(context, 'node'), new SentMemory(context, 'workflow')];
		this.memories = { node, workflow };
	}

	/**
	 * Returns the submission without documents that were sent before, except those with hashes in `again`. Rejects when `pause` rejects
	 * or n8n's store fails.
	 */
	async reduce<T extends ToBeSent>(given: T, again?: ReadonlySet<unknown>): Promise<Reduced<T>> {
		const { context, memories, pause, run } = this;
		const scope = given.handling.sentMemory;
		if (scope === 'off') return { submission: given, inDoubt: [], done: () => Promise.resolve() };
		const hashOf = (document: InputDocument) => given.hashes.get(document) ?? '';
		const markOf = (document: InputDocument) => `${given.workflowId} ${hashOf(document)}`;
		const keyOf = (document: InputDocument) =>
			JSON.stringify([...recordOf(context, scope), markOf(document)]);
		const { earlier, settle } = claim(new Set(given.documents.map(keyOf)));
		const documents: InputDocument[] = [];
		const skipped = [...given.skipped];
		let known: Set<string> | undefined;
		try {
			// The store is read after earlier claims are settled, because their outcome is in it.
			const acceptedIn = new Map<InputDocument, AcceptedIn>();
			for (const document of given.documents)
				acceptedIn.set(document, await outcomeOf(earlier.get(keyOf(document)), pause));
			const asked = given.documents.filter((document) => acceptedIn.get(document) === undefined);
			known = await memories[scope].accepted(asked.map(markOf));
			for (const document of given.documents) {
				const isDone = known.has(markOf(document)) && again?.has(hashOf(document)) !== true;
				const sentIn = acceptedIn.get(document) ?? (isDone ? EARLIER : undefined);
				if (sentIn === undefined) documents.push(document);
				else skipped.push(skip(document, sentIn === run ? IN_THIS_RUN : BEFORE));
			}
		} finally {
			if (known === undefined) settle(undefined);
		}
		const isInDoubt = (document: InputDocument) => memories[scope].inDoubt.has(markOf(document));
		const isNew = (document: InputDocument) => !known.has(markOf(document)) && !isInDoubt(document);
		const doubtful = documents.filter(isInDoubt);
		const fresh = documents.filter(isNew);
		return {
			submission: { ...given, documents, skipped },
			inDoubt: doubtful.map(({ fileName }) => fileName),
			done: async (outcome) => {
				try {
					if (outcome === 'accepted') await memories[scope].remember(documents.map(markOf));
					else if (outcome === undefined) await memories[scope].forget(fresh.map(markOf));
				} catch (error) {
					// The service has answered, so a failing store must not change the result of the item.
					context.logger.warn(`n8n could not store which documents were sent: ${messageOf(error)}`);
				} finally {
					settle(outcome === 'accepted' ? run : undefined);
				}
			},
		};
	}
}

/** The key of the record in n8n's store. */
function recordOf(
	context: IExecuteFunctions,
	scope: DeduplicationScope,
): Array<string | undefined> {
	return [context.getWorkflow().id, ...(scope === 'node' ? [context.getNode().id] : [])];
}

async function outcomeOf<T>(outcome: Promise<T> | undefined, pause: Pause): Promise<T | undefined> {
	let isKnown = outcome === undefined;
	const known = outcome?.finally(() => (isKnown = true));
	while (!isKnown) await Promise.race([known, pause(MAX_SLEEP_MILLISECONDS)]);
	return known;
}

/** A skipped document for the output. */
export function skip(
	{ itemIndex, fieldName, fileName }: InputDocument,
	reason: string,
): SkippedDocument {
	return { itemIndex, fieldName, fileName, reason };
}
