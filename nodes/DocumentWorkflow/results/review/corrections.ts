import type { IDataObject } from 'n8n-workflow';

import { isRecord, type Json } from '../../../../service/contract';
import { excerptOf, plainText } from '../../../../service/text';
import { errorAt, type Place } from '../../panel/options';
import { placeInWords, withValueAt } from '../path';
import {
	HEAD,
	isHeadOf,
	labelsOf,
	OTHER_REASON,
	readFromForm,
	REVIEWER,
	withReviewForm,
} from './form';
import { isDate, LISTS, type Question, questionsIn, readReviewItem, type ReviewItem } from './item';

export interface Corrected {
	json: IDataObject;
	/** The places of answers that should be a number, a date, or true or false. Their values stay to review. */
	unread: string[];
}

/**
 * The item with the answers of its form in place of the values; `at` is the time in ISO 8601.
 * @throws NodeOperationError when the answers and the item do not belong together
 */
export function correctedItem(
	place: Place,
	original: IDataObject,
	input: IDataObject,
	at: string,
): Corrected {
	const item = readReviewItem(original);
	if (item === undefined)
		throw errorAt(
			place,
			`'Original Item' has no review that answers could be put into. It has ${found(original)}`,
			"Map the item that had the form, e.g. the expression $('Create and Wait').item. " +
				"In that node, set 'Output' to Simplified or One Item per Row, and add 'Review Form'",
		);
	const { reviewForm, executionId, review: earlier } = item.details;
	const { questions, rest } = questionsIn(item);
	if (typeof reviewForm !== 'string' || questions.length === 0)
		throw errorAt(
			place,
			"'Original Item' has no review form",
			"In the node that returned the item, add 'Review Form' under 'Output Options'. " +
				'Send only items that have a form here',
		);
	const answers = readAnswers(place, labelsOf(item, questions), input, excerptOf(executionId));
	const { values, changes, confirmed, unread } = compared(item, questions, answers.texts);
	const lists = {
		...rest,
		lowConfidenceFields: [...unread.map(({ entry }) => entry), ...rest.lowConfidenceFields],
	};
	const left = LISTS.filter((name) => name === 'lowConfidenceFields' || name in item.details);
	const hasOtherReason = reviewForm.includes(OTHER_REASON);
	const before = isRecord(earlier) ? earlier : {};
	const json = item.with(values, {
		needsReview: hasOtherReason || LISTS.some((name) => lists[name].length > 0),
		...Object.fromEntries(left.map((name) => [name, lists[name]])),
		review: {
			by: answers.by,
			at,
			changes: [...listIn(before.changes), ...changes],
			confirmed: [...listIn(before.confirmed), ...confirmed],
		},
		reviewForm: undefined,
	});
	return {
		// What is still to review may fit into another form.
		json: withReviewForm(json, hasOtherReason),
		unread: unread.map(({ parts }) => placeInWords(item.pathTo(parts))),
	};
}

function listIn(value: Json | undefined): Json[] {
	return Array.isArray(value) ? value : [];
}

/** In the order of the labels. Send and Wait nodes return the answers in `data`. */
function readAnswers(place: Place, labels: string[], input: IDataObject, executionId: string) {
	const answers = [input, input.data]
		.filter(isRecord)
		.find((each) => labels.some((label) => Object.hasOwn(each, label)));
	const head = textOf(answers?.[HEAD]);
	if (head !== undefined && !isHeadOf(head, executionId))
		throw errorAt(
			place,
			`The answers are about another execution: ${plainText(head.replace(/<[^<>]*>/g, ' '))}`,
			`'Original Item' is of execution ${executionId}. Map the item that had the form`,
		);
	const texts = labels.map((label) => textOf(answers?.[label]));
	const missing = labels[texts.indexOf(undefined)];
	if (answers === undefined || missing !== undefined)
		throw errorAt(
			place,
			`The input item has no answer for "${missing ?? ''}". It has ${found(input)}`,
			"Connect this node behind the form. 'Form Fields' of the form must be the review form alone: " +
				'the expression $json.reviewForm. ' +
				"'Original Item' must be the item with this form, in a loop that of the same round",
		);
	const email = isRecord(answers.user) ? textOf(answers.user.email) : undefined;
	const by = [textOf(answers[REVIEWER]), email].find(Boolean);
	return {
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

function compared(item: ReviewItem, questions: Question[], texts: string[]) {
	let values = item.values as Json;
	const changes: Json[] = [];
	const confirmed: string[] = [];
	const unread: Array<{ entry: IDataObject; parts: Question['parts'] }> = [];
	for (const [index, question] of questions.entries()) {
		const { field, parts, value, type, confidence, reason } = question;
		const to = answered(question, texts[index] ?? '');
		// A text that stayed one may be confirmed. An entry that is none is asked for again.
		const isConfirmed = reason !== undefined && to === value;
		const isUnread = !isConfirmed && typeof to === 'string' && !isOfType(to, type);
		values = withValueAt(values, parts, to);
		if (to !== value) changes.push({ field, from: value, to });
		else if (!isUnread) confirmed.push(field);
		if (isUnread)
			unread.push({ entry: { field, value: to, confidence: confidence ?? null, type }, parts });
	}
	return { values: values as IDataObject, changes, confirmed, unread };
}

function isOfType(text: string, type: Question['type']): boolean {
	return type === 'text' || (type === 'date' && isDate(text));
}

/** At most 15 characters: more digits may not be exact as a number. */
const NUMBER = /^[+-]?(?=[\d.]{1,15}$)\d+(?:\.\d+)?$/;

/** `18.520` is 18,520 in many countries. */
const MAY_BE_THOUSANDS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

function isNumber(answer: string, before: Question['value']): boolean {
	const hadThreeDecimals = typeof before === 'number' && /\.\d{3}/.test(String(before));
	return NUMBER.test(answer) && (hadThreeDecimals || !MAY_BE_THOUSANDS.test(answer));
}

/** The value of an answer, of the type that was asked for where the text allows it. */
function answered({ value, type }: Question, answer: string): Question['value'] {
	const text = readFromForm(answer).replace(/\r\n?/g, '\n');
	if (submitted(text) === submitted(String(value ?? ''))) return value;
	const trimmed = text.trim();
	if (typeof value === 'string' && type === 'text')
		return value.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
	if (trimmed === '') return null;
	if (type === 'number' && isNumber(trimmed, value)) return Number(trimmed);
	if (type === 'boolean' && /^(?:true|false)$/i.test(trimmed))
		return trimmed.toLowerCase() === 'true';
	if (type === 'date' && isDate(trimmed)) return trimmed;
	return text;
}

/** A text as a form returns it: a browser changes line breaks and characters that are none, n8n trims. */
function submitted(text: string): string {
	return text
		.replace(/\r\n?/g, '\n')
		.replace(/[\0\p{Cs}]/gu, '\ufffd')
		.trim();
}
