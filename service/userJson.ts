import type { JsonRecord } from './contract';
import { fault } from './errors';
import { isRecord, MAX_LEVELS } from './json';
import type { Fault } from './http';

export type ReadJson = { ok: true; value: JsonRecord } | { ok: false; mistake: Fault };

/**
 * Reads a JSON object, and never alters it. JSON.parse would round long numbers, write 1.10 as 1.1, and drop the first
 * of two values with the same name; here all these are mistakes. An empty text is an empty object.
 */
export function readJsonObject(text: string): ReadJson {
	if (text.trim() === '') return { ok: true, value: {} };
	const mistake = mistakeInJson(text);
	if (mistake !== undefined) return { ok: false, mistake };
	const value: unknown = JSON.parse(text);
	return isRecord(value)
		? { ok: true, value }
		: { ok: false, mistake: fault(`must be an object, but is ${kindOf(value)}`, 'Correct it') };
}

/** The first mistake in the JSON text of any value. */
export function mistakeInJson(text: string): Fault | undefined {
	return new Scan(text).firstMistake();
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const WORD = /true|false|null/y;
/** In a text: everything but quotes, backslashes and control characters. */
const PLAIN = /[^"\\\p{Cc}]*/uy;
/** An escape, or control characters that JSON allows. */
const ESCAPED = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[\u007f-\u009f]/y;

/** Goes through a JSON text. Each method reads one part of it, and returns the mistake there if there is one. */
class Scan {
	private at = 0;

	constructor(private readonly text: string) {}

	firstMistake(): Fault | undefined {
		const mistake = this.value(0);
		if (mistake !== undefined) return mistake;
		return this.at < this.text.length ? this.mistake('there is text after the object') : undefined;
	}

	/** A value with the white space around it. */
	private value(depth: number): Fault | undefined {
		this.take(WHITE_SPACE);
		const mistake = this.bareValue(depth);
		this.take(WHITE_SPACE);
		return mistake;
	}

	private bareValue(depth: number): Fault | undefined {
		if (depth > MAX_LEVELS) return this.mistake(`it has more than ${MAX_LEVELS} levels`);
		if (this.takes('"')) return this.restOfText();
		const names = new Set<string>();
		if (this.takes('{')) return this.restOf('}', () => this.namedValue(names, depth + 1));
		if (this.takes('[')) return this.restOf(']', () => this.value(depth + 1));
		const from = this.at;
		const number = this.take(NUMBER);
		if (number === '')
			return this.take(WORD) === '' ? this.mistake('a value is expected') : undefined;
		return isKept(number)
			? undefined
			: this.mistake('the number cannot be sent exactly as written', from, 'Write it in quotes');
	}

	private restOf(end: string, entry: () => Fault | undefined): Fault | undefined {
		this.take(WHITE_SPACE);
		if (this.takes(end)) return undefined;
		do {
			const mistake = entry();
			if (mistake !== undefined) return mistake;
		} while (this.takes(','));
		return this.takes(end) ? undefined : this.mistake(`a comma or ${end} is expected`);
	}

	private namedValue(names: Set<string>, depth: number): Fault | undefined {
		this.take(WHITE_SPACE);
		const from = this.at;
		if (!this.takes('"')) return this.mistake('a name in double quotes is expected');
		const inName = this.restOfText();
		if (inName !== undefined) return inName;
		const name = String(JSON.parse(this.text.slice(from, this.at)));
		if (names.has(name)) return this.mistake('a name appears twice', from, 'Remove one of the two');
		names.add(name);
		this.take(WHITE_SPACE);
		return this.takes(':') ? this.value(depth) : this.mistake('a colon is expected');
	}

	private restOfText(): Fault | undefined {
		const from = this.at - 1;
		do this.take(PLAIN);
		while (this.take(ESCAPED) !== '');
		if (this.takes('"')) return undefined;
		if (this.at === this.text.length) return this.mistake('a text has no closing quote', from);
		return this.text[this.at] === '\\'
			? this.mistake('a backslash must be written twice')
			: this.mistake('a line break or tab in a text must be written as \\n or \\t');
	}

	private takes(sign: string): boolean {
		const isThere = this.text.startsWith(sign, this.at);
		if (isThere) this.at += sign.length;
		return isThere;
	}

	private take(pattern: RegExp): string {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.text)?.[0] ?? '';
		this.at += found.length;
		return found;
	}

	/** Names the place and quotes nothing, because the text may be secret. */
	private mistake(what: string, at = this.at, cure?: string): Fault {
		const before = this.text.slice(0, at);
		const place = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
		return cure === undefined
			? fault(`is not valid JSON: ${what} at ${place}`, 'Correct it')
			: fault(`cannot be sent as it is: ${what} at ${place}`, cure);
	}
}

/** Whether JSON keeps a number. An integer beyond 2^53 may have been rounded before, in an expression. */
function isKept(number: string): boolean {
	const value = Number(number);
	return String(value) === number && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
