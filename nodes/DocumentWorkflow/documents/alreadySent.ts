import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

import type { Pause } from '../../../service/http';
import { MAX_SLEEP_MILLISECONDS } from '../../../service/pause';
import { messageOf } from '../../../service/text';
import type { SkippedAddress } from './addresses';
import type { InputDocument } from './open';
import { SentMemory } from './sentMemory';
import type { SkippedDocument } from './select';
import { claim } from './underWay';

const BEFORE = 'it was sent before';
const IN_THIS_RUN = 'it was sent with another item of this run';

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
	 * Returns the submission without documents that were sent before, except those with hashes in `again`. `done` must be called with
	 * whether the rest was accepted, because other submissions with the same documents wait for it. Rejects when `pause` rejects or
	 * n8n's store fails.
	 */
	async reduce<T extends ToBeSent>(
		given: T,
		again?: ReadonlySet<unknown>,
	): Promise<{ submission: T; done: (isAccepted: boolean) => Promise<void> }> {
		const { context, memories, pause, run } = this;
		const scope = given.handling.sentMemory;
		if (scope === 'off') return { submission: given, done: () => Promise.resolve() };
		const hashOf = (document: InputDocument) => given.hashes.get(document) ?? '';
		const markOf = (document: InputDocument) => `${given.workflowId} ${hashOf(document)}`;
		const keyOf = (document: InputDocument) =>
			JSON.stringify([...recordOf(context, scope), markOf(document)]);
		// Claim before reading the store, so that the outcome of a run that ends in between is not missed.
		const { earlier, settle } = claim(new Set(given.documents.map(keyOf)));
		const documents: InputDocument[] = [];
		const skipped = [...given.skipped];
		let isReduced = false;
		try {
			const known = await memories[scope].accepted(given.documents.map(markOf));
			for (const document of given.documents) {
				const acceptedIn =
					known.has(markOf(document)) && again?.has(hashOf(document)) !== true
						? EARLIER
						: await outcomeOf(earlier.get(keyOf(document)), pause);
				if (acceptedIn === undefined) documents.push(document);
				else skipped.push(skip(document, acceptedIn === run ? IN_THIS_RUN : BEFORE));
			}
			isReduced = true;
		} finally {
			if (!isReduced) settle(undefined);
		}
		return {
			submission: { ...given, documents, skipped },
			done: async (isAccepted) => {
				try {
					if (isAccepted) await memories[scope].remember(documents.map(markOf));
				} catch (error) {
					// The service has accepted it, so a failing store must not fail the item.
					context.logger.warn(
						`n8n could not remember which documents were sent: ${messageOf(error)}`,
					);
				} finally {
					settle(isAccepted ? run : undefined);
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
