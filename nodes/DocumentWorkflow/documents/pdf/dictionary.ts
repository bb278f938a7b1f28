import { stringAt } from './strings';
import { Cursor, isDigit, isRegular } from './syntax';

const SLASH = 0x2f;
const NUMBER_SIGN = 0x23;
const OPEN_ARRAY = 0x5b;

/** The name of an indirect object. */
export interface Reference {
	number: number;
	generation: number;
}

/** Entries of a dictionary, read when they are asked for. It is good as long as the bytes stand where they are. An entry of another type counts as missing. */
export class Dictionary {
	private constructor(
		private readonly bytes: Buffer,
		/** Where each key and its value begin, in turn. */
		private readonly places: readonly number[],
	) {}

	/** Reads the dictionary at the cursor and moves over it; undefined where none stands, or a broken one. */
	static read(cursor: Cursor): Dictionary | undefined {
		const places: number[] = [];
		return cursor.atDictionary() && cursor.skipDictionary(places)
			? new Dictionary(cursor.bytes, places)
			: undefined;
	}

	has(key: string): boolean {
		return this.at(key) !== undefined;
	}

	name(key: string): string | undefined {
		const cursor = this.at(key);
		return cursor?.byte === SLASH ? nameAt(cursor) : undefined;
	}

	integer(key: string): number | undefined {
		const word = this.at(key)?.word() ?? '';
		return /^[+-]?\d+$/.test(word) && this.reference(key) === undefined ? Number(word) : undefined;
	}

	boolean(key: string): boolean | undefined {
		const word = this.at(key)?.word();
		return word === 'true' || word === 'false' ? word === 'true' : undefined;
	}

	reference(key: string): Reference | undefined {
		const cursor = this.at(key);
		if (!isDigit(cursor?.byte)) return undefined;
		const words = [0, 1, 2].map(() => {
			const word = cursor?.word() ?? '';
			cursor?.skipSpace();
			return word;
		});
		const [, number, generation] = /^(\d+) (\d+) R$/.exec(words.join(' ')) ?? [];
		return number === undefined
			? undefined
			: { number: Number(number), generation: Number(generation) };
	}

	/** The bytes of a string, undefined where it is not one. They are a copy. */
	string(key: string): Buffer | undefined {
		const cursor = this.at(key);
		return cursor && stringAt(cursor.bytes, cursor.position);
	}

	/** The first string of an array. */
	firstString(key: string): Buffer | undefined {
		const cursor = this.at(key);
		if (cursor?.byte !== OPEN_ARRAY) return undefined;
		cursor.position++;
		cursor.skipSpace();
		return stringAt(cursor.bytes, cursor.position);
	}

	dictionary(key: string): Dictionary | undefined {
		const cursor = this.at(key);
		return cursor && Dictionary.read(cursor);
	}

	/** The value of a key. When the key is there twice, the last one counts. */
	private at(key: string): Cursor | undefined {
		for (let index = this.places.length - 2; index >= 0; index -= 2) {
			if (this.isKey(key, this.places[index] ?? 0))
				return new Cursor(this.bytes, this.places[index + 1] ?? 0);
		}
		return undefined;
	}

	private isKey(key: string, place: number): boolean {
		for (let index = 0; index < key.length; index++) {
			const byte = this.bytes[place + 1 + index];
			if (byte === NUMBER_SIGN) return nameAt(new Cursor(this.bytes, place)) === key;
			if (byte !== key.charCodeAt(index)) return false;
		}
		return !isRegular(this.bytes[place + 1 + key.length]);
	}
}

/** The name whose slash stands here, as it is meant: `/#45ncrypt` is Encrypt (ISO 32000-2, 7.3.5). */
function nameAt(cursor: Cursor): string {
	cursor.position++;
	return cursor
		.word()
		.replace(/#([0-9A-Fa-f]{2})/g, (_, digits: string) =>
			String.fromCharCode(parseInt(digits, 16)),
		);
}
