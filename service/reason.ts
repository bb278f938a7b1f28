import { isCell } from './cells';
import { FIELDS, type Json, type JsonRecord, SPELLINGS } from './contract';
import { isEmpty, isRecord, valuesUnder } from './json';
import { excerptOf, plainText } from './text';

/** Of a list of reasons, and of levels within each other. */
const MAX_REASONS = 10;
const MAX_DEPTH = 6;

/** Of a page, in characters. A title comes early. */
const MAX_PAGE_LENGTH = 10_000;

/** Fields that say nothing about why an execution failed. */
const OF_EVERY_EXECUTION = new Set<string>([
	...Object.values(FIELDS.execution),
	...SPELLINGS.executionId,
	...SPELLINGS.startedId,
]);

/** The service's reason in an error answer, in one line without secrets; an excerpt where the shape is unknown. */
export function readErrorBody(body: unknown, secrets: readonly string[] = []): string {
	return plainText(reasonIn(body, secrets), secrets);
}

/** Why an execution failed, in the same way. `around`: what went wrong as records around it say, where it does not say why. */
export function readFailureReason(
	body: JsonRecord,
	secrets: readonly string[],
	around: readonly Json[] = [],
): string {
	const others = Object.fromEntries(
		Object.entries(body).filter(([name]) => !OF_EVERY_EXECUTION.has(name)),
	);
	const isNamed = valuesUnder(others, SPELLINGS.failure).some(
		(value) => isReason(value) && isSaid(value),
	);
	const [outer] = isNamed ? [] : around.flatMap((each) => readFault(each, secrets));
	return outer ?? plainText(reasonIn(others, secrets, SPELLINGS.failure), secrets);
}

const SAYS_NONE = new Set<Json>([false, 0]);

/** What went wrong beside data, in the service's words; empty where that says nothing. A cell of such a name is data. */
export function readFault(fault: Json, secrets: readonly string[]): string[] {
	if (SAYS_NONE.has(fault) || isCell(fault)) return [];
	return [plainText(reasonIn(fault, secrets), secrets)].filter((text) => text !== '');
}

/** Texts are not masked yet. */
function reasonIn(
	value: unknown,
	secrets: readonly string[],
	names: readonly string[] = SPELLINGS.reason,
	levels = MAX_DEPTH,
): string {
	const within = (inner: unknown) => reasonIn(inner, secrets, SPELLINGS.reason, levels - 1);
	if (typeof value === 'string') {
		const text = value.trim();
		return /^<(?:!doctype|[a-z])/i.test(text) ? pageInWords(text, secrets) : text;
	}
	if (!isSaid(value)) return '';
	if (levels === 0) return excerptOf(value, secrets);
	if (Array.isArray(value)) {
		const more = value.length > MAX_REASONS ? [`${value.length - MAX_REASONS} more`] : [];
		return [...value.slice(0, MAX_REASONS).map(within).filter(Boolean), ...more].join('; ');
	}
	if (!isRecord(value)) return excerptOf(value, secrets);
	const reason = valuesUnder(value, names).filter(isReason).map(within).find(Boolean);
	if (reason !== undefined) return placeIn(value, secrets) + reason;
	return Object.values(value).some(isSaid) ? excerptOf(value, secrets) : '';
}

/** Where in a request the fault is, as in `{"loc": ["body", "client_id"], "msg": "field required"}` (published). */
function placeIn({ [FIELDS.fault.place]: place }: JsonRecord, secrets: readonly string[]): string {
	const isName = (part: unknown): part is string | number =>
		['string', 'number'].includes(typeof part) && part !== 'body';
	const parts = [place].flat().slice(0, MAX_REASONS).filter(isName);
	return parts.length === 0 ? '' : `${plainText(parts.join('.'), secrets, 100)}: `;
}

/** Masked before it is taken apart: a secret may have brackets, or be longer than what is shown. */
function pageInWords(text: string, secrets: readonly string[]): string {
	const page = plainText(text, secrets, MAX_PAGE_LENGTH);
	const title = /<title[^<>]{0,200}>([^<]+)/i.exec(page)?.[1];
	const shown = plainText(title ?? page.replace(/<[^<>]*>/g, ' '), secrets, 200);
	return shown === '' ? 'a page instead of JSON' : `a page instead of JSON: ${shown}`;
}

/** A flag says less than a text beside it. */
function isReason(value: Json): boolean {
	return value !== true && !SAYS_NONE.has(value);
}

function isSaid(value: unknown): boolean {
	return !isEmpty(typeof value === 'string' ? value.trim() : value);
}
