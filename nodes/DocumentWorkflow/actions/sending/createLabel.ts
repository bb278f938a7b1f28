import { createHash } from 'crypto';

import { plainText } from '../../../../service/text';
import { shownAddress } from '../../documents/addresses';
import type { Submission } from './submission';
import { knownOf } from './submission';

/** How a create is recognized: by a later try, and by a person in the log or in an error. */
export interface CreateLabel {
	workflowId: string;
	/** The first input item that it came from. */
	itemIndex: number;
	/** A hash of what is sent. An earlier try counts only if it sent the same. */
	hash: string;
	/** The user's own identifier; empty when there is none. */
	externalId: string;
	/** The names of its documents, in short. */
	files: string;
}

/** The label of a create, the same for each try. Addresses count without signatures, which may differ in each try. */
export function labelOf(submission: Submission): CreateLabel {
	const { workflowId, itemIndexes, fileUrls, documents } = submission;
	const { externalId } = knownOf(submission);
	return {
		workflowId,
		itemIndex: itemIndexes[0] ?? 0,
		hash: hashOf([
			workflowId,
			itemIndexes,
			fileUrls.map(shownAddress),
			documents.map(({ fileName, mediaType, reference }) => [fileName, mediaType, reference]),
		]),
		externalId: externalId === undefined ? '' : plainText(JSON.stringify(externalId)),
		files: namesOf(submission),
	};
}

/** Documents that are named, and characters of each name. */
const MAX_NAMED = 3;
const LONGEST_NAME = 60;

function namesOf({ documents, fileUrls }: Submission): string {
	const names = [...documents.map(({ fileName }) => fileName), ...fileUrls.map(shownAddress)];
	const shown = names.slice(0, MAX_NAMED).map((name) => plainText(name, [], LONGEST_NAME));
	const more = names.length - shown.length;
	return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A label in one line: item, documents and the user's own identifier. */
export function inOneLine({ itemIndex, files, externalId }: CreateLabel): string {
	return [
		`item ${itemIndex}${files === '' ? '' : ` (${files})`}`,
		...(externalId === '' ? [] : [`External ID ${externalId}`]),
	].join(', ');
}

/** A hash of some JSON content. */
export function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
