import type { IBinaryData, IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { plainText } from '../../../service/text';
import type { Place } from '../panel/options';
import { errorAt } from '../panel/options';
import { inputItem, isReport } from './inputItems';
import { inspect } from './inspect';
import type { InputDocument } from './open';
import { openDocument } from './open';
import { matcherOf } from './patterns';

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

interface SelectedDocuments {
	documents: InputDocument[];
	skipped: SkippedDocument[];
}

/**
 * Selects and inspects the documents of an item, before anything is sent.
 * @throws NodeOperationError naming the field and the file, and the fields that the item has
 */
export async function selectDocuments(
	context: IExecuteFunctions,
	itemIndex: number,
	choice: Choice,
): Promise<SelectedDocuments> {
	const place = { context, itemIndex };
	const { json, binary = {} } = inputItem(context, itemIndex);
	const selected: SelectedDocuments = { documents: [], skipped: [] };
	for (const [fieldName, file] of filesToSend(place, binary, choice.patterns)) {
		const opened = await openDocument(context, itemIndex, fieldName, file);
		const { fileName } = opened.document;
		const isNamed = choice.patterns.includes(fieldName);
		const finding = inspect(opened, { ...choice, json, isNamed });
		if (finding?.unusable === true && choice.unusableFiles === 'fail')
			throw errorAt(
				place,
				`The file in '${fieldName}' (${fileName}) is not sent: ${finding.reason}`,
				"Check the file, or change 'On Unusable File' under 'Document Options'",
			);
		if (finding === undefined) selected.documents.push(opened.document);
		else selected.skipped.push({ itemIndex, fieldName, fileName, ...finding });
	}
	return selected;
}

function filesToSend(
	place: Place,
	files: IBinaryKeyData,
	patterns: string[],
): Array<[fieldName: string, file: IBinaryData]> {
	const present = inNaturalOrder(Object.keys(files));
	const documents = present.filter((name) => !isReport(files[name]));
	if (patterns.length === 0 && documents.length > 0)
		throw errorAt(
			place,
			`'Input Data Field Name' is empty, and the input item has files: ${listed(documents)}`,
			"Enter the names of the fields to send, or * for all files; or choose 'Text Inputs Only' under 'Documents'",
		);
	const { fieldNames, missing } = selectFieldNames(patterns, present, documents);
	const missingFiles = fieldNames.length === 0 ? patterns : missing;
	const allowsNone = fieldNames.length === 0 && documents.length === 0;
	if (missingFiles.length > 0 && !allowsNone)
		throw errorAt(
			place,
			`The input item has no ${missingFiles.length === 1 ? 'file' : 'files'} in ${listed(missingFiles)}`,
			`Its files are in ${listed(present)}. Change 'Input Data Field Name'`,
		);
	return fieldNames.flatMap((name): Array<[string, IBinaryData]> => {
		const file = files[name];
		return file === undefined ? [] : [[name, file]];
	});
}

function listed(names: string[]): string {
	return plainText(names.map((name) => `'${name}'`).join(', '));
}

const NATURAL_ORDER = new Intl.Collator('en', { numeric: true });

/** Sorts attachment_2 before attachment_10. */
function inNaturalOrder(names: string[]): string[] {
	return [...names].sort(NATURAL_ORDER.compare);
}

interface FieldSelection {
	/** Each field once, in the order of the patterns. Matches of a wildcard are in natural order. */
	fieldNames: string[];
	/** Names without a wildcard that the item does not have. */
	missing: string[];
}

/**
 * Finds fields by names and wildcards; * matches any text. The exact name of a field selects that field, even with an
 * asterisk in it. Wildcards match only `documents`.
 */
export function selectFieldNames(
	patterns: string[],
	present: string[],
	documents = present,
): FieldSelection {
	const selected = new Set<string>();
	const missing: string[] = [];
	for (const pattern of patterns) {
		if (present.includes(pattern)) {
			selected.add(pattern);
		} else if (pattern.includes('*')) {
			const matches = matcherOf(pattern);
			for (const name of inNaturalOrder(documents.filter(matches))) selected.add(name);
		} else {
			missing.push(pattern);
		}
	}
	return { fieldNames: [...selected], missing };
}
