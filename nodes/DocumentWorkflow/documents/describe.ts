import type { IDataObject } from 'n8n-workflow';

import { shownAddress } from './addresses';
import type { SentDocument } from './sent';

/** The sent documents for the output. `sha256` (hexadecimal) is the hash of the sent bytes. */
export function describeSent(files: SentDocument[], fileUrls: string[]): IDataObject[] {
	return [
		...files.map(({ document, sha256 }) => ({
			fileName: document.fileName,
			mediaType: document.mediaType,
			bytes: document.bytes,
			sha256: sha256 ?? null,
			itemIndex: document.itemIndex,
			fieldName: document.fieldName,
		})),
		...fileUrls.map((url) => ({ address: shownAddress(url) })),
	];
}
