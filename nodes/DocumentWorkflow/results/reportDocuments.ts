import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { idOf } from './reportValue';

/** A document that was sent, or its address. */
export interface ReportedDocument {
	name: string;
	/** In hexadecimal digits; empty where it is not known. */
	sha256: string;
}

/** The documents among the fields of an output item. */
export function documentsIn({ documents }: IDataObject): ReportedDocument[] {
	return [documents].flat().flatMap((document) => {
		if (!isRecord(document)) return [];
		const name = idOf(document.fileName) || idOf(document.address);
		return name === '' ? [] : [{ name, sha256: idOf(document.sha256) }];
	});
}
