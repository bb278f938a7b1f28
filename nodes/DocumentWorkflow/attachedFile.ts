import type { IBinaryData } from 'n8n-workflow';

/** n8n keeps a field that it does not know with the file, also through other nodes. */
const FIELD = 'attachedBy';
const PACKAGE = 'n8n-nodes-document-workflow';

/** Marks a file that this package adds to its output, such as a report. */
export function asAttached(file: IBinaryData): IBinaryData {
	return { ...file, [FIELD]: PACKAGE };
}

/** Whether this package made the file. A wildcard does not send it: it is no document of the user. */
export function isAttached(file: IBinaryData | undefined): boolean {
	return file?.[FIELD] === PACKAGE;
}
