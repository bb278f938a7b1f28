/** What looks like a token: it has a digit, or is longer than words are. */
const TOKEN = String.raw`(?:(?=[a-z.~+/=_-]*\d)[\w.~+/=-]{8,}|[\w.~+/=-]{24,})`;

const QUOTE = String.raw`\\{0,3}["']?`;

/** How unknown secrets are recognized in one line of text. Each pattern takes linear time. */
const PATTERNS: Array<[label: string, pattern: RegExp]> = [
	// A JWT: base64url, the first part of which is encoded JSON.
	['[token]', /eyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g],
	['[token]', new RegExp(String.raw`(?<=\b(?:bearer|basic)${QUOTE}:? ${QUOTE})${TOKEN}`, 'gi')],
	[
		'[secret]',
		new RegExp(
			String.raw`(?<=(?:secret|token|password|api[-_]?key)${QUOTE} ?[:=] ?${QUOTE})${TOKEN}`,
			'gi',
		),
	],
	// The user name and the password in a URL, and its query, which is the signature of a signed one.
	['[user]', /(?<=:\/\/)[^\s"'<>/?#]{1,300}(?=@)/g],
	['[query]', /(?<=\bhttps?:\/\/[^\s"'<>?]{1,2000}\?)[^\s"'<>]+/gi],
];

/** A field whose value is a secret by its name. */
export const SECRET_NAME = /secret|token|passw|authorization|api[-_]?key|credential|signature/i;

/** In characters. Shorter texts are no secrets, and masking them would make messages unreadable. */
const SHORTEST_SECRET = 4;

/** In characters. Shorter parts of base64 are also parts of words. */
const SHORTEST_BASE64 = 6;

/** Hides secrets in one line. `longest`: how many characters a known secret may take. */
export function masksFor(secrets: readonly string[]) {
	const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
	const masks = [...PATTERNS];
	if (forms.length > 0) {
		const source = forms.map((form) => form.replace(/[$^*+?.()|[\]{}\\/]/g, String.raw`\$&`));
		// In any case, because `%2f` is `%2F`.
		masks.unshift(['[secret]', new RegExp(source.join('|'), 'gi')]);
	}
	return {
		longest: forms[0]?.length ?? 0,
		/** The line up to `end`. No part of a secret that begins before is shown. */
		mask: (line: string, end: number): string => {
			let masked = line;
			// Each character of a secret becomes a control character, so that all others keep their places.
			for (const [index, [, pattern]] of masks.entries())
				masked = masked.replace(pattern, ({ length }) => String.fromCharCode(index).repeat(length));
			return masked
				.slice(0, end)
				.replace(/(\p{Cc})\1*/gu, (run) => masks[run.charCodeAt(0)]?.[0] ?? '');
		},
	};
}

/**
 * A secret as it may be quoted: plain, in JSON, in a URL and in base64. The lines of a key are secrets of their own,
 * because their breaks may be written in any way.
 */
function formsOf(secret: string): string[] {
	const texts = new Set([secret, ...secret.split(/[\r\n]+/)].map((text) => text.trim()));
	return [...texts]
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.flatMap((text) => {
			const json = inJson(text);
			const form = new URLSearchParams({ '': text }).toString().slice(1);
			const url = form.replaceAll('+', '%20').replace(/%(?:21|2[7-9]|7E)/g, decodeURIComponent);
			const line = text.replace(/\s+/g, ' ');
			return [line, json, inJson(json), inJson(inJson(json)), form, url, ...inBase64(text)];
		});
}

function inJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** In each of three places in what is encoded, the characters that depend on the text alone. */
function inBase64(text: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.from(' '.repeat(before) + text);
		const all = bytes.toString('base64');
		const part = all.slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3));
		if (part.length < SHORTEST_BASE64) return [];
		return [part, part.replaceAll('+', '-').replaceAll('/', '_')];
	});
}
