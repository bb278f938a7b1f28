import type { IExecuteFunctions } from 'n8n-workflow';

import type { InputDocument } from './inputDocuments';
import { SentMemory } from './sentMemory';
import type { Submission } from './submission';
import { skip } from './submission';

const BEFORE = 'it was sent before';
const IN_THIS_RUN = 'it was sent with another item of this run';

/** Reasons for which a document is left out because the service has it. */
export const SENT_BEFORE: ReadonlySet<string> = new Set([BEFORE, IN_THIS_RUN]);

/** Leaves out documents that were sent before, in an earlier n8n execution or by another submission of this run. */
export interface AlreadySent {
	/**
	 * The submission without what was sent before. `done` must be called with whether the rest was accepted: other submissions
	 * with the same documents wait for it.
	 */
	reduce: (submission: Submission) => Promise<{ submission: Submission; done: (isAccepted: boolean) => Promise<void> }>;
}

/** Asks n8n's store about all documents of submissions for which sent documents are remembered. */
export async function openAlreadySent(context: IExecuteFunctions, submissions: Submission[]): Promise<AlreadySent> {
	const marks = new Map<InputDocument, string>();
	const memories = { node: new SentMemory(context, 'node'), workflow: new SentMemory(context, 'workflow') };
	const known = { node: new Set<string>(), workflow: new Set<string>() };
	for (const scope of ['node', 'workflow'] as const) {
		const own: string[] = [];
		for (const { workflowId, documents, contents } of submissions.filter(({ handling }) => handling.sentMemory === scope)) {
			for (const document of documents) {
				const mark = `${workflowId} ${contents.get(document) ?? ''}`;
				marks.set(document, mark);
				own.push(mark);
			}
		}
		known[scope] = await memories[scope].accepted([...new Set(own)]);
	}
	/** Documents that submissions of this run have taken, with whether one of these was accepted. */
	const taken = new Map<string, Promise<boolean>>();

	const reduce: AlreadySent['reduce'] = async (submission) => {
		const scope = submission.handling.sentMemory;
		if (scope === 'off') return { submission, done: () => Promise.resolve() };
		const markOf = (document: InputDocument) => marks.get(document) ?? '';
		const claim = openClaim();
		const others = new Map(submission.documents.map((document) => [document, taken.get(markOf(document))]));
		for (const document of submission.documents) taken.set(markOf(document), either(others.get(document), claim.isAccepted));
		const documents: InputDocument[] = [];
		const skipped = [...submission.skipped];
		for (const document of submission.documents) {
			if (known[scope].has(markOf(document))) skipped.push(skip(document, BEFORE));
			else if ((await others.get(document)) === true) skipped.push(skip(document, IN_THIS_RUN));
			else documents.push(document);
		}
		return {
			submission: { ...submission, documents, skipped },
			done: async (isAccepted) => {
				claim.settle(isAccepted);
				if (isAccepted) await memories[scope].remember(documents.map(markOf));
			},
		};
	};
	return { reduce };
}

/** A submission from which a document was left out, because an earlier one had it, leaves nothing to a later one. */
async function either(earlier: Promise<boolean> | undefined, own: Promise<boolean>): Promise<boolean> {
	return (await earlier) === true || own;
}

function openClaim(): { isAccepted: Promise<boolean>; settle: (isAccepted: boolean) => void } {
	let settle: (isAccepted: boolean) => void = () => undefined;
	const isAccepted = new Promise<boolean>((resolve) => (settle = resolve));
	return { isAccepted, settle };
}
