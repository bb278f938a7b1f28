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
	for (const [name, { low }] of fields)
		// Most fields have none, and then even an empty loop would take time.
		if (low.length > 0)
			for (const { within, value, confidence } of low)
				listed.push({ field: placeOf(place, name) + within, value, confidence });
	return listed;
}

/** The values that stayed text although they should not, or are missing. */
export function openIn(fields: JudgedFields, step: string | null, place = ''): OpenField[] {
	const listed: OpenField[] = [];
	for (const [name, { open }] of fields)
		if (open.length > 0)
			for (const { within, isMissing: isAbsent, value, needed: type } of open) {
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
	return [...fields].flatMap(([name, { evidence }]) =>
		evidence.map((each) => ({ field: placeOf('', name) + each.within, ...each.evidence })),
	);
}

/** The scores of the values that are made of cells. `place`: the path of the row. */
export function tableConfidenceIn(fields: JudgedFields, place = ''): TableConfidence[] {
	const listed: TableConfidence[] = [];
	for (const [name, { tables }] of fields)
		for (const { within, confidence } of tables)
			listed.push({ field: placeOf(place, name) + within, confidence });
	return listed;
}
