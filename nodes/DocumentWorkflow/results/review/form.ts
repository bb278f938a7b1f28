/**
 * The review of an item as a form of n8n ("Define Form → Using JSON").
 * n8n 1 and 2 both return an answer under the label of its field.
 */
import type { IDataObject } from 'n8n-workflow';

import { excerptOf, listed, plainText } from '../../../../service/text';
import { type Html, joined, markup } from '../html';
import { partsOf, type Path, placeInWords } from '../path';
import { namedIn, scoreInWords } from '../report/words';
import type { Question, Rest, ReviewItem } from './item';
import { isDate, questionsIn, readReviewItem } from './item';
import { uniqueNames } from '../selection';

/** The label of the field for the name of the person. */
export const REVIEWER = 'Reviewed by';

/** What n8n returns the head of the form under, which names the execution. */
export const HEAD = 'reviewOf';

/** In the head of a form whose answers do not settle the review. */
export const OTHER_REASON =
	'The result also needs review as a whole. Compare it with the document.';

const MAX_LABEL = 120;

/** The item with the form for its doubtful values; unchanged where there are none that a form can ask for. */
export function withReviewForm(json: IDataObject, hasOtherReason: boolean): IDataObject {
	const item = readReviewItem(json);
	if (item === undefined) return json;
	const { questions, rest } = questionsIn(item);
	if (questions.length === 0) return json;
	const labels = labelsOf(item, questions);
	const html = headOf(item, rest, hasOtherReason).toString();
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

/** For example "coverages, row 2: limit (62 %)". The row is left out where its step has only one. */
export function labelsOf(item: ReviewItem, questions: Question[]): string[] {
	return uniqueNames(
		questions.map(({ parts, value, type, confidence, reason }) => {
			const words = inWords(item.pathTo(parts));
			const score = scoreInWords(typeof confidence === 'number' ? confidence : null);
			const why = reason?.toLowerCase() ?? (score || 'confidence unknown');
			const isOfType = typeof value === type || (type === 'date' && isDate(String(value)));
			const isNamed = type !== 'text' && !isOfType;
			return `${inLabel(words)} (${why}${isNamed ? `, enter ${EXPECTED[type]}` : ''})`;
		}),
	);
}

const EXPECTED = {
	number: 'a number such as 18520.5',
	boolean: 'true or false',
	date: 'a date such as 2026-12-31',
};

const LOOKALIKES: Record<string, string> = { '<': '‹', '>': '›', '{': '(', '}': ')' };

function inWords(path: Path): string {
	return plainText(placeInWords(path), [], MAX_LABEL);
}

/** A label names its answer, and n8n returns < and > in it escaped. Braces could begin an expression. */
function inLabel(words: string): string {
	return words.replaceAll(/[<>{}]/g, (sign) => LOOKALIKES[sign] ?? sign);
}

function headOf({ details, pathTo }: ReviewItem, rest: Rest, hasOtherReason: boolean): Html {
	const files = namedIn(details.documents).map(({ name }) => name);
	const left = Object.values(rest)
		.flat()
		.map(({ field }) => inWords(pathTo(partsOf(excerptOf(field)))));
	const lines = [
		...(files.length > 0 ? [listed(files, 3)] : []),
		executionLine(excerptOf(details.executionId)),
		...(left.length > 0 ? [`Not in this form, still to review: ${listed(left, 3)}`] : []),
		...(hasOtherReason ? [OTHER_REASON] : []),
	];
	return joined(lines.map((line) => markup`<p>${line}</p>`));
}

function executionLine(executionId: string): string {
	return `Execution ${executionId}`;
}

/** Whether a head that n8n has returned names this execution. n8n changes entities, so they do not count. */
export function isHeadOf(head: string, executionId: string): boolean {
	const bare = (html: string) =>
		html.replaceAll(/&#?\w+;/g, '').replaceAll(/[^\p{L}\p{N}<>]+/gu, '');
	return bare(head).includes(bare(markup`<p>${executionLine(executionId)}</p>`.toString()));
}

/** Escapes of < and > that a value has itself. n8n writes &lt; for <, so they get one more &amp; to stay different. */
const OWN_ESCAPE = /&(?=(?:amp;)*[lg]t;)/g;

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
