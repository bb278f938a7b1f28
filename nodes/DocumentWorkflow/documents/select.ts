import type { IBinaryData, IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CHECK_STORAGE } from '../../../service/errors';
import { messageOf, plainText } from '../../../service/text';
import { isStopped } from '../connection/time';
import { errorAt, type Place } from '../panel/options';
import { matcherOf, matchesOne } from '../panel/values';
import { isInlineImage } from './inlineImages';
import { type InputDocument, inputItem, isReport, openDocument, type OpenedDocument } from './open';
import { readableName } from './names';
import { contradiction, extensionIn } from './types';

/** Which documents of an input item to send, as set in the panel. */
export interface Choice {
	/** Names of fields, and wildcards. */
	patterns: string[];
	/** Patterns with * for file names; empty: all files. */
	fileNames: string[];
	includeInlineImages: boolean;
	unusableFiles: 'skip' | 'fail';
	/** For items that have no document to send. */
	withoutDocuments: 'skip' | 'fail' | 'send';
	/** Whether to skip documents that were sent before. */
	skipsSent: boolean;
}

/** A document that is not sent, and why. */
export interface SkippedDocument extends IDataObject {
	itemIndex: number;
	fieldName: string;
	fileName: string;
	reason: string;
	/** It should have been a document, so that a person has to look at it. */
	unusable?: true;
}

/**
 * Selects and inspects the documents of an item, before anything is sent. `sizes`: the repeated ones of an execution of several items.
 * @throws NodeOperationError naming the field and the file, and the fields that the item has
 */
export async function selectDocuments(
	context: IExecuteFunctions,
	itemIndex: number,
	choice: Choice,
	sizes?: ReadonlySet<number>,
): Promise<{ documents: InputDocument[]; skipped: SkippedDocument[] }> {
	const place = { context, itemIndex };
	const item = inputItem(context, itemIndex);
	const { json, binary = {} } = item;
	const repeated = sizes ?? repeatedSizes([item]);
	const documents: InputDocument[] = [];
	const skipped: SkippedDocument[] = [];
	for (const fieldName of fieldsToSend(place, binary, choice.patterns)) {
		const file = binary[fieldName];
		if (file === undefined) continue;
		const isCompared = choice.skipsSent || repeated.has(file.bytes ?? -1);
		const isWanted = (name: string) => unwanted(name, fieldName, choice) === undefined;
		const opened = await openDocument(
			context,
			itemIndex,
			fieldName,
			file,
			isCompared,
			isWanted,
		).catch((error: unknown) => notRead(place, fieldName, file, error));
		const { fileName } = opened.document;
		const finding = inspect(opened, choice, json);
		if (finding?.unusable === true && choice.unusableFiles === 'fail')
			throw errorAt(
				place,
				`The file in '${fieldName}' (${fileName}) is not sent: ${finding.reason}`,
				"Check the file, or change 'On Unusable File' under 'Document Options'",
			);
		if (finding === undefined) documents.push(opened.document);
		else skipped.push({ itemIndex, fieldName, fileName, ...finding });
	}
	return { documents, skipped };
}

/** n8n's own error names neither the file nor what to do. */
function notRead(
	place: Place,
	fieldName: string,
	{ fileName }: IBinaryData,
	error: unknown,
): never {
	if (isStopped(place.context)) throw error;
	const name = plainText(readableName(fileName, fieldName));
	throw errorAt(
		place,
		`n8n could not read the file in ${listed([fieldName])} (${name}): ${messageOf(error)}`,
		CHECK_STORAGE,
	);
}

/** Sizes of several files. Only their contents say whether they are the same. */
export function repeatedSizes(items: Array<{ binary?: IBinaryKeyData }>): Set<number> {
	const seen = new Set<number>();
	const files = items.flatMap(({ binary = {} }) => Object.values(binary));
	const sizes = files.flatMap(({ bytes }) => bytes ?? []);
	return new Set(sizes.filter((size) => seen.has(size) || !seen.add(size)));
}

