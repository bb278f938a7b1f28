import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord } from '../../../service/contract';
import type { JudgedFields, LowConfidenceField } from './cells';
import type { OpenField } from './asked';
import { partsOf, type Path, placeOf, recordOf, shortened, textOf } from './path';

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
	place: Path = [],
	lists: Lists = { lowConfidenceFields: [], unconvertedFields: [], missingFields: [] },
): Lists {
	for (const { name, found } of fields)
		for (const each of found) {
			if (each.kind !== 'low' && each.kind !== 'open') continue;
			const field = textOf([...place, name]) + each.within;
			const path = shortened([...place, name, ...partsOf(each.within)]);
			const { value } = each;
			if (each.kind === 'low') {
				lists.lowConfidenceFields.push({ field, path, value, confidence: each.confidence });
				continue;
			}
			const { isMissing, needed: type } = each;
			if (isMissing) lists.missingFields.push({ field, path, step, value, type, reason: MISSING });
			else lists.unconvertedFields.push({ field, path, step, value, type, reason: NOT[type] });
		}
	return lists;
}

export function absent(field: string): OpenField {
	return { field, path: [], step: null, value: null, type: 'text', reason: MISSING };
}

/** What a person has to know of some values before they are used. */
export interface Review {
	needsReview: boolean;
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
