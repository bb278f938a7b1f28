import { isInlineImage } from './inlineImages';
import type { OpenedDocument } from './open';
import { matchesOne } from './patterns';
import { contradiction, extensionIn } from './types';

/** Why a file is not sent. An unusable one should have been a document; the others are skipped for harmless reasons. */
export interface Finding {
	reason: string;
	unusable?: true;
}

interface Circumstances {
	/** Patterns for file names; empty: all files. */
	fileNames: string[];
	includeInlineImages: boolean;
	/** The JSON of the input item, which may be a mail. */
	json: unknown;
	/** Whether the user entered the exact name of its field, so that it is a document in any case. */
	isNamed: boolean;
}

/** By extension: what mail programs attach and is no document. */
const NO_DOCUMENTS = new Map([
	['p7s', 'it is the signature of the mail'],
	['ics', 'it is a calendar entry'],
]);

/** Inspects a file before it is sent. Undefined when it is sent. */
export function inspect(
	{ document, head }: OpenedDocument,
	{ fileNames, includeInlineImages, json, isNamed }: Circumstances,
): Finding | undefined {
	const { fileName, bytes } = document;
	const wrapper = wrapperIn(document);
	if (wrapper !== undefined) return { reason: wrapper, unusable: true };
	if (!matchesOne(fileName, fileNames))
		return { reason: `its name does not match ${fileNames.join(', ')}` };
	const harmless = isNamed ? undefined : NO_DOCUMENTS.get(extensionIn(fileName));
	if (harmless !== undefined) return { reason: harmless };
	if (!isNamed && !includeInlineImages && isInlineImage({ fileName, bytes, head }, json))
		return { reason: 'it is an inline image of the mail' };
	const fault = bytes === 0 ? 'it is empty' : contradiction(fileName, head);
	return fault === undefined ? undefined : { reason: fault, unusable: true };
}

/** What wraps the attachments of a mail. No filter skips it silently, because nobody knows what is in it. */
function wrapperIn({ fileName, mediaType }: OpenedDocument['document']): string | undefined {
	if (/^winmail\d*\.dat$/i.test(fileName) || /\/(?:vnd\.)?ms-tnef$/.test(mediaType))
		return 'it wraps attachments in the format of Outlook';
	return extensionIn(fileName) === 'p7m'
		? 'it is an encrypted or signed mail, which may have attachments'
		: undefined;
}
