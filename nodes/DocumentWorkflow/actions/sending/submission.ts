import type { IDataObject } from 'n8n-workflow';

import { EXTERNAL_ID, isRecord } from '../../../../service/contract';
import { mayLackResult, SENT_BEFORE, skip } from '../../documents/alreadySent';
import type { Content } from '../../documents/body';
import { describeSent } from '../../documents/sent';
import type { SkippedAddress } from '../../documents/addresses';
import { eachOnce } from '../../documents/addresses';
import type { InputDocument } from '../../documents/open';
import { contentHash } from '../../documents/open';
import type { SentDocument } from '../../documents/sent';
import type { Choice, SkippedDocument } from '../../documents/select';
import type { SentMemory } from '../fields/documentOptions';
import type { OnLostResponse } from '../fields/settings';

/** A document or an address that is not sent, and why. */
export type Skipped = SkippedDocument | SkippedAddress;

/** What one execution receives: documents of one or several input items, or addresses, and other content. */
export interface Submission {
	itemIndexes: number[];
	workflowId: string;
	documents: InputDocument[];
	fileUrls: string[];
	skipped: Skipped[];
	/** SHA-256 of the documents; empty unless sent documents are remembered. */
	hashes: ReadonlyMap<InputDocument, string>;
	content: Content;
	handling: Handling;
}

/** How to handle a submission, as set in the panel. */
export interface Handling {
	lostResponse: OnLostResponse;
	sentMemory: SentMemory;
	/** What to do with a submission without documents. */
	withoutDocuments: Choice['withoutDocuments'];
}

/**
 * One submission per document, address and unusable file. The first also lists what was skipped for other reasons. A
 * submission with none of them, or of text inputs alone, is unchanged.
 */
export function onePerDocument(submission: Submission): Submission[] {
	const { documents, fileUrls, skipped, handling } = submission;
	const sent = [
		...documents.map((document) => ({ documents: [document], fileUrls: [], skipped: [] })),
		...fileUrls.map((url) => ({ documents: [], fileUrls: [url], skipped: [] })),
	];
	if (sent.length === 0 && handling.withoutDocuments === 'send') return [submission];
	const unusable = skipped.filter(isUnusable).map((file) => ({
		documents: [],
		fileUrls: [],
		skipped: [file],
		handling: { ...handling, withoutDocuments: 'skip' as const },
	}));
	const [first, ...others] = [...sent, ...unusable];
	if (first === undefined) return [submission];
	const usable = skipped.filter((file) => !isUnusable(file));
	const parts = [{ ...first, skipped: [...usable, ...first.skipped] }, ...others];
	return parts.map((part) => ({ ...submission, ...part }));
}

/** Whether a person has to look at a file that was not sent. */
export function isUnusable(file: Skipped): file is SkippedDocument {
	return file.unusable === true;
}

/** One submission of all. `conflict` is the first one whose workflow, content or handling differs. */
export function allTogether(
	submissions: Submission[],
): { together: Submission } | { conflict: Submission } | undefined {
	const [first, ...others] = submissions;
	if (first === undefined) return undefined;
	const mark = ({ workflowId, content, handling }: Submission) =>
		JSON.stringify([workflowId, content, handling], inNameOrder);
	const markOfFirst = mark(first);
	const conflict = others.find((other) => mark(other) !== markOfFirst);
	if (conflict !== undefined) return { conflict };
	const { fileUrls, skipped } = eachOnce(
		submissions.flatMap(({ itemIndexes: [itemIndex = 0], fileUrls: urls }) =>
			urls.map((url) => ({ itemIndex, url })),
		),
	);
	return {
		together: {
			...first,
			itemIndexes: submissions.flatMap(({ itemIndexes }) => itemIndexes),
			documents: submissions.flatMap(({ documents }) => documents),
			fileUrls,
			skipped: [...submissions.flatMap((submission) => submission.skipped), ...skipped],
		},
	};
}

/** For JSON.stringify: objects with the same entries become the same text. */
function inNameOrder(_name: string, value: unknown): unknown {
	if (!isRecord(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Keeps each content once. Reads only documents of the same size. */
export async function withoutRepeated(submission: Submission): Promise<Submission> {
	const sizes = new Map<number, number>();
	for (const { bytes } of submission.documents) sizes.set(bytes, (sizes.get(bytes) ?? 0) + 1);
	const seen = new Map<string, InputDocument>();
	const documents: InputDocument[] = [];
	const skipped = [...submission.skipped];
	for (const document of submission.documents) {
		const content =
			(sizes.get(document.bytes) ?? 0) > 1 ? await contentHash(document) : document.reference;
		const same = seen.get(content);
		if (same === undefined) {
			seen.set(content, document);
			documents.push(document);
		} else {
			skipped.push(skip(document, `it is a duplicate of ${same.fileName}`));
		}
	}
	return { ...submission, documents, skipped };
}

/** Whether filters or earlier sendings left nothing. Text inputs alone are sent only if the panel says so. */
export function hasNothingToSend({ documents, fileUrls, skipped, handling }: Submission): boolean {
	if (documents.length + fileUrls.length > 0) return false;
	return (
		handling.withoutDocuments !== 'send' || skipped.some(({ reason }) => SENT_BEFORE.has(reason))
	);
}

/** The IDs in every output item of the submission, error items included. */
export function knownOf({ workflowId, content }: Submission): IDataObject {
	const externalId = content.metadata[EXTERNAL_ID];
	return externalId === undefined || externalId === ''
		? { workflowId }
		: { workflowId, externalId };
}

/** The output about the sent and skipped documents. */
export function aboutSent(submission: Submission, files: SentDocument[]): IDataObject {
	const { fileUrls, skipped } = submission;
	const { externalId } = knownOf(submission);
	return {
		...(externalId === undefined ? {} : { externalId }),
		documents: describeSent(files, fileUrls),
		skipped,
		...(skipped.some((each) => isUnusable(each) || mayLackResult(each))
			? { needsReview: true }
			: {}),
	};
}
