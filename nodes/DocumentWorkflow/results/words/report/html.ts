import { escapeHtml } from '../words';

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

export function joinHtml(parts: readonly Html[]): Html {
	return new Html(parts.join(''));
}
