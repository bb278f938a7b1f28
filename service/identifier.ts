/** In characters (assumed). */
const MAX_LENGTH = 500;

/** Control characters would forge lines of the log, and lone surrogates cannot be encoded in a URL. */
const NOT_IN_IDENTIFIER = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** `.` and `..` in a URL lead to another path. */
const PATH_PARTS = new Set(['.', '..']);

/**
 * The one test for IDs of workflows and executions, wherever they come from. Undefined for what cannot be one. A number beyond 2^53 was
 * rounded to another ID when it was parsed.
 */
export function readIdentifier(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
	const id = value.trim();
	return id === '' || PATH_PARTS.has(id) || NOT_IN_IDENTIFIER.test(id) ? undefined : id;
}
