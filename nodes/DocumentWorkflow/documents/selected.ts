import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Choice, Treatment } from './choice';
import { reasonToSkip } from './filters';
import { isInlineImage } from './inlineImages';
import type { InputDocument, OpenedDocument } from './inputDocuments';
import { openDocument } from './inputDocuments';
import { contradiction } from './mediaTypes';
import { needsPassword } from './pdf/needsPassword';
import { inNaturalOrder, isWildcard, selectFieldNames } from './selection';

/** A document that is not sent, and why. */
export interface SkippedDocument extends IDataObject {
	itemIndex: number;
	fieldName: string;
	fileName: string;
	reason: string;
}

export interface SelectedDocuments {
	documents: InputDocument[];
	skipped: SkippedDocument[];
}

/**
 * Which documents of an item go out. Everything that is to be refused is refused here, before anything is sent.
 * @throws NodeOperationError naming the field and the file, and what the item holds instead
 */
export async function selectDocuments(
	context: IExecuteFunctions,
	itemIndex: number,
	choice: Choice,
): Promise<SelectedDocuments> {
	const selected: SelectedDocuments = { documents: [], skipped: [] };
	for (const fieldName of fieldNamesOf(context, itemIndex, choice)) {
		const opened = await openDocument(context, itemIndex, fieldName);
		const reason = await look(context, opened, choice);
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
	const present = inNaturalOrder(Object.keys(context.getInputData()[itemIndex]?.binary ?? {}));
	if (patterns.length === 0 && present.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`'Input Data Field Name' is empty, and the input item carries files: ${present.map(quoted).join(', ')}`,
			{
				itemIndex,
				description:
					"Enter the names of those to send, or * for all files; or choose 'None, Only Text Inputs' under 'Documents'",
			},
		);
	}
	const { fieldNames, missing } = selectFieldNames(patterns, present);
	const mayBeNone =
		fieldNames.length === 0 && (withoutDocuments === 'skip' || withoutDocuments === 'send');
	const absent = fieldNames.length === 0 ? [...missing, ...patterns.filter(isWildcard)] : missing;
	if (absent.length === 0 || mayBeNone) return fieldNames;
	throw new NodeOperationError(
		context.getNode(),
		`The input item has no ${absent.length === 1 ? 'file' : 'files'} in ${absent.map(quoted).join(', ')}`,
		{
			itemIndex,
			description:
				present.length === 0
					? "The item carries no files at all. Connect a node that outputs files; or choose under 'Filters and Checks' what becomes of items without documents; or choose 'None, Only Text Inputs' under 'Documents'"
					: `Set 'Input Data Field Name' to what is there: ${present.map(quoted).join(', ')}`,
		},
	);
}

/** Why a document is to be skipped; undefined when it goes out. */
async function look(
	context: IExecuteFunctions,
	{ document, head }: OpenedDocument,
	choice: Choice,
): Promise<string | undefined> {
	const { itemIndex, fieldName, fileName, bytes } = document;
	const treat = (treatment: Treatment, what: string, advice: string): string | undefined => {
		if (treatment === 'send') return undefined;
		if (treatment === 'skip') return what;
		throw new NodeOperationError(
			context.getNode(),
			`The file in ${quoted(fieldName)} (${fileName}) is not sent: ${what}`,
			{ itemIndex, description: advice },
		);
	};
	const filtered = reasonToSkip(document, choice.filters);
	if (filtered !== undefined) return filtered;
	if (
		choice.skipInlineImages &&
		isInlineImage({ fileName, bytes, head }, context.getInputData()[itemIndex]?.json)
	) {
		return 'it is an image within the text of the mail';
	}
	if (bytes === 0) {
		return treat(
			choice.emptyDocuments,
			'it is empty',
			"Find out why the node before gives an empty file, or choose under 'Filters and Checks' to skip empty documents",
		);
	}
	const differs =
		choice.mislabelledDocuments === 'send' ? undefined : contradiction(fileName, head);
	if (differs !== undefined && !(isImage(differs.claimed) && isImage(differs.found))) {
		const what = `by its name it is ${differs.claimed}, by its content ${differs.found}`;
		return treat(
			choice.mislabelledDocuments,
			what,
			"Look at the file, or choose under 'Filters and Checks' what becomes of such documents",
		);
	}
	if (choice.lockedPdfs !== 'send' && (await isLockedPdf(document, head))) {
		return treat(
			choice.lockedPdfs,
			'it is a PDF that opens with a password only',
			"Ask the sender for a copy without a password, or choose under 'Filters and Checks' what becomes of such documents",
		);
	}
	return undefined;
}

async function isLockedPdf(document: InputDocument, head: Uint8Array): Promise<boolean> {
	return (
		Buffer.from(head.buffer, head.byteOffset, head.length).includes('%PDF-') &&
		(await needsPassword(() => document.open()))
	);
}

/** Images often carry the name of another kind of image, and every reader of images copes with that. */
function isImage(kind: string): boolean {
	return kind.endsWith(' image');
}

function quoted(name: string): string {
	return `'${name}'`;
}
