import { Dictionary } from './dictionary';
import { encryptionIn } from './encryption';
import type { Findings, Section } from './findings';
import { isInComment, objectNameBefore, spaceBefore } from './lookBehind';
import { Cursor, isRegular, isSpace } from './syntax';

/** The words around which a PDF is built. */
export type Keyword = 'obj' | 'xref' | 'trailer';

/** Bytes that may be read again for nothing, beside as many as have been read at all: a bound for hostile files. */
const FREE_REREADING = 4 * 1024 * 1024;

const START = Buffer.from('start');
const STREAM = Buffer.from('stream');
const END_OF_STREAM = Buffer.from('endstream');

/** Reads what stands at the keywords of a PDF, in the order of the file, and keeps what tells of encryption. */
export class StructureReader {
	/** The part of the file at hand; its first byte is at this offset in the file. */
	private bytes: Buffer = Buffer.alloc(0);

	private offset = 0;

	/** The table that the next trailer belongs to. */
	private table: Pick<Section, 'from' | 'offset'> | undefined;

	/** The content of the stream last begun, by the length that its dictionary gives. Offsets in the file. */
	private stream: { start: number; end: number } | undefined;

	private reread = 0;

	constructor(private readonly findings: Findings) {}

	/** Sets the part of the file that is at hand. */
	moveTo(bytes: Buffer, offset: number): void {
		this.bytes = bytes;
		this.offset = offset;
	}

	/** Reads what stands at a keyword and returns where to look for the next one. Places count from the start of the part at hand. */
	read(keyword: Keyword, at: number): number {
		this.endStreamBefore(at);
		const start = at + keyword.length;
		const cursor = new Cursor(this.bytes, start);
		const isRead = this.isRead(keyword, cursor, at);
		// What seems to be structure in a stream must not hide what follows the stream.
		if (isRead && this.offset + cursor.position <= (this.stream?.end ?? Infinity))
			return cursor.position;
		this.reread += cursor.position - start;
		return this.reread > this.offset + at + FREE_REREADING ? cursor.position : start;
	}

	private isRead(keyword: Keyword, cursor: Cursor, at: number): boolean {
		switch (keyword) {
			case 'obj':
				return this.readObject(cursor, at);
			case 'trailer':
				return this.readTrailer(cursor, at);
			case 'xref':
				return this.stands(START, at - START.length)
					? this.readPointer(cursor, at - START.length)
					: this.readTable(at);
		}
	}

	private readObject(cursor: Cursor, at: number): boolean {
		const name = objectNameBefore(this.bytes, at);
		if (name === undefined) return false;
		cursor.skipSpace();
		if (!cursor.atDictionary()) return cursor.skipValue();
		const dictionary = Dictionary.read(cursor);
		if (dictionary === undefined) return false;
		const offset = this.offset + name.position;
		cursor.skipSpace();
		if (this.stands(STREAM, cursor.position)) {
			this.enterStream(cursor, dictionary);
			if (dictionary.name('Type') === 'XRef')
				this.addSection(dictionary, this.placeOf(name.position));
		} else {
			const encryption = encryptionIn(dictionary);
			if (encryption !== undefined)
				this.findings.addObject({
					number: name.number,
					generation: name.generation,
					offset,
					encryption,
				});
		}
		return true;
	}

	/** Leaves the stream that ends before a place: when it ends as its dictionary says, nothing in it is structure. */
	private endStreamBefore(place: number): void {
		if (this.stream === undefined || this.stream.end > this.offset + place) return;
		let end = this.stream.end - this.offset;
		while (isSpace(this.bytes[end])) end++;
		if (this.stands(END_OF_STREAM, end)) this.findings.forgetSince(this.stream.start);
		this.stream = undefined;
	}

	private enterStream(cursor: Cursor, dictionary: Dictionary): void {
		const length = dictionary.integer('Length') ?? -1;
		cursor.position += STREAM.length;
		if (cursor.byte === 0x0d) cursor.position++;
		if (cursor.byte === 0x0a) cursor.position++;
		const start = this.offset + cursor.position;
		if (this.stream === undefined && length >= 0) this.stream = { start, end: start + length };
	}

	private readTrailer(cursor: Cursor, at: number): boolean {
		if (!this.standsAlone(at)) return false;
		cursor.skipSpace();
		const dictionary = Dictionary.read(cursor);
		if (dictionary === undefined) return false;
		this.addSection(dictionary, this.table ?? this.placeOf(at));
		this.table = undefined;
		return true;
	}

	private readTable(at: number): boolean {
		if (this.standsAlone(at)) this.table = this.placeOf(at);
		return true;
	}

	private readPointer(cursor: Cursor, at: number): boolean {
		if (!this.standsAlone(at)) return false;
		cursor.skipSpace();
		const target = cursor.word();
		if (!/^\d+$/.test(target)) return false;
		this.findings.addPointer({ offset: this.offset + at, target: Number(target) });
		return true;
	}

	private addSection(dictionary: Dictionary, place: Pick<Section, 'from' | 'offset'>): void {
		const direct = dictionary.dictionary('Encrypt');
		const encryption =
			direct === undefined ? dictionary.reference('Encrypt') : encryptionIn(direct);
		const documentId = encryption && dictionary.firstString('ID');
		this.findings.addSection({ ...place, encryption, documentId, hasRoot: dictionary.has('Root') });
	}

	private placeOf(at: number): Pick<Section, 'from' | 'offset'> {
		return { from: this.offset + spaceBefore(this.bytes, at), offset: this.offset + at };
	}

	/** Whether a keyword at a place is neither the end of a longer word nor in a comment. */
	private standsAlone(at: number): boolean {
		return !isRegular(this.bytes[at - 1]) && !isInComment(this.bytes, at);
	}

	private stands(word: Buffer, at: number): boolean {
		for (let index = 0; index < word.length; index++)
			if (this.bytes[at + index] !== word[index]) return false;
		return true;
	}
}
