import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { plainText } from '../../../service/text';
import { errorAt, matcherOf, matchesOne, type Place } from '../panel/options';
import { isInlineImage } from './inlineImages';
import { type InputDocument, inputItem, isReport, openDocument, type OpenedDocument } from './open';
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
 * Selects and inspects the documents of an item, before anything is sent.
 * @throws NodeOperationError naming the field and the file, and the fields that the item has
 */
export async function selectDocuments(
	context: IExecuteFunctions,
	itemIndex: number,
	choice: Choice,
): Promise<{ documents: InputDocument[]; skipped: SkippedDocument[] }> {
	const place = { context, itemIndex };
	const { json, binary = {} } = inputItem(context, itemIndex);
	const documents: InputDocument[] = [];
	const skipped: SkippedDocument[] = [];
	for (const fieldName of fieldsToSend(place, binary, choice.patterns)) {
		const file = binary[fieldName];
		if (file === undefined) continue;
		const opened = await openDocument(context, itemIndex, fieldName, file);
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
	{ patterns, fileNames, includeInlineImages }: Choice,
	json: IDataObject,
): Pick<SkippedDocument, 'reason' | 'unusable'> | undefined {
	const { fieldName, fileName, bytes } = document;
	// A file that the user names exactly is a document in any case.
	const isNamed = patterns.includes(fieldName);
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
function wrapperIn({ fileName, mediaType }: InputDocument): string | undefined {
	if (/^winmail\d*\.dat$/i.test(fileName) || /\/(?:vnd\.)?ms-tnef$/.test(mediaType))
		return 'it wraps attachments in the format of Outlook';
	return extensionIn(fileName) === 'p7m'
		? 'it is an encrypted or signed mail, which may have attachments'
		: undefined;
}
