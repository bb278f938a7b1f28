import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { EXTERNAL_ID } from '../../../../service/contract';
import { plainText } from '../../../../service/text';
import { shownAddress } from '../../documents/addresses';
import { mayLackResult, SENT_BEFORE, skip } from '../../documents/alreadySent';
import type { Content } from '../../documents/body';
import type { InputDocument } from '../../documents/open';
import type { Choice, SkippedDocument } from '../../documents/select';
import { describeSent, inShort, type SentDocument } from '../../documents/sent';

/** What one execution receives: documents of one or several input items, or addresses, and other content. */
export interface Submission {
	/** Unique within the run, and the same in each try of the node. */
	key: string;
	itemIndexes: number[];
	/** The fields of its files, when it does not have all files of its item. */
	fieldNames?: string[];
	workflowId: string;
	documents: InputDocument[];
	fileUrls: string[];
	skipped: SkippedDocument[];
	content: Content;
	handling: Handling;
}

export type Handling = Pick<Choice, 'skipsSent' | 'withoutDocuments'>;

/**
 * One submission per document, address and unusable file. The first also lists what was skipped for other reasons. A
 * submission with none of them, or of text inputs alone, is unchanged.
 */
export function onePerDocument(whole: Submission): Submission[] {
	const { key, documents, fileUrls, skipped, handling } = whole;
	const isTextOnly = documents.length + fileUrls.length === 0;
	if (isTextOnly && handling.withoutDocuments === 'send') return [whole];
	const none = { documents: [], fileUrls: [], skipped: [] };
	const part = (name: string | number, given: Partial<Submission>): Submission => ({
		...{ ...whole, ...none, ...given },
		key: `${key}/${name}`,
	});
	const [first, ...others] = [
		...documents.map((document) => {
			const { fieldName } = document;
			return part(fieldName, { documents: [document], fieldNames: [fieldName] });
		}),
		...fileUrls.map((url, position) => part(position, { fileUrls: [url] })),
		...skipped.filter(isUnusable).map((file) => {
			const goesOn: Handling = { ...handling, withoutDocuments: 'skip' };
			return part(file.fieldName, { skipped: [file], handling: goesOn });
		}),
	];
	if (first === undefined) return [whole];
	const usable = skipped.filter((file) => !isUnusable(file));
	return [{ ...first, skipped: [...usable, ...first.skipped] }, ...others];
}

/** Whether a person has to look at a file that was not sent. */
function isUnusable({ unusable }: SkippedDocument): boolean {
	return unusable === true;
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
			(sizes.get(document.bytes) ?? 0) > 1 ? await document.hash() : document.reference;
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

/** How a create is recognized: by a later try, and by a person in the log or in an error. */
export interface CreateLabel {
	workflowId: string;
	/** The first input item that it came from. */
	itemIndex: number;
	/** A hash of what is sent. An earlier try counts only if it sent the same. */
	hash: string;
	/** The user's own identifier; empty when there is none. */
	externalId: string;
	/** The names of its documents, in short. */
	files: string;
}

/** The label of a create, the same for each try. Addresses count without signatures, which may differ in each try. */
export function labelOf(submission: Submission): CreateLabel {
	const { workflowId, itemIndexes, documents } = submission;
	const { externalId } = knownOf(submission);
	const fileUrls = submission.fileUrls.map(shownAddress);
	return {
		workflowId,
		itemIndex: itemIndexes[0] ?? 0,
		hash: hashOf([
			workflowId,
			itemIndexes,
			fileUrls,
			documents.map(({ fileName, mediaType, reference }) => [fileName, mediaType, reference]),
		]),
		externalId: externalId === undefined ? '' : plainText(JSON.stringify(externalId)),
		files: inShort([...documents.map(({ fileName }) => fileName), ...fileUrls]),
	};
}

/** A label in one line: item, documents and the user's own identifier. */
export function inOneLine({ itemIndex, files, externalId }: CreateLabel): string {
	return [
		`item ${itemIndex}${files === '' ? '' : ` (${files})`}`,
		...(externalId === '' ? [] : [`External ID ${externalId}`]),
	].join(', ');
}

export function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
