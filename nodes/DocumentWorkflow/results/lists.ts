import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord } from '../../../service/contract';
import type { JudgedFields, LowConfidenceField } from './cells';
import type { OpenField } from './asked';
import { placeOf, recordOf } from './path';

export function valuesIn(fields: JudgedFields): IDataObject {
	return recordOf(fields, ({ value }) => value);
}

export function confidenceIn(fields: JudgedFields): IDataObject {
	return recordOf(fields, ({ confidence }) => confidence);
}

const MISSING = 'No value';
const NOT = {
	number: 'Not a number in this style',
	date: 'Not a date in this style',
	boolean: 'Not yes or no',
	text: '',
};

export function evidenceIn(fields: JudgedFields): JsonRecord[] {
	return fields.flatMap(({ name, found }) =>
		found.flatMap((each) =>
			each.kind === 'evidence'
				? [{ field: placeOf('', name) + each.within, ...each.evidence }]
				: [],
		),
	);
}

/** The values to review, as output items list them. */
export interface Lists {
	lowConfidenceFields: LowConfidenceField[];
	/** Values that should be a number, a date, or yes or no, and stayed text. */
	unconvertedFields: OpenField[];
	/** Required values that are not there. */
	missingFields: OpenField[];
}

/** The values of a row to review. `place`: the path of the row; `lists`: what they are added to. */
export function listsOf(
	fields: JudgedFields,
	step: string | null,
	place = '',
	lists: Lists = { lowConfidenceFields: [], unconvertedFields: [], missingFields: [] },
): Lists {
	for (const { name, found } of fields)
		for (const each of found) {
			const field = placeOf(place, name) + each.within;
			if (each.kind === 'low')
				lists.lowConfidenceFields.push({ field, value: each.value, confidence: each.confidence });
			if (each.kind !== 'open') continue;
			const { isMissing, value, needed: type } = each;
			if (isMissing) lists.missingFields.push({ field, step, value, type, reason: MISSING });
			else lists.unconvertedFields.push({ field, step, value, type, reason: NOT[type] });
		}
	return lists;
}

export function absent(field: string): OpenField {
	return { field, step: null, value: null, type: 'text', reason: MISSING };
}

/** What a person has to know of some values before they are used. */
export interface Review {
	needsReview: boolean;
	/** Whether it needs review for more than single values of it. */
	hasOtherReason: boolean;
	lowestConfidence: number | null;
}

/** The values to review in an output item. Each list is only there where it could have an entry. */
export function reviewFields(
	{ lowestConfidence }: Review,
	{ lowConfidenceFields, unconvertedFields, missingFields }: Lists,
	{ isJudged, isRead }: { isJudged: boolean; isRead: boolean },
): IDataObject {
	return {
		...(isJudged ? { lowConfidenceFields } : {}),
		...(isRead ? { unconvertedFields, missingFields } : {}),
		...(isJudged ? { lowestConfidence } : {}),
	};
}
