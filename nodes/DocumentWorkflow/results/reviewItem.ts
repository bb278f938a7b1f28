import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { partsOf, valueAt } from './path';

/** An output item as its review needs it, whichever the output is. */
export interface ReviewItem {
	/** What the paths in `lowConfidenceFields` begin at. */
	values: IDataObject;
	/** What is known beside the values, such as `needsReview`, without the underscore of columns. */
	details: IDataObject;
	/** The item with other values and details; a detail that is undefined is removed. */
	with: (values: IDataObject, details: IDataObject) => IDataObject;
}

const MARK = 'needsReview';
const ROW_DETAILS = '_execution';

/** Reads Simplified, and rows with their details in one field or in columns; undefined where an item has no review. */
export function readReviewItem(json: IDataObject): ReviewItem | undefined {
	if (!(MARK in json)) return undefined;
	const inRow = json[ROW_DETAILS];
	if (isRecord(inRow))
		return {
			values: json,
			details: { ...inRow, needsReview: json[MARK] },
			with: (values, { needsReview = json[MARK], ...details }) => ({
				...values,
				needsReview,
				[ROW_DETAILS]: merged(inRow, details),
			}),
		};
	if ('_executionId' in json)
		return {
			values: json,
			details: renamed(json, (name) => {
				if (name === MARK) return [name];
				return name.startsWith('_') ? [name.slice(1)] : [];
			}),
			with: (values, details) =>
				merged(
					values,
					renamed(details, (name) => [name === MARK ? name : `_${name}`]),
				),
		};
	const { data } = json;
	if (!isRecord(data)) return undefined;
	return {
		values: data,
		details: json,
		with: (values, details) => merged({ ...json, data: values }, details),
	};
}

function renamed(from: IDataObject, rename: (name: string) => string[]): IDataObject {
	return Object.fromEntries(
		Object.entries(from).flatMap(([name, value]) => rename(name).map((other) => [other, value])),
	);
}

function merged(known: IDataObject, details: IDataObject): IDataObject {
	const all = Object.entries({ ...known, ...details });
	return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** A value that a person can check in one field of a form. */
export interface Question {
	/** Its path, as in `lowConfidenceFields`. */
	field: string;
	parts: Array<string | number>;
	value: string | number | boolean | null;
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
		const { field, value, confidence } = entry;
		const place = typeof field === 'string' ? field : '';
		const parts = partsOf(place);
		const isAskable = isPlain(value) && isPlain(valueAt(values, parts)) && isShort(value);
		if (isAskable && questions.length < MAX_QUESTIONS)
			questions.push({ field: place, parts, value, confidence });
		else rest.push(entry);
	}
	return { questions, rest };
}

function isPlain(value: Json | undefined): value is Question['value'] {
	return value !== undefined && (typeof value !== 'object' || value === null);
}

function isShort(value: Question['value']): boolean {
	return String(value).length <= MAX_VALUE;
}
