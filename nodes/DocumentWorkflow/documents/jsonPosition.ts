/** In pieces: a regular expression keeps a place to come back to for each character that it takes. */
const PLAIN = /[ !#-[\]-\uffff]{1,4096}/y;
const ESCAPED = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Where a text stops being JSON, as an offset in characters; its length when it breaks off. V8 names the place for some mistakes
 * only. For a text that is valid JSON the answer is its length.
 */
export function firstMistake(text: string): number {
	/** What must come next, the innermost last. */
	const expected: Array<'value' | 'afterItem' | 'afterValue' | 'key' | 'firstKey' | 'firstItem'> = [
		'value',
	];
	let at = 0;
	const take = (pattern: RegExp): boolean => {
		pattern.lastIndex = at;
		const found = pattern.test(text);
		if (found) at = pattern.lastIndex;
		return found;
	};
	const takeSign = (sign: string): boolean => {
		if (text[at] !== sign) return false;
		at++;
		return true;
	};
	/** Piece by piece: for one pattern over a text of many megabytes V8 has not enough stack. */
	const takeString = (): boolean => {
		const start = at;
		if (!takeSign('"')) return false;
		while (take(PLAIN) || take(ESCAPED));
		if (takeSign('"')) return true;
		at = start;
		return false;
	};
	const takeValue = (): boolean => {
		if (takeSign('{')) expected.push('firstKey');
		else if (takeSign('[')) expected.push('firstItem');
		else return takeString() || take(NUMBER) || take(WORD);
		return true;
	};
	/** A key with its colon; what follows is a value. */
	const takeKey = (): boolean => {
		if (!takeString()) return false;
		take(SPACE);
		if (!takeSign(':')) return false;
		expected.push('afterValue', 'value');
		return true;
	};
	for (let next = expected.pop(); next !== undefined; next = expected.pop()) {
		take(SPACE);
		if (next === 'value') {
			if (!takeValue()) return at;
		} else if (next === 'firstItem') {
			if (takeSign(']')) continue;
			expected.push('afterItem', 'value');
		} else if (next === 'afterItem') {
			if (takeSign(']')) continue;
			if (!takeSign(',')) return at;
			expected.push('afterItem', 'value');
		} else if (next === 'afterValue') {
			if (takeSign('}')) continue;
			if (!takeSign(',')) return at;
			expected.push('key');
		} else {
			if (next === 'firstKey' && takeSign('}')) continue;
			if (!takeKey()) return at;
		}
	}
	take(SPACE);
	return at;
}

/** An offset as a person counts it. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
	const before = text.slice(0, offset).split('\n');
	return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
