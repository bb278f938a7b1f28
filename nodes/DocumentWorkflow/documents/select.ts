import type {
	IBinaryData,
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { CHECK_STORAGE } from '../../../service/errors';
import { messageOf, plainText } from '../../../service/text';
import { describeSkip, ruleOf, type Skip, type SkippedFile } from '../about';
import { isStopped } from '../connection/time';
import { errorAt, type Place } from '../panel/options';
import { isInlineImage } from './inlineImages';
import { readableName } from './names';
import {
	givenName,
	type InputDocument,
	inputItem,
	openDocument,
	type OpenedDocument,
} from './open';
import { contradiction } from './types';

/** Which documents of an input item to send, as set in the panel. */
export interface DocumentChoice {
	/** Names of fields, and wildcards. */
	patterns: string[];
	/** Patterns with * for file names; empty: all files. */
	fileNames: string[];
	includeInlineImages: boolean;
	unusableFiles: 'skip' | 'fail';
	skipsSent: boolean;
}

/**
 * Selects and inspects the documents of an item, before anything is sent. `sizes`: the repeated ones of an execution of several items.
 * @throws NodeOperationError naming the field and the file, and the fields that the item has
 */
export async function selectDocuments(
	context: IExecuteFunctions,
	itemIndex: number,
	choice: DocumentChoice,
	sizes?: ReadonlySet<number | undefined>,
): Promise<{ documents: InputDocument[]; skipped: SkippedFile[] }> {
	const place = { context, itemIndex };
	const { json, binary = {} } = inputItem(context, itemIndex);
	const repeated = sizes ?? repeatedSizes([{ binary }]);
	const isWanted = (name: string) => matchesOne(name, choice.fileNames);
	const documents: InputDocument[] = [];
	const skipped: SkippedFile[] = [];
	for (const fieldName of fieldsToSend(place, binary, choice.patterns)) {
		const file = binary[fieldName];
		if (file === undefined) continue;
		const isCompared = choice.skipsSent || repeated.has(file.bytes);
		const opening = openDocument(place, fieldName, file, isCompared, isWanted);
		const opened = await opening.catch((error: unknown) =>
			failUnread(place, fieldName, file, error),
		);
		const { fileName } = opened.document;
		const skip = inspect(opened, choice, json);
		if (skip !== undefined && ruleOf(skip).unusable && choice.unusableFiles === 'fail')
			throw errorAt(
				place,
				`The file in '${fieldName}' (${fileName}) is not sent: ${describeSkip(skip)}`,
				"Check the file, or change 'On Unusable File' under 'Document Options'",
			);
		if (skip === undefined) documents.push(opened.document);
		else skipped.push({ itemIndex, fieldName, fileName, ...skip });
	}
	return { documents, skipped };
}

/** n8n's own error names neither the file nor what to do. */
function failUnread(place: Place, fieldName: string, file: IBinaryData, error: unknown): never {
	if (isStopped(place.context)) throw error;
	const name = plainText(readableName(givenName(file), fieldName));
	throw errorAt(
		place,
		`n8n could not read the file in ${quoteFields([fieldName])} (${name}): ${messageOf(error)}`,
		CHECK_STORAGE,
	);
}

/** Sizes of several files. Only their contents say whether they are the same. */
export function repeatedSizes(items: Array<{ binary?: IBinaryKeyData }>): Set<number> {
	const files = items.flatMap(({ binary = {} }) => Object.values(binary));
	return repeatedIn(files.flatMap(({ bytes }) => bytes ?? []));
}

export function repeatedIn(sizes: number[]): Set<number> {
	const seen = new Set<number>();
	return new Set(sizes.filter((size) => seen.has(size) || !seen.add(size)));
}

function fieldsToSend(place: Place, files: IBinaryKeyData, patterns: string[]): string[] {
	const present = Object.keys(files).toSorted(NATURAL_ORDER.compare);
	const documents = present.filter((name) => !isReport(files[name]));
	if (patterns.length === 0 && documents.length > 0)
		throw errorAt(
			place,
			`'Input Data Field Name' is empty, and the input item has files: ${quoteFields(documents)}`,
			"Enter the names of the fields to send, or * for all files; or choose 'Text Inputs Only' under 'Documents'",
		);
	const { fieldNames, missing } = selectFieldNames(patterns, present, documents);
	if (fieldNames.length + documents.length === 0) return [];
	const missingFiles = fieldNames.length === 0 ? patterns : missing;
	if (missingFiles.length > 0)
		throw errorAt(
			place,
			`The input item has no file in ${quoteFields(missingFiles)}`,
			`Its files are in ${quoteFields(present)}. Change 'Input Data Field Name'`,
		);
	return fieldNames;
}

/** n8n's nodes pass the record of a file on as it is, and keep fields that they do not know. */
const MARK = 'documentWorkflowReport';

export function asReport(file: IBinaryData): IBinaryData {
	return { ...file, [MARK]: 'yes' };
}

export function isReport(file: IBinaryData | undefined): boolean {
	return file?.[MARK] !== undefined;
}

function quoteFields(names: string[]): string {
	return plainText(names.map((name) => `'${name}'`).join(', '));
}

/** Sorts attachment_2 before attachment_10. */
const NATURAL_ORDER = new Intl.Collator('en', { numeric: true });

/** Each field once that a pattern names or matches, and the names that are missing. A pattern with an asterisk matches only `documents`. */
export function selectFieldNames(patterns: string[], present: string[], documents = present) {
	const isWildcard = (pattern: string) => pattern.includes('*');
	const selected = patterns.flatMap((pattern) =>
		isWildcard(pattern)
			? documents.filter(matcherOf(pattern)).toSorted(NATURAL_ORDER.compare)
			: [pattern],
	);
	const missing = patterns.filter((name) => !present.includes(name) && !isWildcard(name));
	return { fieldNames: [...new Set(selected)].filter((name) => present.includes(name)), missing };
}

/** Why a file is not sent; undefined when it is sent. `json` is that of its item, which may be a mail. */
function inspect(
	{ document: { fieldName, fileName, bytes }, head, skip }: OpenedDocument,
	{ patterns, fileNames, includeInlineImages }: DocumentChoice,
	json: INodeExecutionData['json'],
): Skip | undefined {
	// No filter skips it silently, because nobody knows what is in it.
	if (skip !== undefined && ruleOf(skip).unusable) return skip;
	if (!matchesOne(fileName, fileNames))
		return { reason: 'otherName', detail: fileNames.join(', ') };
	// From here on, a file whose field the user names exactly is a document in any case.
	const isNamed = patterns.includes(fieldName);
	if (!isNamed && skip !== undefined) return skip;
	if (!isNamed && !includeInlineImages && isInlineImage({ fileName, bytes, head }, json))
		return { reason: 'inlineImage' };
	if (bytes === 0) return { reason: 'empty' };
	const detail = contradiction(fileName, head);
	return detail === undefined ? undefined : { reason: 'misnamed', detail };
}

/** Whether a text matches one of the patterns; any text if there is none. */
export function matchesOne(text: string, patterns: string[]): boolean {
	return patterns.length === 0 || patterns.some((pattern) => matcherOf(pattern)(text));
}

/** Matches a pattern with *, ignoring case. Not by a regular expression: several .* could take very long. */
export function matcherOf(pattern: string): (text: string) => boolean {
	const [first = '', ...between] = pattern.toLowerCase().split('*');
	const last = between.pop();
	return (given) => {
		const text = given.toLowerCase();
		if (last === undefined) return text === first;
		if (!text.startsWith(first) || !text.endsWith(last)) return false;
		let from = first.length;
		for (const part of between) {
			const found = text.indexOf(part, from);
			if (found < 0) return false;
			from = found + part.length;
		}
		return from <= text.length - last.length;
	};
}
