import type { IBinaryData } from 'n8n-workflow';

/**
 * n8n's nodes pass the record of a file on as it is, and keep fields that they do not know. A file name or a media type could belong to
 * a document as well.
 */
const MARK = 'documentWorkflowReport';

/** Marks a file as a report of this package, so that it is not sent as a document. */
export function asReport(file: IBinaryData): IBinaryData {
	return { ...file, [MARK]: 'yes' };
}

/** Whether a file is a report that this package attached to an item. */
export function isReport(file: IBinaryData | undefined): boolean {
	return file?.[MARK] !== undefined;
}
