import type { IDataObject } from 'n8n-workflow';

import { isRecord, type Json } from '../../../../service/contract';
import { partsOf, type Path, valueAt } from '../path';
import { valuesToReview } from '../toReview';
import type { ValueType } from '../values/convert';

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
					...('lowConfidenceFields' in details
						? { toReview: toReviewAfter(json.toReview, executionDetails, details) }
						: {}),
					executionDetails: merged(executionDetails, details),
					reviewForm: form,
				}),
		};
	if (!isRecord(data) || !('needsReview' in json)) return undefined;
	const pathTo = ([name = '', index, ...parts]: Path) => {
		const rows = data[name];
		const isOnly = index === 0 && Array.isArray(rows) && rows.length === 1;
		return isOnly || index === undefined ? [name, ...parts] : [name, index, ...parts];
	};
	return {
		values: data,
		details: json,
		pathTo,
		with: (values, details) =>
			merged(
				{ ...json, data: values },
				'lowConfidenceFields' in details
					? { ...details, toReview: toReviewAfter(json.toReview, json, details, pathTo) }
					: details,
			),
	};
}

/** The other reasons stay, and the values that are left to check come behind them. */
function toReviewAfter(
	toReview: unknown,
	before: IDataObject,
	after: IDataObject,
	pathTo?: ReviewItem['pathTo'],
): Json {
	const [values, left] = [before, after].map((lists) => valuesToReview(lists, pathTo));
	const text = typeof toReview === 'string' ? toReview : '';
	const others = text.endsWith(values ?? '')
		? text.slice(0, text.length - (values ?? '').length)
		: text;
	return (others + (left ?? '')).replace(/\. $/, '') || null;
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
	type: ValueType | 'text';
	confidence: Json | undefined;
	/** Why it is asked for, where that is not its confidence. */
	reason: string | undefined;
}

/** The lists of values to review, those first that say what a value should be. */
export const LISTS = ['missingFields', 'unconvertedFields', 'lowConfidenceFields'] as const;

export type Rest = Record<(typeof LISTS)[number], IDataObject[]>;

/** So many fields fit into one form (assumed). */
const MAX_QUESTIONS = 50;

/** In characters. Longer texts would be changed by accident rather than corrected (assumed). */
const MAX_VALUE = 2000;

/** The values of an item to ask for, and by list the entries that do not fit into a form. */
export function questionsIn({ values, details }: ReviewItem): {
	questions: Question[];
	rest: Rest;
} {
	const questions = new Map<string, Question>();
	const rest: Rest = { missingFields: [], unconvertedFields: [], lowConfidenceFields: [] };
	for (const list of LISTS)
		for (const entry of [details[list]].flat().filter(isRecord)) {
			const { value, confidence, reason } = entry;
			const field = typeof entry.field === 'string' ? entry.field : '';
			const parts = partsOf(field);
			const isAskable =
				isPlain(value) &&
				isPlain(valueAt(values as Json, parts)) &&
				String(value).length <= MAX_VALUE;
			const known = { confidence, reason: typeof reason === 'string' ? reason : undefined };
			if (!isAskable || (questions.size === MAX_QUESTIONS && !questions.has(field)))
				rest[list].push(entry);
			else if (!questions.has(field))
				questions.set(field, { field, parts, value, type: typeOf(entry), ...known });
		}
	return { questions: [...questions.values()], rest };
}

function isPlain(value: Json | undefined): value is Question['value'] {
	return value !== undefined && (typeof value !== 'object' || value === null);
}

const TYPES = ['number', 'boolean', 'date'] as const;

function typeOf({ type, value }: IDataObject): Question['type'] {
	const given = TYPES.find((each) => each === type) ?? TYPES.find((each) => each === typeof value);
	return given ?? (typeof value === 'string' && isDate(value) ? 'date' : 'text');
}

/** As converted dates are written. */
export function isDate(text: string): boolean {
	if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/.test(text)) return false;
	const date = new Date(text.slice(0, 10));
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}
