/** The distinct entries of a comma-separated list. */
export function listOf(text: string): string[] {
	return [
		...new Set(
			text
				.split(',')
				.map((entry) => entry.trim())
				.filter(Boolean),
		),
	];
}

/** Reads comma-separated names, or a list of them from an expression. */
export function readNames(given: unknown): string[] {
	return [given].flat().flatMap((entry) => (typeof entry === 'string' ? listOf(entry) : []));
}
