import type { IDataObject } from 'n8n-workflow';

import type { JudgedRow, Judgement, Review } from './judgement';
import { lowConfidenceIn, MISSING, openIn } from './lists';

/** The values to review, as output items list them. */
export type Lists = Pick<Judgement, 'lowConfidenceFields' | 'unconvertedFields' | 'missingFields'>;

export function listsOf({ fields, stepName }: Pick<JudgedRow, 'fields' | 'stepName'>): Lists {
	const open = openIn(fields, stepName);
	const lowConfidenceFields = lowConfidenceIn(fields);
	if (open.length === 0) return { lowConfidenceFields, unconvertedFields: [], missingFields: [] };
	return {
		lowConfidenceFields,
		unconvertedFields: open.filter(({ reason }) => reason !== MISSING),
		missingFields: open.filter(({ reason }) => reason === MISSING),
	};
}

/** The review in an output item. Each list is only there where it could have an entry. */
export function reviewFields(
	{ needsReview, lowestConfidence }: Review,
	{ lowConfidenceFields, unconvertedFields, missingFields }: Lists,
	{ isJudged, isRead }: Judgement,
): IDataObject {
	return {
		needsReview,
		...(isJudged ? { lowConfidenceFields } : {}),
		...(isRead ? { unconvertedFields, missingFields } : {}),
		...(isJudged ? { lowestConfidence } : {}),
	};
}
