import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Filters } from './filters';
import { reasonToSkip } from './filters';
import { isInlineImage } from './inlineImages';
import { inputItem } from './inputItems';
import type { OpenedDocument } from './open';
import { needsPassword } from './pdf/needsPassword';
import { contradiction } from './types/mediaTypes';

/** What to do with a document that fails a check. */
export type Treatment = 'refuse' | 'skip' | 'send';

/** How to inspect documents, as set in the panel. */
export interface Checks {
	filters: Filters;
	skipInlineImages: boolean;
	emptyDocuments: Exclude<Treatment, 'send'>;
	mislabelledDocuments: Treatment;
	lockedPdfs: Treatment;
}

/**
 * Returns why a document is skipped; undefined when it is sent.
 * @throws NodeOperationError naming the field and the file when the item fails instead
 */
export async function inspect(
	context: IExecuteFunctions,
	opened: OpenedDocument,
	checks: Checks,
): Promise<string | undefined> {
	const { document, head } = opened;
	const { itemIndex, fieldName, fileName, bytes } = document;
	const treat = (treatment: Treatment, what: string, advice: string): string | undefined => {
		if (treatment === 'send') return undefined;
		if (treatment === 'skip') return what;
		throw new NodeOperationError(
			context.getNode(),
			`The file in '${fieldName}' (${fileName}) is not sent: ${what}`,
			{ itemIndex, description: advice },
		);
	};
	const filtered = reasonToSkip(document, checks.filters);
	if (filtered !== undefined) return filtered;
	if (
		checks.skipInlineImages &&
		isInlineImage({ fileName, bytes, head }, inputItem(context, itemIndex).json)
	) {
		return 'it is an inline image of the mail';
	}
	if (bytes === 0) {
		return treat(
			checks.emptyDocuments,
			'it is empty',
			"Check why the previous node outputs an empty file, or change 'On Empty File' under 'Document Options'",
		);
	}
	const differs =
		checks.mislabelledDocuments === 'send' ? undefined : contradiction(fileName, head);
	if (differs !== undefined && !(isImage(differs.claimed) && isImage(differs.found))) {
		const what = `its name says ${differs.claimed}, its content is ${differs.found}`;
		return treat(
			checks.mislabelledDocuments,
			what,
			"Check the file, or change 'On Type Mismatch' under 'Document Options'",
		);
	}
	if (checks.lockedPdfs !== 'send' && (await isLockedPdf(opened))) {
		return treat(
			checks.lockedPdfs,
			'it is a password-protected PDF',
			"Ask the sender for a copy without a password, or change 'On Password-Protected PDF' under 'Document Options'",
		);
	}
	return undefined;
}

async function isLockedPdf({ document, head, content }: OpenedDocument): Promise<boolean> {
	if (!Buffer.from(head.buffer, head.byteOffset, head.length).includes('%PDF-')) return false;
	return needsPassword(() => (content === undefined ? document.open() : wholly(content)));
}

async function* wholly(content: Uint8Array): AsyncGenerator<Uint8Array> {
	yield content;
}

/** Images often have the extension of another image format, and all image readers accept that. */
function isImage(kind: string): boolean {
	return kind.endsWith(' image');
}
