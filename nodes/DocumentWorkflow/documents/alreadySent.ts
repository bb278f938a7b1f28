import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

import type { Pause } from '../../../service/http';
import type { InputDocument } from './open';
import { SentMemory } from './sentMemory';
import type { Submission } from './submission';
import { skip } from './submission';
import { claim } from './underWay';

const BEFORE = 'it was sent before';
const IN_THIS_RUN = 'it was sent with another item of this run';

/** Reasons for which a document is left out because the service has it. */
export const SENT_BEFORE: ReadonlySet<string> = new Set([BEFORE, IN_THIS_RUN]);

/** A run that has ended. */
const EARLIER = Symbol('earlier run');

/** How long it may go unnoticed that there is nothing to wait for any more. */
const LOOK_MILLISECONDS = 500;

/** Leaves out documents that were sent before, in another n8n execution or by another submission of this run. */
export interface AlreadySent {
	/**
	 * The submission without what was sent before; `again` are contents that do not count as sent. `done` must be called with whether the rest was accepted: other submissions
	 * with the same documents wait for it. Rejects where `pause` does, and where n8n's store fails.
	 */
	reduce: (
		submission: Submission,
		again?: ReadonlySet<unknown>,
	) => Promise<{ submission: Submission; done: (isAccepted: boolean) => Promise<void> }>;
}

/**
 * For a run of the node. n8n executions that run at the same time in this process wait for each other where they have the same
 * document; `pause` rejects when there is nothing to wait for any more.
 */
export function openAlreadySent(context: IExecuteFunctions, pause: Pause): AlreadySent {
	const run = Symbol('run');
	const memories = {
		node: new SentMemory(context, 'node'),
		workflow: new SentMemory(context, 'workflow'),
	};

	const reduce: AlreadySent['reduce'] = async (submission, again) => {
		const scope = submission.handling.sentMemory;
		if (scope === 'off') return { submission, done: () => Promise.resolve() };
		const markOf = (document: InputDocument) =>
			`${submission.workflowId} ${submission.contents.get(document) ?? ''}`;
		const keyOf = (document: InputDocument) =>
			JSON.stringify([...recordOf(context, scope), markOf(document)]);
		// Before the store is asked: what another run settles in between is known by the one or by the other.
		const { earlier, settle } = claim(new Set(submission.documents.map(keyOf)));
		const documents: InputDocument[] = [];
		const skipped = [...submission.skipped];
		let isReduced = false;
		try {
			const known = await memories[scope].accepted(submission.documents.map(markOf));
			for (const document of submission.documents) {
				const acceptedIn =
					known.has(markOf(document)) && again?.has(submission.contents.get(document)) !== true
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
			submission: { ...submission, documents, skipped },
			done: async (isAccepted) => {
				try {
					if (isAccepted) await memories[scope].remember(documents.map(markOf));
				} finally {
					settle(isAccepted ? run : undefined);
				}
			},
		};
	};
	return { reduce };
}

/** What n8n's store keeps its records apart by. */
function recordOf(
	context: IExecuteFunctions,
	scope: DeduplicationScope,
): Array<string | undefined> {
	return [context.getWorkflow().id, ...(scope === 'node' ? [context.getNode().id] : [])];
}

async function outcomeOf<T>(outcome: Promise<T> | undefined, pause: Pause): Promise<T | undefined> {
	let isKnown = outcome === undefined;
	const known = outcome?.finally(() => (isKnown = true));
	while (!isKnown) await Promise.race([known, pause(LOOK_MILLISECONDS)]);
	return known;
}
