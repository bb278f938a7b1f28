/** How secrets are recognized in a line of text. Each pattern takes linear time. */
export interface Mask {
	pattern: RegExp;
	label: string;
}

/** What looks like a token: it has a digit, or is longer than words are. */
const TOKEN_SHAPE = String.raw`(?:(?=[a-z.~+/=_-]*\d)[\w.~+/=-]{8,}|[\w.~+/=-]{24,})`;

const QUOTE = String.raw`\\{0,3}["']?`;

export const PATTERNS: readonly Mask[] = [
	// A JWT: base64url, the first part of which is encoded JSON.
	{ pattern: /eyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g, label: '[token]' },
	{
		pattern: new RegExp(String.raw`(?<=\b(?:bearer|basic)${QUOTE}:? ${QUOTE})${TOKEN_SHAPE}`, 'gi'),
		label: '[token]',
	},
	{
		pattern: new RegExp(
			String.raw`(?<=(?:secret|token|password|api[-_]?key)${QUOTE} ?[:=] ?${QUOTE})${TOKEN_SHAPE}`,
			'gi',
		),
		label: '[secret]',
	},
	// The user name and the password in an address.
	{ pattern: /(?<=:\/\/)[^\s"'<>/?#]{1,300}(?=@)/g, label: '[user]' },
	// The query of an address, which is the signature of a signed one.
	{ pattern: /(?<=\bhttps?:\/\/[^\s"'<>?]{1,2000}\?)[^\s"'<>]+/gi, label: '[query]' },
];

/** A field whose value is a secret by its name. */
export const SECRET_NAME = /secret|token|passw|authorization|api[-_]?key|credential|signature/i;

/** In characters. Shorter texts are no secrets, and masking them would make messages unreadable. */
const SHORTEST_SECRET = 4;

/** In characters. Shorter parts of base64 are also parts of words. */
const SHORTEST_BASE64 = 6;

/** How known secrets are recognized, and how many characters one may take at most. */
export function masksOf(secrets: readonly string[]): { masks: Mask[]; longest: number } {
	const known = secrets
		.map((secret) => secret.replace(/\s+/g, ' ').trim())
		.filter(({ length }) => length >= SHORTEST_SECRET);
	const forms = [...known, ...secrets.flatMap((secret) => inBase64(secret.trim()))];
	return { masks: forms.map(maskOf), longest: Math.max(0, ...forms.map(widthOf)) };
}

/** In each of three places in what is encoded, the characters that depend on the text alone. */
function inBase64(text: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.from(' '.repeat(before) + text);
		const all = bytes.toString('base64');
		const part = all.slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3));
		if (part.length < SHORTEST_BASE64) return [];
		return [...new Set([part, part.replaceAll('+', '-').replaceAll('/', '_')])];
	});
}

/** A run of backslashes is one piece: the number of them depends on how often a text was escaped. */
const PIECES = /\\+|[^\\]/gu;

/** A secret however it is escaped: plain, as in JSON or Python, once or twice, or as in URLs and HTML. */
function maskOf(secret: string): Mask {
	let source = secret.startsWith('\\') ? String.raw`(?<!\\|%5c)` : '';
	let previous = '';
	for (const [piece] of secret.matchAll(PIECES)) {
		source += spellingsOf(piece, previous);
		previous = piece;
	}
	return { pattern: new RegExp(source, 'gi'), label: '[secret]' };
}

function spellingsOf(piece: string, previous: string): string {
	// Two quantifiers for backslashes side by side would take quadratic time.
	const isEscapedBefore = previous === '' || previous.startsWith('\\');
	if (/[\w-]/.test(piece)) return piece;
	if (piece.startsWith('\\')) return String.raw`(?:\\|%5c)+`;
	if (piece === ' ')
		return String.raw`(?: |\+|%(?:20|0a|0d|09)|${isEscapedBefore ? '' : String.raw`\\+`}[nrt])+`;
	const units = Array.from({ length: piece.length }, (_, index) => hex(piece.charCodeAt(index), 4));
	const spellings = [
		piece.replace(/[$^*+?.()|[\]{}/]/, String.raw`\$&`),
		[...Buffer.from(piece)].map((byte) => `%${hex(byte, 2)}`).join(''),
		units.map((unit) => `u${unit}`).join(String.raw`\\+`),
		String.raw`&#?\w{2,6};`,
	];
	return `${isEscapedBefore ? '' : String.raw`\\*`}(?:${spellings.join('|')})`;
}

function hex(value: number, digits: number): string {
	return value.toString(16).padStart(digits, '0');
}

/** The length of the longest spelling, in characters. The UTF-8 of an emoji in a URL takes twelve. */
function widthOf(secret: string): number {
	return secret.length + 11 * (secret.match(/[^\w-]/g)?.length ?? 0);
}
