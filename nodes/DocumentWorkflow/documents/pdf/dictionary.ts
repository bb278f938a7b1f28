/** A comment, or a token of PDF (ISO 32000-2, 7.2 and 7.3); of a literal string only its first character. */
const TOKEN = /%[^\r\n]*|<<|>>|<[^<>]*>|[[\](]|\/?[^\0\t\n\f\r ()<>[\]{}/%]+/g;

/** Keywords of the file structure. Within a dictionary they show that it is broken. */
const STRUCTURE = /^(?:(?:end)?(?:obj|stream)|(?:start)?xref|trailer)$/;

/** The tokens of each value by its key, with the slash. A string is given as its bytes after an opening parenthesis. */
export class Dictionary {
	private constructor(private readonly entries: ReadonlyMap<string, readonly string[]>) {}

	/** Reads the dictionary at the beginning of a text whose characters are bytes; undefined where there is none, or a broken one. */
	static read(text: string): Dictionary | undefined {
		return Dictionary.from(tokensIn(text));
	}

	private static from(tokens: Iterable<string>): Dictionary | undefined {
		const entries = new Map<string, string[]>();
		let value: string[] | undefined;
		let depth = 0;
		for (const token of tokens) {
			if (STRUCTURE.test(token) || (depth === 0 && token !== '<<')) return undefined;
			if (depth === 1 && token === '>>') return new Dictionary(entries);
			// The name after a key is its value. When a key is there twice, the last one counts.
			if (depth === 1 && token.startsWith('/') && value?.length !== 0)
				entries.set(token, (value = []));
			else if (depth > 0) value?.push(token);
			if (token === '<<' || token === '[') depth++;
			if (token === '>>' || token === ']') depth--;
		}
		return undefined;
	}

	/** The first token of a value: a name with its slash, a number, true, false or null; empty where the key is missing. */
	word(key: string): string {
		return this.entries.get(key)?.[0] ?? '';
	}

	integer(key: string): number | undefined {
		return /^[+-]?\d+$/.test(this.word(key)) ? Number(this.word(key)) : undefined;
	}

	/** The number and the generation of an indirect object. */
	reference(key: string): [number: string, generation: string] | undefined {
		const words = this.entries.get(key)?.slice(0, 3).join(' ') ?? '';
		const [, number = '', generation = ''] = /^0*(\d{1,10}) 0*(\d{1,5}) R$/.exec(words) ?? [];
		return number === '' ? undefined : [number, generation];
	}

	/** The bytes of a string, or of the first string of an array. */
	string(key: string): Buffer | undefined {
		const [first, second] = this.entries.get(key) ?? [];
		const token = first === '[' ? second : first;
		return token?.startsWith('(') === true ? Buffer.from(token.slice(1), 'latin1') : undefined;
	}

	dictionary(key: string): Dictionary | undefined {
		return Dictionary.from(this.entries.get(key) ?? []);
	}
}

function* tokensIn(text: string): Generator<string> {
	const pattern = new RegExp(TOKEN);
	for (let token = pattern.exec(text)?.[0]; token !== undefined; token = pattern.exec(text)?.[0]) {
		if (token === '(') {
			const start = pattern.lastIndex;
			pattern.lastIndex = endOfString(text, start);
			yield `(${literalString(text.slice(start, pattern.lastIndex - 1))}`;
		} else if (token.startsWith('<') && token !== '<<') {
			yield `(${hexadecimalString(token)}`;
		} else if (!token.startsWith('%')) {
			yield token.startsWith('/') ? decodedName(token) : token;
		}
	}
}

/** The place after the closing parenthesis of a string. */
function endOfString(text: string, start: number): number {
	const pattern = /\\.|[()]/gs;
	pattern.lastIndex = start;
	let depth = 1;
	for (let sign = pattern.exec(text)?.[0]; sign !== undefined; sign = pattern.exec(text)?.[0]) {
		if (sign === '(') depth++;
		if (sign === ')' && --depth === 0) return pattern.lastIndex;
	}
	return text.length + 1;
}

/** The meaning of a backslash before these characters. Before others it has none. */
const ESCAPES: Readonly<Record<string, string>> = {
	...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' },
	...{ '\n': '', '\r': '', '\r\n': '' },
};

function literalString(written: string): string {
	return written.replace(/\\([0-7]{1,3}|\r\n|.)|\r\n?/gs, (_, escape?: string) => {
		// Every line end means a line feed.
		if (escape === undefined) return '\n';
		return /^[0-7]/.test(escape) ? characterOf(escape, 8) : (ESCAPES[escape] ?? escape);
	});
}

function hexadecimalString(token: string): string {
	const digits = token.replace(/[^0-9a-f]/gi, '');
	return Buffer.from(`${digits}0`.slice(0, digits.length + (digits.length % 2)), 'hex').toString(
		'latin1',
	);
}

/** `/#45ncrypt` means Encrypt (7.3.5). */
function decodedName(token: string): string {
	return token.replace(/#([0-9a-f]{2})/gi, (_, digits: string) => characterOf(digits, 16));
}

function characterOf(digits: string, base: number): string {
	return String.fromCharCode(parseInt(digits, base) & 0xff);
}
