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

/** Names separated by commas; an expression may also return a list of them. */
export function readNames(given: unknown): string[] {
	return [given].flat().flatMap((entry) => (typeof entry === 'string' ? listOf(entry) : []));
}
