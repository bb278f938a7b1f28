import { createHash, timingSafeEqual } from 'crypto';

/** A call of the trigger, as far as it matters for its authentication. */
export interface WebhookCall {
	/** As Node gives them; names may be in any case. */
	headers: Record<string, string | string[] | undefined>;
	/** The bytes as they were received. */
	rawBody: Buffer;
	/** Unix milliseconds. */
	now: number;
}

/** Node's own limit for all headers of a request together, in bytes, unless it was started with another one. */
const LONGEST_VALUE = 16_384;

/** The value of a header. Undefined when it is missing, empty or oversized, or was sent more than once. */
export function headerOf({ headers }: WebhookCall, name: string): string | undefined {
	const wanted = name.toLowerCase();
	const values = Object.entries(headers).filter(
		([given, value]) => given.toLowerCase() === wanted && value !== undefined,
	);
	const value = values.length === 1 ? values[0]?.[1] : undefined;
	return typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE
		? value
		: undefined;
}

/**
 * Whether two texts or byte sequences are the same. Compares their digests, so that the time taken shows neither where they differ
 * nor how long the expected one is.
 */
export function isSame(given: string | Buffer, expected: string | Buffer): boolean {
	return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(value: string | Buffer): Buffer {
	return createHash('sha256').update(value).digest();
}

/** Whether a key of several matches. Tries all of them, so that the time taken does not show which one did. */
export function someMatch<T>(keys: T[], matches: (key: T) => boolean): boolean {
	return keys.filter(matches).length > 0;
}
