/** The rows of a step, from the documents that were sent. */
import type { Step } from '../configuration';
import { allLines, type ReadDocument } from './document';
import { findFields, type Row } from './fields';
import { findTableRows } from './tables';

/**
 * One row per document. With a table: one row per line of the table, each with the document's own fields beside it;
 * a document without such lines gives one row when the step has fields too, else none.
 */
export function rowsOfStep(documents: ReadDocument[], step: Step): Row[] {
	return documents.flatMap((document) => rowsOfDocument(document, step));
}

function rowsOfDocument(document: ReadDocument, { fields, table, asWritten }: Step): Row[] {
	const lines = allLines(document);
	const shared = findFields(lines, fields, asWritten);
	if (!table) return [shared];
	const rows = findTableRows(lines, table, asWritten).map((row) => ({ ...shared, ...row }));
	return rows.length === 0 && fields.length > 0 ? [shared] : rows;
}