function fieldsToSend(place: Place, files: IBinaryKeyData, patterns: string[]): string[] {
	const present = inNaturalOrder(Object.keys(files));
	const documents = present.filter((name) => !isReport(files[name]));
	if (patterns.length === 0 && documents.length > 0)
		throw errorAt(
			place,
			`'Input Data Field Name' is empty, and the input item has files: ${listed(documents)}`,
			"Enter the names of the fields to send, or * for all files; or choose 'Text Inputs Only' under 'Documents'",
		);
	const { fieldNames, missing } = selectFieldNames(patterns, present, documents);
	if (fieldNames.length + documents.length === 0) return [];
	const missingFiles = fieldNames.length === 0 ? patterns : missing;
	if (missingFiles.length > 0)
		throw errorAt(
			place,
			`The input item has no ${missingFiles.length === 1 ? 'file' : 'files'} in ${listed(missingFiles)}`,
			`Its files are in ${listed(present)}. Change 'Input Data Field Name'`,
		);
	return fieldNames;
}

function listed(names: string[]): string {
	return plainText(names.map((name) => `'${name}'`).join(', '));
}

const NATURAL_ORDER = new Intl.Collator('en', { numeric: true });

/** Sorts attachment_2 before attachment_10. */
function inNaturalOrder(names: string[]): string[] {
	return [...names].sort(NATURAL_ORDER.compare);
}

/**
 * Each field once that a pattern names or matches, in the order of the patterns, and the names that the item does not
 * have. The exact name of a field selects that field, even with an asterisk in it. Wildcards match only `documents`.
 */
export function selectFieldNames(
	patterns: string[],
	present: string[],
	documents = present,
): { fieldNames: string[]; missing: string[] } {
	const isWildcard = (pattern: string) => !present.includes(pattern) && pattern.includes('*');
	const selected = patterns.flatMap((pattern) =>
		isWildcard(pattern) ? inNaturalOrder(documents.filter(matcherOf(pattern))) : [pattern],
	);
	const missing = patterns.filter((name) => !present.includes(name) && !isWildcard(name));
	return { fieldNames: [...new Set(selected)].filter((name) => present.includes(name)), missing };
}

/** By extension: what mail programs attach and is no document. */
const NO_DOCUMENTS = new Map([
	['p7s', 'it is the signature of the mail'],
	['ics', 'it is a calendar entry'],
]);

/** Why a file is not sent; undefined when it is sent. `json` is that of its item, which may be a mail. */
function inspect(
	{ document, head }: OpenedDocument,
	choice: Choice,
	json: IDataObject,
): Pick<SkippedDocument, 'reason' | 'unusable'> | undefined {
	const { fieldName, fileName, bytes } = document;
	const wrapper = wrapperIn(document);
	if (wrapper !== undefined) return { reason: wrapper, unusable: true };
	const reason = unwanted(fileName, fieldName, choice);
	if (reason !== undefined) return { reason };
	const { patterns, includeInlineImages } = choice;
	const mayBeInline = !patterns.includes(fieldName) && !includeInlineImages;
	if (mayBeInline && isInlineImage({ fileName, bytes, head }, json))
		return { reason: 'it is an inline image of the mail' };
	const fault = bytes === 0 ? 'it is empty' : contradiction(fileName, head);
	return fault === undefined ? undefined : { reason: fault, unusable: true };
}

/** Why a file of this name is not sent. One whose field the user names exactly is a document in any case. */
function unwanted(fileName: string, fieldName: string, choice: Choice): string | undefined {
	const { patterns, fileNames } = choice;
	if (!matchesOne(fileName, fileNames)) return `its name does not match ${fileNames.join(', ')}`;
	return patterns.includes(fieldName) ? undefined : NO_DOCUMENTS.get(extensionIn(fileName));
}

/** What wraps the attachments of a mail. No filter skips it silently, because nobody knows what is in it. */
function wrapperIn({ fileName, mediaType }: InputDocument): string | undefined {
	if (/^winmail\d*\.dat$/i.test(fileName) || /\/(?:vnd\.)?ms-tnef$/.test(mediaType))
		return 'it wraps attachments in the format of Outlook';
	return extensionIn(fileName) === 'p7m'
		? 'it is an encrypted or signed mail, which may have attachments'
		: undefined;
}
