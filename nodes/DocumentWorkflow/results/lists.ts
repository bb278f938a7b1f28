import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord } from '../../../service/contract';
import type { JudgedFields, LowConfidenceField, TableConfidence } from './cells';
import type { OpenField } from './open';
import { placeOf, recordOf } from './path';

export function valuesIn(fields: JudgedFields): IDataObject {
	return recordOf(fields, ({ value }) => value);
}

export function confidenceIn(fields: JudgedFields): IDataObject {
	return recordOf(fields, ({ confidence }) => confidence);
}

/** `place`: the path of the row. */
export function lowConfidenceIn(fields: JudgedFields, place = ''): LowConfidenceField[] {
	const listed: LowConfidenceField[] = [];
	for (const [name, { found }] of fields)
		if (found !== undefined)
			for (const { within, value, confidence } of found.low)
				listed.push({ field: placeOf(place, name) + within, value, confidence });
	return listed;
}

/** The values that stayed text although they should not, or are missing. */
export function openIn(fields: JudgedFields, step: string | null, place = ''): OpenField[] {
	const listed: OpenField[] = [];
	for (const [name, { found }] of fields)
		if (found !== undefined)
			for (const { within, isMissing: isAbsent, value, needed: type } of found.open) {
				const reason = isAbsent ? MISSING : NOT[type];
				listed.push({ field: placeOf(place, name) + within, step, value, type, reason });
			}
	return listed;
}

export const MISSING = 'No value';
const NOT = {
	number: 'Not a number in this style',
	date: 'Not a date in this style',
	boolean: 'Not yes or no',
	text: '',
};

export function evidenceIn(fields: JudgedFields): JsonRecord[] {
	return [...fields].flatMap(([name, { found }]) =>
		(found?.evidence ?? []).map((each) => ({
			field: placeOf('', name) + each.within,
			...each.evidence,
		})),
	);
}

/** The scores of the values that are made of cells. `place`: the path of the row. */
export function tableConfidenceIn(fields: JudgedFields, place = ''): TableConfidence[] {
	const listed: TableConfidence[] = [];
	for (const [name, { found }] of fields)
		for (const { within, confidence } of found?.tables ?? [])
			listed.push({ field: placeOf(place, name) + within, confidence });
	return listed;
}

/** The values to review, as output items list them. */
export interface Lists {
	lowConfidenceFields: LowConfidenceField[];
	/** Values that should be a number, a date, or yes or no, and stayed text. */
	unconvertedFields: OpenField[];
	/** Required values that are not there. */
	missingFields: OpenField[];
}

export function listsOf(fields: JudgedFields, step: string | null): Lists {
	const open = openIn(fields, step);
	const lowConfidenceFields = lowConfidenceIn(fields);
	if (open.length === 0) return { lowConfidenceFields, unconvertedFields: [], missingFields: [] };
	return {
		lowConfidenceFields,
		unconvertedFields: open.filter(({ reason }) => reason !== MISSING),
		missingFields: open.filter(({ reason }) => reason === MISSING),
	};
}

/** What a person has to know of some values before they are used. */
export interface Review {
	needsReview: boolean;
	/** Whether it needs review for more than single values of it. */
	hasOtherReason: boolean;
	lowestConfidence: number | null;
}

/** The review in an output item. Each list is only there where it could have an entry. */
export function reviewFields(
	{ needsReview, lowestConfidence }: Review,
	{ lowConfidenceFields, unconvertedFields, missingFields }: Lists,
	{ isJudged, isRead }: { isJudged: boolean; isRead: boolean },
): IDataObject {
	return {
		needsReview,
		...(isJudged ? { lowConfidenceFields } : {}),
		...(isRead ? { unconvertedFields, missingFields } : {}),
		...(isJudged ? { lowestConfidence } : {}),
	};
}
