const ENTITIES: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

/** The text that a reader of an HTML page sees: one line per block, table cells separated by wide gaps. */
export function textOfHtml(html: string): string {
	return html
		.replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, '')
		.replace(/\s+/g, ' ')
		.replace(/<\/t[dh]>\s*/gi, '    ')
		.replace(/\s*(<br\b[^>]*>|<\/?(p|div|tr|table|h[1-6]|li|ul|ol)\b[^>]*>)\s*/gi, '\n')
		.replace(/<[^>]*>/g, '')
		.replace(
			/&(#x[0-9a-f]+|#\d+|\w+);/gi,
			(whole, name: string) => character(name.toLowerCase()) ?? whole,
		);
}

function character(name: string): string | undefined {
	if (!name.startsWith('#')) return ENTITIES[name];
	const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
