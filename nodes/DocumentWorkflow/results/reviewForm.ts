/**
 * The review of an item as a form of n8n ("Define Form → Using JSON"). n8n 1 and 2 both return an answer under the label of its field.
 */
import type { IDataObject } from 'n8n-workflow';

import { excerptOf, plainText } from '../../../service/text';
import { escapeHtml } from './html';
import type { Material } from './outputs';
import { documentsIn } from './reportContents';
import type { Review } from './judgement';
import type { Question, ReviewItem } from './reviewItem';
import { questionsIn, readReviewItem } from './reviewItem';
import { uniqueNames } from './selection';

/** The label of the field for the name of the person. */
export const REVIEWER = 'Reviewed by';

/** What n8n returns the head of the form under, which names the execution. */
export const HEAD = 'reviewOf';

/** In the head of a form whose answers do not settle the review. */
export const OTHER_REASON =
	'The result also needs review as a whole. Compare it with the document.';

const MAX_LABEL = 120;
const MAX_LISTED = 3;
const MAX_NAME = 60;

/** The item with its form, where that is wanted. What has failed or still runs has no data that a correction would settle. */
export function withFormIn(
	json: IDataObject,
	{ hasOtherReason }: Review,
	{ judgement, shaping }: Material,
): IDataObject {
	const isWanted = shaping.reviewForm && judgement.execution.phase === 'completed';
	return isWanted ? withReviewForm(json, hasOtherReason) : json;
}

/** The item with the form for its doubtful values; unchanged where there are none that a form can ask for. */
export function withReviewForm(json: IDataObject, hasOtherReason: boolean): IDataObject {
	const item = readReviewItem(json);
	if (item === undefined) return json;
	const { questions, rest } = questionsIn(item);
	if (questions.length === 0) return json;
	const labels = labelsOf(item, questions);
	const html = headOf(item, rest, hasOtherReason);
	const fields = [
		{ fieldLabel: 'Document', fieldType: 'html', elementName: HEAD, html },
		...questions.map(({ value }, index) => ({
			fieldLabel: labels[index],
			fieldType: typeof value === 'string' && /[\r\n]/.test(value) ? 'textarea' : 'text',
			defaultValue: shownInForm(value),
		})),
		{ fieldLabel: REVIEWER, fieldType: 'text' },
	];
	// n8n inserts the text with String.replace, where $ has a meaning, and {{ begins an expression.
	const reviewForm = JSON.stringify(fields).replaceAll('$', '\\u0024').replaceAll('{{', '{\\u007b');
	return item.with(item.values, { reviewForm });
}

/** For example "coverages · row 2 · limit (62 %)". The row is left out where its step has only one. */
export function labelsOf({ values, details }: ReviewItem, questions: Question[]): string[] {
	const isRow = typeof details.row === 'number';
	const labels = questions.map(({ parts, confidence }) => {
		const place = isRow ? [excerptOf(details.step), Number(details.row) - 1, ...parts] : parts;
		const step = values[String(parts[0])];
		const isOnly = !isRow && Array.isArray(step) && step.length === 1;
		const words = place
			.filter((_part, index) => !(isOnly && index === 1))
			.map((part) => (typeof part === 'number' ? `row ${part + 1}` : part));
		const score = typeof confidence === 'number' ? percent(confidence) : 'confidence unknown';
		return `${inLabel(words.join(' · '))} (${score})`;
	});
	return uniqueNames(labels);
}

/** n8n returns `<` and `>` in a label escaped, and a label is the name of the answer. */
function inLabel(words: string): string {
	return plainText(words, [], MAX_LABEL).replaceAll('<', '‹').replaceAll('>', '›');
}

/** Rounded down, so that no value seems to reach a minimum that it does not. */
function percent(confidence: number): string {
	return `${Math.floor(confidence * 1000) / 10} %`;
}

function headOf({ details }: ReviewItem, rest: IDataObject[], hasOtherReason: boolean): string {
	const files = documentsIn(details).map(({ name }) => name);
	const names = rest.map(({ field }) => excerptOf(field));
	const before = files.length > 0 ? [listed(files)] : [];
	const behind = [
		...(names.length > 0 ? [`Not in this form, still to review: ${listed(names)}`] : []),
		...(hasOtherReason ? [OTHER_REASON] : []),
	];
	return [
		...before.map(paragraph),
		executionLine(excerptOf(details.executionId)),
		...behind.map(paragraph),
	].join('');
}

/** The part of the head that names the execution. */
export function executionLine(executionId: string): string {
	return paragraph(`Execution ${executionId}`);
}

function paragraph(text: string): string {
	return `<p>${escapeHtml(text)}</p>`;
}

function listed(names: string[]): string {
	const shown = names.slice(0, MAX_LISTED).map((name) => plainText(name, [], MAX_NAME));
	const more = names.length - shown.length;
	return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Escapes of < and > that a value has itself. n8n writes &lt; for <, so they get one more &amp; to stay different. */
const OWN_ESCAPE = /&(?=(?:amp;)*[lg]t;)/g;

/** A value as the form has it. */
function shownInForm(value: Question['value']): string {
	return value === null ? '' : String(value).replace(OWN_ESCAPE, '&amp;');
}

/** An answer as the person saw it: the reverse of `shownInForm` and of what n8n does to it. */
export function readFromForm(answer: string): string {
	return answer.replace(/&((?:amp;)*)([lg])t;/g, (_text, amps: string, sign: string) => {
		if (amps !== '') return `&${amps.slice('amp;'.length)}${sign}t;`;
		return sign === 'l' ? '<' : '>';
	});
}
