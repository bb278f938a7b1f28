import { isRecord } from '../../../service/contract';
import { plainText } from '../../../service/text';

/** In the trailer of each encrypted PDF, which itself is neither encrypted nor compressed. */
const KEY = Buffer.from('/Encrypt');

/**
 * Searches a PDF chunk by chunk. The returned function says whether the key was in the given chunk or an earlier one;
 * it may begin in one chunk and end in another.
 */
export function encryptionSearch(): (chunk: Uint8Array) => boolean {
	let isFound = false;
	let end = Buffer.alloc(0);
	return (chunk) => {
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		const border = Buffer.concat([end, bytes.subarray(0, KEY.length - 1)]);
		isFound ||= border.includes(KEY) || bytes.includes(KEY);
		end = Buffer.concat([end, bytes.subarray(1 - KEY.length)]).subarray(1 - KEY.length);
		return isFound;
	};
}

/** More are counted. */
const MAX_NAMED = 3;
const LONGEST_NAME = 60;

/** A sentence that names the encrypted documents in the `documents` of an output; empty where there are none. */
export function encryptedIn(documents: unknown): string {
	const names = [documents].flat().flatMap((document) => {
		const { encrypted, fileName } = isRecord(document) ? document : {};
		if (encrypted !== true || typeof fileName !== 'string') return [];
		return [plainText(fileName, [], LONGEST_NAME)];
	});
	if (names.length === 0) return '';
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
	const named = names.slice(0, MAX_NAMED).join(', ') + more;
	return names.length === 1
		? `${named} is encrypted. If it needs a password, ask the sender for a copy without one`
		: `${named} are encrypted. If they need a password, ask the sender for copies without one`;
}
