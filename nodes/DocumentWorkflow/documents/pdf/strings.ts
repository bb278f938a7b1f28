/** No string that the encryption of a document needs is longer; the rest of a longer one is left out. */
const LONGEST_BYTES = 1024;

const ESCAPES: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, f: 0x0c };

/** The bytes that a literal or hexadecimal string at this place stands for (ISO 32000-2, 7.3.4), undefined where none stands. */
export function stringAt(bytes: Buffer, at: number): Buffer | undefined {
	const first = String.fromCharCode(bytes[at] ?? 0);
	if (first === '(') return copyOf(literal(bytes, at + 1));
	return first === '<' && bytes[at + 1] !== bytes[at]
		? copyOf(hexadecimal(bytes, at + 1))
		: undefined;
}

function copyOf(values: Iterable<number>): Buffer {
	const kept: number[] = [];
	for (const value of values) if (kept.push(value) === LONGEST_BYTES) break;
	// Not Buffer.from: its small buffers keep shared blocks of 8 kB alive.
	const copy = Buffer.alloc(kept.length);
	copy.set(kept);
	return copy;
}

function* literal(bytes: Buffer, start: number): Generator<number> {
	let open = 1;
	for (let at = start; at < bytes.length; at++) {
		const character = String.fromCharCode(bytes[at] ?? 0);
		if (character === '(') open++;
		if (character === ')' && --open === 0) return;
		if (character === '\r') {
			// The end of a line is one line feed, however it is written.
			yield 0x0a;
			if (bytes[at + 1] === 0x0a) at++;
		} else if (character !== '\\') {
			yield character.charCodeAt(0);
		} else {
			const octal = /^[0-7]+/.exec(bytes.toString('latin1', at + 1, at + 4))?.[0];
			const escaped = String.fromCharCode(bytes[at + 1] ?? 0);
			at += octal?.length ?? 1;
			if (octal !== undefined) yield parseInt(octal, 8);
			else if (escaped === '\r' && bytes[at + 1] === 0x0a) at++;
			else if (escaped !== '\r' && escaped !== '\n')
				yield ESCAPES[escaped] ?? escaped.charCodeAt(0);
		}
	}
}

function* hexadecimal(bytes: Buffer, start: number): Generator<number> {
	let high: number | undefined;
	for (let at = start; at < bytes.length; at++) {
		const character = String.fromCharCode(bytes[at] ?? 0);
		if (character === '>') break;
		const digit = parseInt(character, 16);
		if (Number.isNaN(digit)) continue;
		if (high === undefined) {
			high = digit;
		} else {
			yield high * 16 + digit;
			high = undefined;
		}
	}
	if (high !== undefined) yield high * 16;
}
