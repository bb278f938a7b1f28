import { createHash, timingSafeEqual } from 'crypto';

/**
 * Whether two texts or byte sequences are the same. Their digests are compared, which are of one length and which a caller cannot
 * approach bit by bit: the time taken tells neither where they differ nor how long the expected one is.
 */
export function isSame(given: string | Buffer, expected: string | Buffer): boolean {
	return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(value: string | Buffer): Buffer {
	return createHash('sha256').update(value).digest();
}

/** Whether one of the candidates passes. All are tried, so that the time does not tell which one did. */
export function passesOne<T>(candidates: T[], passes: (candidate: T) => boolean): boolean {
	return candidates.filter(passes).length > 0;
}
