/** The gate for every text from outside that a person reads. It cuts before it masks, so that its work is bounded. */

import { tryTo } from './tryTo';
import { isObject } from './json';

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
	// More is read than is shown, so a secret that begins in the shown part is read to its end.
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

/** The first entries, and how many more there are. */
export function listed<T>(all: readonly T[], max: number, shown: (each: T) => string = String) {
	const first = all.slice(0, max).map((each) => shown(each));
	return first.join(', ') + (all.length > max ? ` and ${all.length - max} more` : '');
}

/** Never ends with half a character. */
export function cut(plain: string, max: number): string {
	const shown = plain.length <= max ? plain : `${plain.slice(0, max - 1)}…`;
	return shown.replace(/[\ud800-\udbff](?=…$)/, '');
}

/** n8n shows errors as HTML, and two braces begin an expression. The signs are replaced, as texts also go by mail. */
export function withoutTags(text: string): string {
	return text
		.replaceAll('<', '‹')
		.replaceAll('>', '›')
		.replace(/\{(?=\{)/g, '{ ');
}

export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? plainText(thrown.message) : excerptOf(thrown);
}

/** What a value from outside looks like, in short: at most `max` characters of JSON. */
export function excerptOf(value: unknown, secrets: readonly string[] = [], max = MAX_LENGTH) {
	if (typeof value === 'string') return plainText(value, secrets, max);
	let left = MAX_READ;
	const shortened = (name: string, inner: unknown): unknown => {
		if (left-- <= 0) return undefined;
		const isText = typeof inner === 'string' && inner !== '';
		if (SECRET_NAME.test(name) && (isObject(inner) || isText)) return '[secret]';
		if (Array.isArray(inner)) return inner.slice(0, left) as unknown[];
		if (!isText) return inner;
		const text = inner.trimStart().slice(0, left);
		left -= text.length;
		return text;
	};
	const text = tryTo(() => plainText(JSON.stringify(value, shortened) ?? 'null', secrets, max));
	return text ?? 'a value that cannot be shown';
}

/** How secrets are recognized in a line of text. Each pattern takes linear time. */
interface Mask {
	pattern: RegExp;
	label: string;
}

/** What looks like a token: it has a digit, or is longer than words are. */
const TOKEN_SHAPE = String.raw`(?:(?=[a-z.~+/=_-]*\d)[\w.~+/=-]{8,}|[\w.~+/=-]{24,})`;

const QUOTE = String.raw`\\{0,3}["']?`;

const tokenAfter = (words: string) => new RegExp(`(?<=${words}${QUOTE})${TOKEN_SHAPE}`, 'gi');

const PATTERNS: readonly Mask[] = [
	// A JWT: base64url, the first part of which is encoded JSON.
	{ pattern: /eyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g, label: '[token]' },
	{ pattern: tokenAfter(String.raw`\b(?:bearer|basic)${QUOTE}:? `), label: '[token]' },
	{
		pattern: tokenAfter(`(?:secret|token|password|api[-_]?key)${QUOTE} ?[:=] ?`),
		label: '[secret]',
	},
	// The user name and the password in an address.
	{ pattern: /(?<=:\/\/)[^\s"'<>/?#]{1,300}(?=@)/g, label: '[user]' },
	// The query of an address, which is the signature of a signed one.
	{ pattern: /(?<=\/[^\s"'<>?]{1,2000}\?)[^\s"'<>]+/g, label: '[query]' },
];

export const SECRET_NAME = /secret|token|passw|authorization|api[-_]?key|credential|signature/i;

/** In characters. Shorter texts are no secrets, and masking them would make messages unreadable. */
const SHORTEST_SECRET = 4;

/** How known secrets are recognized, and how many characters one may take at most. */
function masksOf(secrets: readonly string[]): { masks: Mask[]; longest: number } {
	const spellings = secrets
		.map((secret) => secret.trim())
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.flatMap(spellingsOf);
	const masks = spellings.map((spelling) => ({
		pattern: new RegExp(spelling.replace(/[$^*+?.()|[\]{}\\]/g, String.raw`\$&`), 'gi'),
		label: '[secret]',
	}));
	return { masks, longest: Math.max(0, ...spellings.map(({ length }) => length)) };
}

/** Plain in one line, in JSON, in a URL or a form, and in base64: the characters that depend on the secret alone. */
function spellingsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const base64 = (encoding: 'base64' | 'base64url') =>
		bytes.toString(encoding).slice(0, Math.floor((bytes.length * 4) / 3));
	return [
		secret.replace(/\s+/g, ' '),
		JSON.stringify(secret).slice(1, -1),
		encodeURIComponent(bytes.toString()),
		new URLSearchParams([['', secret]]).toString().slice(1),
		base64('base64'),
		base64('base64url'),
	];
}

/** A text that broke off, without the beginning of a secret at its end. */
export function withoutBegunSecret(text: string, secrets: readonly string[]): string {
	const begun = secrets.map((secret) => {
		let length = secret.length - 1;
		while (length >= SHORTEST_SECRET && !text.endsWith(secret.slice(0, length))) length--;
		return length >= SHORTEST_SECRET ? length : 0;
	});
	return text.slice(0, text.length - Math.max(0, ...begun));
}
