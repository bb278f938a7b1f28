/** Whether a text matches one of the patterns; any text if there is none. */
export function matchesOne(text: string, patterns: string[]): boolean {
	return patterns.length === 0 || patterns.some((pattern) => matcherOf(pattern)(text));
}

/** Matches a pattern with *, ignoring case. Not by a regular expression: several .* could take very long. */
export function matcherOf(pattern: string): (text: string) => boolean {
	const parts = pattern.toLowerCase().split('*');
	return (text) => matchesParts(text.toLowerCase(), parts);
}

/** The first part must start the text, the last must end it, and the others must follow in order between them. */
function matchesParts(text: string, parts: string[]): boolean {
	const [first = '', ...rest] = parts;
	const last = rest.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	let from = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, from);
		if (found < 0) return false;
		from = found + part.length;
	}
	return from <= text.length - last.length;
}
