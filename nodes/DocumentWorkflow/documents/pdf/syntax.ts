/** The bytes of PDF syntax that decide what follows them. */
const BYTE = {
	lineFeed: 0x0a,
	carriageReturn: 0x0d,
	percent: 0x25,
	open: 0x28,
	close: 0x29,
	slash: 0x2f,
	less: 0x3c,
	greater: 0x3e,
	openArray: 0x5b,
	backslash: 0x5c,
	closeArray: 0x5d,
};
const END = -1;
const DEEPEST_NESTING = 500;

const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
	if ([0, 9, 10, 12, 13, 32].includes(byte)) return SPACE;
	return '()<>[]{}/%'.includes(String.fromCharCode(byte)) ? DELIMITER : REGULAR;
});

/** These words structure a file. Where a value is expected, they show that it is broken off. */
const STRUCTURE = new Set(['obj', 'endobj', 'stream', 'endstream', 'xref', 'trailer', 'startxref']);

export function isSpace(byte: number | undefined): boolean {
	return byte !== undefined && KINDS[byte] === SPACE;
}

export function isLineEnd(byte: number | undefined): boolean {
	return byte === BYTE.lineFeed || byte === BYTE.carriageReturn;
}

/** A part of a name, a number or a word: no white space, no delimiter, and not the end. */
export function isRegular(byte: number | undefined): boolean {
	return byte !== undefined && KINDS[byte] === REGULAR;
}

export function isDigit(byte: number | undefined): boolean {
	return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/**
 * A place in PDF syntax (ISO 32000-2, 7.2 and 7.3) that moves over what stands there. Methods that return a boolean say
 * whether they found what they skip; where they did not, the place shows how far they read.
 */
export class Cursor {
	constructor(
		readonly bytes: Buffer,
		public position: number,
	) {}

	/** The byte here, or -1 at the end. */
	get byte(): number {
		return (this.position < this.bytes.length ? this.bytes[this.position] : undefined) ?? END;
	}

	/** Moves over white space and comments. */
	skipSpace(): void {
		let inComment = false;
		for (; this.position < this.bytes.length; this.position++) {
			const byte = this.bytes[this.position];
			if (inComment) inComment = !isLineEnd(byte);
			else if (byte === BYTE.percent) inComment = true;
			else if (!isSpace(byte)) break;
		}
	}

	/** The name, number or word here, without moving over what follows it; empty where none stands. */
	word(): string {
		const start = this.position;
		this.skipRegular();
		return this.bytes.toString('latin1', start, this.position);
	}

	/** Moves over one value and the space before it. Of a reference, it moves over the first number only. */
	skipValue(depth = 0): boolean {
		this.skipSpace();
		switch (this.byte) {
			case BYTE.open:
				return this.skipLiteral();
			case BYTE.less:
				return this.atDictionary() ? this.skipDictionary(undefined, depth) : this.skipHexadecimal();
			case BYTE.openArray:
				return this.skipArray(depth);
			case BYTE.slash:
				this.position++;
				this.skipRegular();
				return true;
			default:
				return this.skipWord();
		}
	}

	atDictionary(): boolean {
		return this.byte === BYTE.less && this.bytes[this.position + 1] === BYTE.less;
	}

	/**
	 * Moves over the dictionary here; `places` gets where each key and its value begin, in turn. A key without a value is left out, and so is
	 * what stands between a value and the next key: the rest of a reference, or what readers forgive.
	 */
	skipDictionary(places?: number[], depth = 0): boolean {
		if (depth > DEEPEST_NESTING) return false;
		this.position += 2;
		for (;;) {
			this.skipSpace();
			if (this.atDictionaryEnd()) break;
			const isKey = this.byte === BYTE.slash;
			const start = this.position;
			if (!this.skipValue(depth + 1)) return false;
			if (!isKey) continue;
			this.skipSpace();
			if (this.atDictionaryEnd()) break;
			places?.push(start, this.position);
			if (!this.skipValue(depth + 1)) return false;
		}
		this.position += 2;
		return true;
	}

	private atDictionaryEnd(): boolean {
		return this.byte === BYTE.greater && this.bytes[this.position + 1] === BYTE.greater;
	}

	private skipArray(depth: number): boolean {
		if (depth > DEEPEST_NESTING) return false;
		this.position++;
		for (;;) {
			this.skipSpace();
			if (this.byte === BYTE.closeArray) break;
			if (!this.skipValue(depth + 1)) return false;
		}
		this.position++;
		return true;
	}

	private skipLiteral(): boolean {
		let open = 0;
		for (; this.byte !== END; this.position++) {
			if (this.byte === BYTE.backslash) this.position++;
			else if (this.byte === BYTE.open) open++;
			else if (this.byte === BYTE.close && --open === 0) break;
		}
		this.position++;
		return this.position <= this.bytes.length;
	}

	private skipHexadecimal(): boolean {
		const end = this.bytes.indexOf(BYTE.greater, this.position);
		this.position = end < 0 ? this.bytes.length : end + 1;
		return end >= 0;
	}

	private skipRegular(): void {
		while (this.position < this.bytes.length && isRegular(this.bytes[this.position]))
			this.position++;
	}

	private skipWord(): boolean {
		const start = this.position;
		const isLetter = this.byte > 0x39;
		this.skipRegular();
		if (
			isLetter &&
			this.position > start + 2 &&
			STRUCTURE.has(this.bytes.toString('latin1', start, this.position))
		)
			return false;
		return this.position > start;
	}
}
