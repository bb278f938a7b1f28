import { createHash } from 'crypto';

import { plainText } from '../../../service/text';
import { shownAddress } from '../documents/addresses';
import type { Submission } from './submission';
import { knownOf } from './submission';

/** What a create is about. */
export interface Sending {
	workflowId: string;
	/** The first input item that it came from. */
	itemIndex: number;
	/** A hash of what is sent. An earlier try counts only if it sent the same. */
	sent: string;
	/** The user's own identifier; empty when there is none. */
	externalId: string;
	/** The names of its documents, in short. */
	files: string;
}

/** The journal's record of a submission, the same for each try. Addresses count without signatures, which may differ in each try. */
export function sendingOf(submission: Submission): Sending {
	const { workflowId, itemIndexes, fileUrls, documents } = submission;
	const { externalId } = knownOf(submission);
	return {
		workflowId,
		itemIndex: itemIndexes[0] ?? 0,
		sent: markOf([
			workflowId,
			itemIndexes,
			fileUrls.map(shownAddress),
			documents.map(({ fileName, mediaType, reference }) => [fileName, mediaType, reference]),
		]),
		externalId: externalId === undefined ? '' : plainText(JSON.stringify(externalId)),
		files: namesOf(submission),
	};
}

/** The names of documents in a line of the log or of an error. */
const MAX_NAMED = 3;
const LONGEST_NAME = 60;

function namesOf({ documents, fileUrls }: Submission): string {
	const names = [...documents.map(({ fileName }) => fileName), ...fileUrls.map(shownAddress)];
	const shown = names.slice(0, MAX_NAMED).map((name) => plainText(name, [], LONGEST_NAME));
	const more = names.length - shown.length;
	return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Item, documents and the user's own identifier of a create, in one line. */
export function describeSending({ itemIndex, files, externalId }: Sending): string {
	return [
		`item ${itemIndex}${files === '' ? '' : ` (${files})`}`,
		...(externalId === '' ? [] : [`External ID ${externalId}`]),
	].join(', ');
}

/** A hash of some JSON content. */
export function markOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
