import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../service/contract';
import { idOf } from './reportValue';
import type { JudgedRow } from './judgement';

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

/** Limits of a page that goes out by mail (assumed). */
const MAX_ROWS = 1_000;
const MAX_FIELDS = 5_000;
const MAX_FIELDS_PER_ROW = 200;

/** The first rows, each with its first fields, as far as the limits of the page allow. */
export function withinLimits(all: JudgedRow[]): { rows: JudgedRow[]; fieldsLeftOut: number } {
	let total = 0;
	let fieldsLeftOut = 0;
	const rows: JudgedRow[] = [];
	for (const view of all) {
		const count = view.fields.size;
		const kept = Math.min(count, MAX_FIELDS_PER_ROW);
		total += kept;
		if (rows.length === MAX_ROWS || total > MAX_FIELDS) break;
		fieldsLeftOut += count - kept;
		const fields = new Map([...view.fields].slice(0, kept));
		rows.push(count === kept ? view : { ...view, fields });
	}
	return { rows, fieldsLeftOut };
}

/** Says what a page lacks; empty when it has everything. */
export function leftOutInWords(
	counts: Array<[count: number, one: string, several?: string]>,
): string {
	const parts = counts
		.filter(([count]) => count > 0)
		.map(([count, one, several = `${one}s`]) => `${count} ${count === 1 ? one : several}`);
	return parts.length === 0
		? ''
		: `Not shown here: ${parts.join(', ')}. The CSV report has all rows`;
}
