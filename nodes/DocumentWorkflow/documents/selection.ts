const NATURAL_ORDER = new Intl.Collator('en', { numeric: true });

/** Sorts as a person would: attachment_2 before attachment_10. */
export function inNaturalOrder(names: string[]): string[] {
	return [...names].sort(NATURAL_ORDER.compare);
}

export interface FieldSelection {
	/** Names of fields, each once: in the order of the patterns, and in natural order within a wildcard. */
	fieldNames: string[];
	/** Names without a wildcard that are not there. */
	missing: string[];
}

/**
 * Which of the fields with files are meant by names, or by wildcards in which * stands for any text. A field whose whole name is
 * given is meant as it is, also when its name holds an asterisk.
 */
export function selectFieldNames(patterns: string[], present: string[]): FieldSelection {
	const selected = new Set<string>();
	const missing: string[] = [];
	for (const pattern of patterns) {
		if (present.includes(pattern)) {
			selected.add(pattern);
		} else if (isWildcard(pattern)) {
			const matches = matcherOf(pattern);
			for (const name of inNaturalOrder(present.filter(matches))) selected.add(name);
		} else {
			missing.push(pattern);
		}
	}
	return { fieldNames: [...selected], missing };
}

export function isWildcard(pattern: string): boolean {
	return pattern.includes('*');
}

/** Whether a text is what a pattern with * describes; upper and lower case are the same. */
export function matcherOf(pattern: string): (text: string) => boolean {
	const parts = pattern.toLowerCase().split('*');
	return (text) => matchesParts(text.toLowerCase(), parts);
}

/** Each part is looked for behind the one before; the first stands at the beginning, the last at the end. */
function matchesParts(text: string, parts: string[]): boolean {
	const [first = '', ...rest] = parts;
	const last = rest.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
		return false;
	let from = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, from);
		if (found < 0) return false;
		from = found + part.length;
	}
	return from <= text.length - last.length;
}
