/** HTML that was written here, and so is not escaped when it is put into other HTML. */
export class Html {
	/** No other object has a private field, so nothing else can be taken for HTML. */
	constructor(private readonly text: string) {}

	toString(): string {
		return this.text;
	}
}

/** Writes HTML. Every text that is put in is escaped, so that no value can become markup. */
export function markup(
	written: TemplateStringsArray,
	...values: ReadonlyArray<string | number | Html>
): Html {
	const parts = values.map((value, index) => {
		const text = value instanceof Html ? value.toString() : escapeHtml(String(value));
		return text + (written[index + 1] ?? '');
	});
	return new Html((written[0] ?? '') + parts.join(''));
}

export function joined(parts: readonly Html[]): Html {
	return new Html(parts.join(''));
}

/** n8n evaluates {{ }} in HTML that becomes a parameter, so a brace is escaped like a tag. */
const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
	'{': '&#123;',
};

/** n8n shows hints as HTML, and names in them come from outside. */
export function escapeHtml(text: string): string {
	return text.replaceAll(/[&<>"'{]/g, (sign) => ENTITIES[sign] ?? sign);
}
