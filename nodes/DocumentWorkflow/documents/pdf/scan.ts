import { Findings } from './findings';
import { type Keyword, StructureReader } from './structure';

/** What is held of a file, in bytes: what is searched at once, what follows a keyword (its dictionary), what precedes it (the name of its object). */
const SEARCHED_BYTES = 256 * 1024;
const AHEAD_BYTES = 128 * 1024;
const BEHIND_BYTES = 1024;

/** A PDF says that it is one within this many bytes. */
const HEADER_BYTES = 1024;
const HEADER = Buffer.from('%PDF-');

const KEYWORDS: readonly Keyword[] = ['obj', 'xref', 'trailer'];
const NEEDLES = KEYWORDS.map((keyword) => ({ keyword, bytes: Buffer.from(keyword) }));

/**
 * Reads a file once, from start to end, holding less than 400 kB of it, and collects what it says of encryption. Of a file that is no PDF,
 * only the start is read.
 * @throws what reading the file throws
 */
export async function scan(file: AsyncIterable<Uint8Array>): Promise<Findings> {
	const scanner = new Scanner();
	for await (const chunk of file) {
		for (let rest = chunk; rest.length > 0;) {
			rest = rest.subarray(scanner.take(rest));
			if (!scanner.isPdf) return scanner.findings;
		}
	}
	scanner.end();
	return scanner.findings;
}

class Scanner {
	readonly findings = new Findings();

	/** True until the header turns out to be missing. */
	isPdf = true;

	private readonly structure = new StructureReader(this.findings);

	private readonly window = Buffer.allocUnsafe(BEHIND_BYTES + SEARCHED_BYTES + AHEAD_BYTES);

	/** The part of the window that holds bytes, and the place up to which it has been searched. */
	private filled = 0;

	private searched = 0;

	/** Where the window stands in the file. */
	private offset = 0;

	/** Takes as many bytes as there is room for, and returns how many they are. */
	take(bytes: Uint8Array): number {
		const taken = bytes.subarray(0, this.window.length - this.filled);
		this.window.set(taken, this.filled);
		this.filled += taken.length;
		if (this.filled === this.window.length) {
			this.search(this.filled - AHEAD_BYTES);
			this.moveOn(this.filled - AHEAD_BYTES - BEHIND_BYTES);
		}
		return taken.length;
	}

	end(): void {
		this.search(this.filled);
	}

	private search(limit: number): void {
		const bytes = this.window.subarray(0, this.filled);
		if (this.offset === 0) this.readHeader(bytes);
		if (!this.isPdf) return;
		this.structure.moveTo(bytes, this.offset);
		const upcoming = NEEDLES.map(({ keyword, bytes: needle }) => ({ keyword, needle, place: -1 }));
		for (;;) {
			let next: { keyword: Keyword; place: number } | undefined;
			for (const candidate of upcoming) {
				if (candidate.place < this.searched)
					candidate.place = placeOf(candidate.needle, bytes, this.searched);
				if (candidate.place < (next?.place ?? limit)) next = candidate;
			}
			if (next === undefined) break;
			this.searched = Math.max(next.place + 1, this.structure.read(next.keyword, next.place));
		}
		this.searched = Math.max(this.searched, limit);
	}

	private readHeader(bytes: Buffer): void {
		const place = bytes.subarray(0, HEADER_BYTES).indexOf(HEADER);
		this.isPdf = place >= 0;
		this.findings.origin = place;
	}

	private moveOn(count: number): void {
		this.window.copyWithin(0, count, this.filled);
		this.filled -= count;
		this.searched -= count;
		this.offset += count;
	}
}

function placeOf(needle: Buffer, bytes: Buffer, from: number): number {
	const place = bytes.indexOf(needle, from);
	return place < 0 ? Infinity : place;
}
