import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

import type { Pause } from '../../../service/http';
import { MAX_SLEEP_MILLISECONDS } from '../../../service/pause';
import { messageOf } from '../../../service/text';
import type { SkippedAddress } from './addresses';
import type { InputDocument } from './open';
import { SentMemory } from './sentMemory';
import type { SkippedDocument } from './select';
import type { AcceptedIn } from './underWay';
import { claim } from './underWay';

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
