import { excerptOf } from '../../../service/text';

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

/**
 * Reads comma-separated names, or a list of them from an expression.
 * @throws Error naming the field when it holds anything but texts and numbers: as an empty list it would mean everything
 */
export function readNames(given: unknown, field: string): string[] {
	const entries: unknown[] = [given ?? []].flat();
	return entries.flatMap((entry) => {
		if (typeof entry === 'string' || typeof entry === 'number') return listOf(String(entry));
		throw new Error(
			`'${field}' must be names separated by commas, but contains ${excerptOf(entry, [], 40)}`,
		);
	});
}
