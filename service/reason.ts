import type { Json, JsonRecord } from './contract';
import {
	EXECUTION_ID_NAMES,
	FAILURE_NAMES,
	FIELDS,
	isRecord,
	REASON_NAMES,
	STARTED_ID_NAMES,
} from './contract';
import { parseJson } from './json';
import { excerptOf, plainText } from './text';

/** Of a list of reasons, and of levels within each other (assumed). */
const MAX_REASONS = 10;
const MAX_DEPTH = 6;

/** A longer text is not parsed as JSON, in characters (assumed). */
const MAX_JSON_LENGTH = 100_000;

/** Of a page, in characters. A title comes early. */
const MAX_PAGE_LENGTH = 10_000;

/** Fields that say nothing about why an execution failed. */
const OF_EVERY_EXECUTION = new Set<string>([
	...Object.values(FIELDS.execution),
	...EXECUTION_ID_NAMES,
	...STARTED_ID_NAMES,
]);

/**
 * The service's reason in an error answer: one short line without secrets. Where the shape is unknown, it is an excerpt of what came;
 * it is empty only where the body is.
 */
export function readErrorBody(body: unknown, secrets: readonly string[] = []): string {
	return reasonIn(body, secrets, 0);
}

/** Why an execution failed, in the same way. */
export function readFailureReason(body: JsonRecord, secrets: readonly string[] = []): string {
	const about = Object.entries(body).filter(([name]) => !OF_EVERY_EXECUTION.has(name));
	return reasonInRecord(Object.fromEntries(about), FAILURE_NAMES, secrets, 0);
}

function reasonIn(value: unknown, secrets: readonly string[], depth: number): string {
	if (typeof value === 'string') return reasonInText(value.trim(), secrets, depth);
	if (!isSaid(value)) return '';
	if (depth >= MAX_DEPTH) return excerptOf(value, secrets);
	if (Array.isArray(value)) {
		const reasons = value
			.slice(0, MAX_REASONS)
			.map((each) => reasonIn(each, secrets, depth + 1))
			.filter(Boolean);
		const left = value.length - MAX_REASONS;
		return plainText([...reasons, ...(left > 0 ? [`${left} more`] : [])].join('; '));
	}
	return isRecord(value)
		? reasonInRecord(value, REASON_NAMES, secrets, depth)
		: excerptOf(value, secrets);
}

function reasonInRecord(
	record: JsonRecord,
	names: readonly string[],
	secrets: readonly string[],
	depth: number,
): string {
	for (const name of names) {
		const given = Object.hasOwn(record, name) ? record[name] : undefined;
		const reason = reasonIn(given, secrets, depth + 1);
		if (reason !== '') return plainText(placeIn(record, secrets) + reason);
	}
	return Object.values(record).some(isSaid) ? excerptOf(record, secrets) : '';
}

/** Where in a request the fault is, as in `{"loc": ["body", "client_id"], "msg": "field required"}` (published for 422). */
function placeIn({ [FIELDS.fault.place]: place }: JsonRecord, secrets: readonly string[]): string {
	const parts = (Array.isArray(place) ? place.slice(0, MAX_REASONS) : []).filter(isPlacePart);
	return parts.length === 0 ? '' : `${plainText(parts.join('.'), secrets, 100)}: `;
}

function isPlacePart(part: Json): part is string | number {
	return (typeof part === 'string' && part !== 'body') || typeof part === 'number';
}

/** A text may be JSON itself, or the error page of a proxy. */
function reasonInText(text: string, secrets: readonly string[], depth: number): string {
	if (/^["[{]/.test(text) && text.length <= MAX_JSON_LENGTH && depth < MAX_DEPTH) {
		const value = parseJson(text);
		if (value !== undefined) return reasonIn(value, secrets, depth + 1);
	}
	if (!/^<(?:!doctype|[a-z])/i.test(text)) return plainText(text, secrets);
	// Masked before it is taken apart: a secret may have brackets, or be longer than what is shown.
	const page = plainText(text, secrets, MAX_PAGE_LENGTH);
	const title = /<title[^<>]{0,200}>([^<]+)/i.exec(page)?.[1];
	const shown = plainText(title ?? page.replace(/<[^<>]*>/g, ' '), secrets, 200);
	return shown === '' ? 'a page instead of JSON' : `a page instead of JSON: ${shown}`;
}

function isSaid(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() !== '';
	if (typeof value !== 'object') return value !== undefined;
	return value !== null && Object.keys(value).length > 0;
}
