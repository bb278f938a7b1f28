import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../../../service/contract';
import { isRecord } from '../../../../service/contract';
import type { Path } from '../path';
import { partsOf, valueAt } from '../path';
import { valuesToReview } from '../toReview';

/** An output item as its review needs it. */
export interface ReviewItem {
	/** What the paths in `lowConfidenceFields` begin at. */
	values: IDataObject;
	/** What is known beside the values, such as `executionId`. */
	details: IDataObject;
	/** The whole path to a value, as people read it. */
	pathTo: (parts: Path) => Path;
	/** The item with other values and details; a detail that is undefined is removed. */
	with: (values: IDataObject, details: IDataObject) => IDataObject;
}

/** Reads Simplified, and rows with their details. Undefined for any other item. */
export function readReviewItem(json: IDataObject): ReviewItem | undefined {
	const { data, step, row, executionId, reviewForm, executionDetails } = json;
	if (typeof step === 'string' && typeof row === 'number' && isRecord(executionDetails))
		return {
			values: json,
			details: { ...executionDetails, executionId, reviewForm },
			pathTo: (parts) => [step, row - 1, ...parts],
			with: (values, { needsReview, reviewForm: form, ...details }) =>
				merged(values, {
					...(needsReview === undefined ? {} : { needsReview }),
					...('lowConfidenceFields' in details ? { toReview: toReviewAfter(json, details) } : {}),
					executionDetails: merged(executionDetails, details),
					reviewForm: form,
				}),
		};
	if (!isRecord(data) || !('needsReview' in json)) return undefined;
	return {
		values: data,
		details: json,
		pathTo: ([name = '', index, ...parts]) => {
			const rows = data[name];
			const isOnly = index === 0 && Array.isArray(rows) && rows.length === 1;
			return isOnly || index === undefined ? [name, ...parts] : [name, index, ...parts];
		},
		with: (values, details) => merged({ ...json, data: values }, details),
	};
}

/** The other reasons stay, and the values that are left to check come behind them. */
function toReviewAfter({ toReview, executionDetails }: IDataObject, details: IDataObject): Json {
	const before = isRecord(executionDetails) ? valuesToReview(executionDetails) : '';
	const text = typeof toReview === 'string' ? toReview : '';
	const others = text.endsWith(before) ? text.slice(0, text.length - before.length) : text;
	return (others + valuesToReview(details)).replace(/\. $/, '') || null;
}

function merged(known: IDataObject, details: IDataObject): IDataObject {
	const all = Object.entries({ ...known, ...details });
	return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** A value that a person can check in one field of a form. */
export interface Question {
	/** Its path, as in `lowConfidenceFields`. */
	field: string;
	parts: Path;
	value: string | number | boolean | null;
	/** What an answer should be; another one than the value is where an earlier answer was none. */
	type: 'number' | 'boolean' | 'text';
	confidence: Json | undefined;
}

/** So many fields fit into one form (assumed). */
const MAX_QUESTIONS = 50;

/** In characters. Longer texts would be changed by accident rather than corrected (assumed). */
const MAX_VALUE = 2000;

/** The values of an item to ask for, and the entries of `lowConfidenceFields` that do not fit into a form. */
export function questionsIn({ values, details }: ReviewItem): {
	questions: Question[];
	rest: IDataObject[];
} {
	const { lowConfidenceFields: low } = details;
	const questions: Question[] = [];
	const rest: IDataObject[] = [];
	const entries: unknown[] = Array.isArray(low) ? low : [];
	for (const entry of entries.filter(isRecord)) {
		const { value, confidence } = entry;
		const field = typeof entry.field === 'string' ? entry.field : '';
		const parts = partsOf(field);
		const isAskable =
			isPlain(value) &&
			isPlain(valueAt(values as Json, parts)) &&
			String(value).length <= MAX_VALUE;
		if (isAskable && questions.length < MAX_QUESTIONS)
			questions.push({ field, parts, value, type: typeOf(entry), confidence });
		else rest.push(entry);
	}
	return { questions, rest };
}

function isPlain(value: Json | undefined): value is Question['value'] {
	return value !== undefined && (typeof value !== 'object' || value === null);
}

function typeOf({ type, value }: IDataObject): Question['type'] {
	return [type, typeof value].find((each) => each === 'number' || each === 'boolean') ?? 'text';
}
