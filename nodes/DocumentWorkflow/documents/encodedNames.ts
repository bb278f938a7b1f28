const WORD = String.raw`=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=`;
const ENCODED_WORD = new RegExp(WORD, 'gi');
const ADJACENT_WORDS = new RegExp(String.raw`${WORD}(?:\s*${WORD})*`, 'gi');

/**
 * Decodes the encoded words of mail headers (RFC 2047), as in =?utf-8?B?TcO8bGxlcg==?=. A character may be split between two
 * words of the same charset. What cannot be decoded is kept, with its slashes replaced: they separate no folders.
 */
export function decodeWords(text: string): string {
	return text.replace(ADJACENT_WORDS, (words) => joined(words) ?? words.replace(/[\\/]/g, '_'));
}

function joined(words: string): string | undefined {
	const pieces: Array<{ charset: string; bytes: Buffer }> = [];
	for (const [, charset = '', encoding = '', content = ''] of words.matchAll(ENCODED_WORD)) {
		const bytes =
			encoding.toLowerCase() === 'b' ? fromBase64(content) : fromQuotedPrintable(content);
		if (bytes === undefined) return undefined;
		const last = pieces.at(-1);
		if (last?.charset === charset.toLowerCase()) last.bytes = Buffer.concat([last.bytes, bytes]);
		else pieces.push({ charset: charset.toLowerCase(), bytes });
	}
	const texts = pieces.map(({ charset, bytes }) => decode(charset, bytes));
	return texts.includes(undefined) ? undefined : texts.join('');
}

function fromBase64(content: string): Buffer | undefined {
	const digits = content.replace(/\s|=+\s*$/g, '');
	return /^[A-Za-z0-9+/]*$/.test(digits) && digits.length % 4 !== 1
		? Buffer.from(digits, 'base64')
		: undefined;
}

function fromQuotedPrintable(content: string): Buffer | undefined {
	return fromEscapes(content.replace(/_/g, ' '), '=');
}

/**
 * Decodes the percent signs of mail headers (RFC 2231), as in utf-8''M%C3%BCller.pdf, and of addresses, as in M%C3%BCller.pdf.
 * A name with spaces, or in which a percent sign stands for itself, is kept.
 */
export function decodePercents(text: string): string {
	const [, charset = 'utf-8', content = ''] =
		/^([\w.:-]+)'[\w-]*'(.*)$/s.exec(text) ??
		(/^[^%\s]*%\S*$/.test(text) ? [text, 'utf-8', text] : []);
	const bytes = content === '' ? undefined : fromEscapes(content, '%');
	return (bytes && decode(charset, bytes)) ?? text;
}

/** Bytes as two hexadecimal digits behind a sign; undefined where the sign stands without them. */
function fromEscapes(text: string, sign: string): Buffer | undefined {
	const [first = '', ...rest] = text.split(sign);
	if (!rest.every((part) => /^[0-9a-f]{2}/i.test(part))) return undefined;
	return Buffer.concat([
		Buffer.from(first),
		...rest.map((part) =>
			Buffer.concat([Buffer.from(part.slice(0, 2), 'hex'), Buffer.from(part.slice(2))]),
		),
	]);
}

/**
 * Undefined for a charset that is not known, and for bytes that do not belong to it. In two steps, because
 * Node 20 takes windows-1252 for ISO 8859-1 in one, and then has no dashes and no euro sign.
 */
function decode(charset: string, bytes: Uint8Array): string | undefined {
	try {
		const decoder = new TextDecoder(charset, { fatal: true });
		return decoder.decode(bytes, { stream: true }) + decoder.decode();
	} catch {
		return undefined;
	}
}
