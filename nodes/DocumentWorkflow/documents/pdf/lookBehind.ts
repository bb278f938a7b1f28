import type { Reference } from './dictionary';
import { isDigit, isLineEnd, isSpace } from './syntax';

/** No line is read back further, in bytes. */
const LONGEST_LINE = 256;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const PERCENT = 0x25;

/** The name of the object whose keyword `obj` stands at a place, such as `5 0` before `obj`, and where it begins. */
export function objectNameBefore(
	bytes: Buffer,
	at: number,
): (Reference & { position: number }) | undefined {
	const generation = numberBefore(bytes, at);
	const number = generation && numberBefore(bytes, generation.position);
	return (
		number && { number: number.value, generation: generation.value, position: number.position }
	);
}

/** Whether a comment began earlier on the line of this place. */
export function isInComment(bytes: Buffer, at: number): boolean {
	return commentOnLineBefore(bytes, at) !== undefined;
}

/** Where the white space before a place begins. */
export function spaceBefore(bytes: Buffer, at: number): number {
	let start = at;
	while (isSpace(bytes[start - 1])) start--;
	return start;
}

/** The number before a place, with white space or comments between. */
function numberBefore(bytes: Buffer, at: number): { value: number; position: number } | undefined {
	const end = spaceAndCommentsBefore(bytes, at);
	let position = end;
	let value = 0;
	for (let unit = 1; isDigit(bytes[position - 1]); unit *= 10)
		value += unit * ((bytes[--position] ?? 0) - 0x30);
	return position === end ? undefined : { value, position };
}

function spaceAndCommentsBefore(bytes: Buffer, at: number): number {
	for (let end = at; ;) {
		const start = spaceBefore(bytes, end);
		let space = start;
		while (space < end && !isLineEnd(bytes[space])) space++;
		const comment = space < end ? commentOnLineBefore(bytes, start) : undefined;
		if (comment === undefined) return start;
		end = comment;
	}
}

function commentOnLineBefore(bytes: Buffer, at: number): number | undefined {
	const start = Math.max(0, at - LONGEST_LINE);
	const before = bytes.subarray(start, at);
	const comment = before.indexOf(
		PERCENT,
		Math.max(before.lastIndexOf(LINE_FEED), before.lastIndexOf(CARRIAGE_RETURN)) + 1,
	);
	return comment < 0 ? undefined : start + comment;
}
