/**
 * The gate for every text from outside that a person reads: answers, notifications, names, thrown errors. It cuts
 * before it masks, so that its work is bounded.
 */
import type { Mask } from './secrets';
import { masksOf, PATTERNS, SECRET_NAME } from './secrets';

/** Characters of a text that a person reads. */
const MAX_LENGTH = 500;

/** Characters and values that are read of a value. */
const MAX_READ = 100_000;

/** Characters that are read beyond what is shown, so that a token at the end is recognized. */
const MARGIN = 200;

/** How many times as much is read of a text as of its line, because white space may take most of it. */
const WHITE_SPACE = 10;

/** One line without control characters and secrets, cut to a length. `secrets`: values that are masked too. */
export function plainText(text: string, secrets: readonly string[] = [], max = MAX_LENGTH): string {
	const { masks, longest } = masksOf(secrets);
	const overlap = MARGIN + longest;
	const reach = 2 * (max + overlap);
	const given = text.trimStart();
	const line = given
		.slice(0, WHITE_SPACE * reach)
		.replace(/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, ' ')
		.trim();
	const isWhole = given.length <= WHITE_SPACE * reach && line.length <= reach;
	// What begins before the end of what is shown also ends within the line, and so is recognized as a whole.
	const end = isWhole ? max : Math.min(max, Math.max(0, Math.min(line.length, reach) - overlap));
	const plain = masked(line.slice(0, reach), [...PATTERNS, ...masks], end);
	return cut(isWhole && line.length <= max ? plain : `${plain}…`, max);
}

/** The line up to `end`. No part of a secret that begins before is shown. */
function masked(line: string, masks: readonly Mask[], end: number): string {
	const found = masks.flatMap(({ pattern, label }) =>
		[...line.matchAll(pattern)].map((match) => ({ label, at: match.index, secret: match[0] })),
	);
	let plain = '';
	let from = 0;
	for (const { label, at, secret } of found.sort((a, b) => a.at - b.at)) {
		if (at >= end) break;
		if (at >= from) plain += line.slice(from, at) + label;
		from = Math.max(from, at + secret.length);
	}
	return plain + line.slice(from, end);
}

/** Never ends with half a character. */
function cut(plain: string, max: number): string {
	const shown = plain.length <= max ? plain : `${plain.slice(0, max - 1)}…`;
	return shown.replace(/[\ud800-\udbff](?=…$)/, '');
}

/**
 * n8n shows errors as HTML, and two braces begin an expression. The texts also go out by mail, so the signs are replaced and
 * not escaped.
 */
export function withoutTags(text: string): string {
	return text
		.replaceAll('<', '‹')
		.replaceAll('>', '›')
		.replace(/\{(?=\{)/g, '{ ');
}

/** The message of anything thrown. */
export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? plainText(thrown.message) : excerptOf(thrown);
}

/** What a value from outside looks like, in short: at most `max` characters of JSON. */
export function excerptOf(
	value: unknown,
	secrets: readonly string[] = [],
	max = MAX_LENGTH,
): string {
	if (typeof value === 'string') return plainText(value, secrets, max);
	let left = MAX_READ;
	const shortened = (name: string, inner: unknown): unknown => {
		if (left-- <= 0) return undefined;
		const isObject = typeof inner === 'object' && inner !== null;
		const isText = typeof inner === 'string' && inner !== '';
		if (SECRET_NAME.test(name) && (isObject || isText)) return '[secret]';
		if (Array.isArray(inner)) return inner.slice(0, left) as unknown[];
		if (!isText) return inner;
		const text = inner.trimStart().slice(0, left);
		left -= text.length;
		return text;
	};
	try {
		return plainText(JSON.stringify(value, shortened) ?? 'null', secrets, max);
	} catch {
		return 'a value that cannot be shown';
	}
}
