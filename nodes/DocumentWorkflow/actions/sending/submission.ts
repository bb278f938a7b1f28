import { EXTERNAL_ID } from '../../../../service/contract';
import { plainText } from '../../../../service/text';
import { shownAddress } from '../../documents/addresses';
import { type About, isMissingInData, ruleOf, type SkippedFile } from '../../about';
import { skip } from '../../documents/alreadySent';
import type { Content } from '../../documents/body';
import type { InputDocument } from '../../documents/open';
import type { Choice } from '../../documents/select';
import { describeSent, inShort, type SentDocument } from '../../documents/sent';
import { type CreateLabel, hashOf } from './journal';

/** What one execution receives: documents of one or several input items, or addresses, and other content. */
export interface Submission<Settings = unknown> {
	/** Unique within the run, and the same in each try of the node. */
	key: string;
	itemIndexes: number[];
	/** The fields of its files, when it does not have all files of its item. */
	fieldNames?: string[];
	workflowId: string;
	documents: InputDocument[];
	fileUrls: string[];
	skipped: SkippedFile[];
	content: Content;
	handling: SendOptions;
	/** The operation's other parameters, of the first item. */
	settings: Settings;
}

export type SendOptions = Pick<Choice, 'skipsSent' | 'withoutDocuments'>;

/** One submission per document, address and unusable file. The first also lists what was skipped for other reasons. */
export function onePerDocument<T>(whole: Submission<T>): Array<Submission<T>> {
	const { key, documents, fileUrls, skipped, handling } = whole;
	const isTextOnly = documents.length + fileUrls.length === 0;
	if (isTextOnly && handling.withoutDocuments === 'send') return [whole];
	const none = { ...whole, documents: [], fileUrls: [], skipped: [] };
	const part = (name: string | number, given: Partial<Submission<T>>): Submission<T> => ({
		...none,
		...given,
		key: `${key}/${name}`,
	});
	const goesOn: SendOptions = { ...handling, withoutDocuments: 'skip' };
	const [first, ...others] = [
		...documents.map((document) =>
			part(document.fieldName, { documents: [document], fieldNames: [document.fieldName] }),
		),
		...fileUrls.map((url, position) => part(position, { fileUrls: [url] })),
		...skipped
			.filter((file) => ruleOf(file).unusable)
			.map((file) => part(file.fieldName, { skipped: [file], handling: goesOn })),
	];
	if (first === undefined) return [whole];
	const usable = skipped.filter((file) => !ruleOf(file).unusable);
	return [{ ...first, skipped: [...usable, ...first.skipped] }, ...others];
}

/** Keeps each content once. Reads only documents of the same size. */
export async function withoutRepeated<T>(submission: Submission<T>): Promise<Submission<T>> {
	const sizes = new Map<number, number>();
	for (const { bytes } of submission.documents) sizes.set(bytes, (sizes.get(bytes) ?? 0) + 1);
	const seen = new Map<string, InputDocument>();
	const documents: InputDocument[] = [];
	const skipped = [...submission.skipped];
	for (const document of submission.documents) {
		const isOnlyOne = sizes.get(document.bytes) === 1;
		const content = isOnlyOne ? document.reference : await document.hash();
		const same = seen.get(content);
		if (same === undefined) documents.push(document);
		else skipped.push(skip(document, { reason: 'duplicate', detail: same.fileName }));
		seen.set(content, same ?? document);
	}
	return { ...submission, documents, skipped };
}

/** Whether filters or earlier sendings left nothing. Text inputs alone are sent only if the panel says so. */
export function hasNothingToSend({ documents, fileUrls, skipped, handling }: Submission): boolean {
	if (documents.length + fileUrls.length > 0) return false;
	return handling.withoutDocuments !== 'send' || skipped.some((file) => ruleOf(file).wasSent);
}

/** The IDs in every output item of the submission, error items included. */
export function knownOf({ workflowId, content }: Submission): About {
	const externalId = content.metadata[EXTERNAL_ID];
	return { workflowId, ...(externalId === undefined || externalId === '' ? {} : { externalId }) };
}

export function aboutSent(submission: Submission, files: SentDocument[]): About {
	const { fileUrls, skipped } = submission;
	const { externalId } = knownOf(submission);
	const needsReview = skipped.some(isMissingInData);
	return {
		...(externalId === undefined ? {} : { externalId }),
		documents: describeSent(files, fileUrls),
		skipped,
		...(needsReview ? { needsReview } : {}),
	};
}

/** The label of a create, the same for each try. Addresses count without signatures, which may differ in each try. */
export function labelCreate(submission: Submission): CreateLabel {
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
