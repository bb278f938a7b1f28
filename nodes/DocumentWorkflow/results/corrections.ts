import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { excerptOf, plainText } from '../../../service/text';
import { withValueAt } from './path';
import {
	executionLine,
	HEAD,
	labelsOf,
	OTHER_REASON,
	readFromForm,
	REVIEWER,
	withReviewForm,
} from './reviewForm';
import type { Question, ReviewItem } from './reviewItem';
import { questionsIn, readReviewItem } from './reviewItem';

export interface Refused {
	ok: false;
	message: string;
	advice: string;
}

export interface Corrected {
	ok: true;
	json: IDataObject;
	/** Fields that were a number or true or false, and are text now. */
	asText: string[];
}

/** The item with the answers of its form in place of the values; `at` is the time in ISO 8601. */
export function correctedItem(
	original: IDataObject,
	input: IDataObject,
	at: string,
): Corrected | Refused {
	const item = readReviewItem(original);
	if (item === undefined)
		return refuse(
			`'Original Item' is not a reviewed item of a Document Workflow node. It has ${found(original)}`,
			"Map the item that had the form, e.g. {{ $('Create and Wait').item }}, with Simplified or One Item per Row under 'Output'",
		);
	const { reviewForm } = item.details;
	const { questions, rest } = questionsIn(item);
	if (typeof reviewForm !== 'string' || questions.length === 0)
		return refuse(
			"'Original Item' has no review form",
			"In the node that returned the item, add 'Review Form' under 'Output Options'. Send only items that have a form here",
		);
	const answers = readAnswers(item, questions, input);
	if (!answers.ok) return answers;
	const { changes, confirmed, values, asText } = compared(item, questions, answers.texts);
	const earlier = isRecord(item.details.review) ? item.details.review : {};
	const hasOtherReason = reviewForm.includes(OTHER_REASON);
	const json = item.with(values, {
		needsReview: rest.length > 0 || hasOtherReason,
		lowConfidenceFields: rest,
		review: {
			by: answers.by,
			at,
			changes: [...listIn(earlier.changes), ...changes],
			confirmed: [...listIn(earlier.confirmed), ...confirmed],
		},
		reviewForm: undefined,
	});
	// Values that did not fit into this form may fit into another one.
	return { ok: true, json: withReviewForm(json, hasOtherReason), asText };
}

function refuse(message: string, advice: string): Refused {
	return { ok: false, message, advice };
}

function listIn(value: Json | undefined): Json[] {
	return Array.isArray(value) ? value : [];
}

interface Answers {
	ok: true;
	/** In the order of the questions. */
	texts: string[];
	by: string | null;
}

/** Send and Wait nodes return the answers in `data`. */
function readAnswers(
	item: ReviewItem,
	questions: Question[],
	input: IDataObject,
): Answers | Refused {
	const labels = labelsOf(item, questions);
	const answers = [input, input.data]
		.filter(isRecord)
		.find((each) => labels.some((label) => Object.hasOwn(each, label)));
	if (answers === undefined)
		return refuse(
			`The input item has no answers to the review form. It has ${found(input)}`,
			`Connect this node behind the form. 'Form Fields' of the form must be the review form alone: {{ $json.reviewForm }}, or in rows {{ $json._reviewForm }}. The first answer is expected under "${labels[0] ?? ''}". In a loop, 'Original Item' must be the item of the same round`,
		);
	const executionId = excerptOf(item.details.executionId);
	if (typeof answers[HEAD] === 'string' && !answers[HEAD].includes(executionLine(executionId)))
		return refuse(
			`The answers are about another execution: ${plainText(answers[HEAD].replace(/<[^<>]*>/g, ' '))}`,
			`'Original Item' is of execution ${executionId}. Map the item that had the form`,
		);
	const texts = labels.map((label) => textOf(answers[label]));
	const missing = texts.indexOf(undefined);
	if (missing >= 0)
		return refuse(
			`The input item has no answer for "${labels[missing] ?? ''}"`,
			"Set 'Form Fields' of the form to the review form alone, e.g. {{ $json.reviewForm }}. Under 'Original Item', map the item that has this review form",
		);
	const user = isRecord(answers.user) ? textOf(answers.user.email) : undefined;
	const by = [textOf(answers[REVIEWER]), user].find(Boolean);
	return {
		ok: true,
		texts: texts.map((text) => text ?? ''),
		by: by === undefined ? null : readFromForm(by),
	};
}

function textOf(answer: unknown): string | undefined {
	return typeof answer === 'string' ? answer : undefined;
}

/** The fields of an item, for an error message. */
function found(json: IDataObject): string {
	const names = Object.keys(json);
	if (names.length === 0) return 'no fields';
	return `the fields ${plainText(names.slice(0, 10).join(', '), [], 200)}`;
}

function compared(
	item: ReviewItem,
	questions: Question[],
	texts: string[],
): { values: IDataObject; changes: Json[]; confirmed: string[]; asText: string[] } {
	let { values } = item;
	const changes: Json[] = [];
	const confirmed: string[] = [];
	const asText: string[] = [];
	for (const [index, { field, parts, value }] of questions.entries()) {
		const to = answered(value, texts[index] ?? '');
		// A confirmed value is put in place too, because it may have been set to null.
		values = withValueAt(values, parts, to);
		if (to === value) confirmed.push(field);
		else changes.push({ field, from: value, to });
		if (typeof to === 'string' && typeof value !== 'string' && value !== null) asText.push(field);
	}
	return { values, changes, confirmed, asText };
}

/** At most 15 characters: more digits may not be exact as a number. */
const NUMBER = /^[+-]?(?=[\d.]{1,15}$)\d+(?:\.\d+)?$/;

/** `18.520` is 18,520 in many countries. */
const MAY_BE_THOUSANDS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

function isNumber(answer: string, before: number): boolean {
	const hadThreeDecimals = /\.\d{3}/.test(String(before));
	return NUMBER.test(answer) && (hadThreeDecimals || !MAY_BE_THOUSANDS.test(answer));
}

/** The value of an answer, of the type of the value that was asked for where the text allows it. */
function answered(value: Question['value'], answer: string): Question['value'] {
	const text = readFromForm(answer).replace(/\r\n?/g, '\n');
	if (submitted(text) === submitted(value === null ? '' : String(value))) return value;
	if (typeof value === 'string')
		return value.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
	const trimmed = text.trim();
	if (trimmed === '') return null;
	if (typeof value === 'number' && isNumber(trimmed, value)) return Number(trimmed);
	if (typeof value === 'boolean' && /^(?:true|false)$/i.test(trimmed))
		return trimmed.toLowerCase() === 'true';
	return text;
}

/** A text as a form returns it: a browser changes line breaks and characters that are none, n8n trims. */
function submitted(text: string): string {
	return text
		.replace(/\r\n?/g, '\n')
		.replace(/[\0\p{Cs}]/gu, '\ufffd')
		.trim();
}
