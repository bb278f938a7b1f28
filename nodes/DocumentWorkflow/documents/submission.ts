import type { Accompaniment } from './body';
import type { Treatment } from './inspect';
import type { SkippedAddress } from './addresses';
import { eachOnce } from './addresses';
import type { InputDocument } from './open';
import { contentHash } from './open';
import type { SkippedDocument } from './select';

/** A document or an address that does not go out, and why. */
export type Skipped = SkippedDocument | SkippedAddress;

/** What one execution gets: documents of one or several input items, or addresses, with what goes along. */
export interface Submission {
	itemIndexes: number[];
	workflowId: string;
	documents: InputDocument[];
	fileUrls: string[];
	skipped: Skipped[];
	/** SHA-256 of the documents, where sent documents are remembered. */
	contents: ReadonlyMap<InputDocument, string>;
	accompaniment: Accompaniment;
	handling: Handling;
}

/** How the panel wants a submission to be handled. */
export interface Handling {
	/** Whether a document goes along once when it is there several times. */
	skipSameDocument: boolean;
	/** What becomes of a submission without any document. */
	withoutDocuments: Treatment;
	/** What to do when an answer to a create was lost. */
	ifUnknown: 'stop' | 'mark' | 'again';
	/** Where it is remembered which documents were sent. */
	sentMemory: 'off' | 'node' | 'workflow';
}

/** Each document, or address, on its own. What was skipped is told with the first one; a submission with neither stays as it is. */
export function onePerDocument(submission: Submission): Submission[] {
	const { documents, fileUrls, skipped } = submission;
	const parts = [
		...documents.map((document) => ({ documents: [document], fileUrls: [] })),
		...fileUrls.map((url) => ({ documents: [], fileUrls: [url] })),
	];
	if (parts.length === 0) return [submission];
	return parts.map((part, index) => ({
		...submission,
		...part,
		skipped: index === 0 ? skipped : [],
	}));
}

/** All in one. `conflict` is the first submission that goes to another workflow, or along with something else, than the first. */
export function allTogether(
	submissions: Submission[],
): { together: Submission } | { conflict: Submission; first: Submission } | undefined {
	const [first, ...others] = submissions;
	if (first === undefined) return undefined;
	const mark = ({ workflowId, accompaniment, handling }: Submission) =>
		JSON.stringify([workflowId, accompaniment, handling]);
	const conflict = others.find((other) => mark(other) !== mark(first));
	if (conflict !== undefined) return { conflict, first };
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

/** The same submission, each content once. Only documents of the same size are read for it. */
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
			skipped.push(skip(document, `it is the same as ${same.fileName}`));
		}
	}
	return { ...submission, documents, skipped };
}

/** What the output says of a document that is not sent. */
export function skip(
	{ itemIndex, fieldName, fileName }: InputDocument,
	reason: string,
): SkippedDocument {
	return { itemIndex, fieldName, fileName, reason };
}
