import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { plainText } from '../../../service/text';
import { isReport } from './attached';
import { matcherOf } from './filters';
import type { Checks, Treatment } from './inspect';
import { inspect } from './inspect';
import type { InputDocument } from './open';
import { inputItem } from './inputItems';
import { openDocument } from './open';

/** Which documents of an input item to send, as set in the panel. */
export interface Choice extends Checks {
	/** Names of fields, and wildcards. */
	patterns: string[];
	/** For items without a document to send. `automatic` fails when no file matched, and skips when the filters left none. */
	withoutDocuments: 'automatic' | Treatment;
}

/** A document that is not sent, and why. */
export interface SkippedDocument extends IDataObject {
	itemIndex: number;
	fieldName: string;
	fileName: string;
	reason: string;
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
	const selected: SelectedDocuments = { documents: [], skipped: [] };
	for (const fieldName of fieldNamesOf(context, itemIndex, choice)) {
		const opened = await openDocument(context, itemIndex, fieldName);
		const reason = await inspect(context, opened, choice);
		const { fileName } = opened.document;
		if (reason === undefined) selected.documents.push(opened.document);
		else selected.skipped.push({ itemIndex, fieldName, fileName, reason });
	}
	return selected;
}

function fieldNamesOf(
	context: IExecuteFunctions,
	itemIndex: number,
	{ patterns, withoutDocuments }: Choice,
): string[] {
	const { binary: files = {} } = inputItem(context, itemIndex);
	const present = inNaturalOrder(Object.keys(files));
	const documents = present.filter((name) => !isReport(files[name]));
	if (patterns.length === 0 && documents.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`'Input Data Field Name' is empty, and the input item has files: ${listed(documents)}`,
			{
				itemIndex,
				description:
					"Enter the names of the fields to send, or * for all files; or choose 'Text Inputs Only' under 'Documents'",
			},
		);
	}
	const { fieldNames, missing } = selectFieldNames(patterns, present, documents);
	const mayBeNone =
		fieldNames.length === 0 && (withoutDocuments === 'skip' || withoutDocuments === 'send');
	const absent = fieldNames.length === 0 ? [...missing, ...patterns.filter(isWildcard)] : missing;
	if (absent.length === 0 || mayBeNone) return fieldNames;
	const [message, description] = whyAbsent(absent, present, documents);
	throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

/** Message and advice. `documents` are the files that are present, without those that this package attached. */
function whyAbsent(absent: string[], present: string[], documents: string[]): [string, string] {
	if (documents.length > 0)
		return [
			`The input item has no ${absent.length === 1 ? 'file' : 'files'} in ${listed(absent)}`,
			`Its files are in ${listed(documents)}. Change 'Input Data Field Name'`,
		];
	return [
		present.length === 0
			? 'The input item has no files'
			: `The input item has only files that this package attached: ${listed(present)}`,
		"Connect a node that outputs files. For items without files, change 'On No Documents' under 'Document Options', or 'Documents'",
	];
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
 * Finds fields by names and wildcards; * matches any text. The exact name of a field selects that field, even with an asterisk in it.
 * Wildcards match only `documents`.
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
		} else if (isWildcard(pattern)) {
			const matches = matcherOf(pattern);
			for (const name of inNaturalOrder(documents.filter(matches))) selected.add(name);
		} else {
			missing.push(pattern);
		}
	}
	return { fieldNames: [...selected], missing };
}

export function isWildcard(pattern: string): boolean {
	return pattern.includes('*');
}
