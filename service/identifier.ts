import { tryTo } from './tryTo';

/** In characters. */
const MAX_LENGTH = 500;

/** Control characters would forge lines of the log, and lone surrogates cannot be encoded in a URL. */
const NOT_IN_IDENTIFIER = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;

/** `.` and `..` lead to another path, also behind a proxy that decodes slashes. */
const PATH_PART = /(?:^|[\\/])\.{1,2}(?:$|[\\/])/;

const FAULTS = [/^$/, PATH_PART, NOT_IN_IDENTIFIER];

/** The one test for IDs, wherever they come from. A number beyond 2^53 was rounded to another ID when it was parsed. */
export function readIdentifier(value: unknown): string | undefined {
	if (Number.isSafeInteger(value)) return String(value);
	// White space around an ID may be longer than the ID.
	if (typeof value !== 'string' || value.length > 2 * MAX_LENGTH) return undefined;
	const id = value.trim();
	const isFaulty = FAULTS.some((fault) => fault.test(id));
	return isFaulty || id.length > MAX_LENGTH ? undefined : id;
}

/** Some services do not distinguish capital letters in IDs. */
export function isSameId(asked: string, given: string): boolean {
	return asked.trim().toLowerCase() === given.toLowerCase();
}

/** The address of a workflow in the dashboard or API of the service, also in a fragment as in single-page dashboards. */
const WORKFLOW_ADDRESS = /^\s*https?:\/\/.*?\/workflows?\/([^/?#\s]+)/is;

/** The ID in the address of a workflow. Any other text is returned as it is. */
export function workflowIdIn(text: string): string {
	const [, found] = WORKFLOW_ADDRESS.exec(text) ?? [];
	if (found === undefined) return text;
	return tryTo(() => decodeURIComponent(found)) ?? found;
}
