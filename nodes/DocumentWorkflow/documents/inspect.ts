import { isInlineImage } from './inlineImages';
import type { OpenedDocument } from './open';
import { matchesOne } from './patterns';
import { contradiction, extensionIn } from './types';
import { isRecord } from '../../../service/contract';
import { plainText } from '../../../service/text';

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

/** In the trailer of each encrypted PDF, which itself is neither encrypted nor compressed. */
const KEY = Buffer.from('/Encrypt');

/**
 * Searches a PDF chunk by chunk. The returned function says whether the key was in the given chunk or an earlier one;
 * it may begin in one chunk and end in another.
 */
export function encryptionSearch(): (chunk: Uint8Array) => boolean {
	let isFound = false;
	let end = Buffer.alloc(0);
	return (chunk) => {
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		const border = Buffer.concat([end, bytes.subarray(0, KEY.length - 1)]);
		isFound ||= border.includes(KEY) || bytes.includes(KEY);
		end = Buffer.concat([end, bytes.subarray(1 - KEY.length)]).subarray(1 - KEY.length);
		return isFound;
	};
}

/** More are counted. */
const MAX_NAMED = 3;
const LONGEST_NAME = 60;

/** A sentence that names the encrypted documents in the `documents` of an output; empty where there are none. */
export function encryptedIn(documents: unknown): string {
	const names = [documents].flat().flatMap((document) => {
		const { encrypted, fileName } = isRecord(document) ? document : {};
		if (encrypted !== true || typeof fileName !== 'string') return [];
		return [plainText(fileName, [], LONGEST_NAME)];
	});
	if (names.length === 0) return '';
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
	const named = names.slice(0, MAX_NAMED).join(', ') + more;
	return names.length === 1
		? `${named} is encrypted. If it needs a password, ask the sender for a copy without one`
		: `${named} are encrypted. If they need a password, ask the sender for copies without one`;
}
