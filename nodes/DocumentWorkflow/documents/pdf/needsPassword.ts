import { Dictionary } from './dictionary';
import { opensWithEmptyPassword } from './emptyPassword';

/** The header is within this many bytes. */
const HEADER_BYTES = 1024;

/** A file is searched in parts. They overlap, so that a dictionary up to this length is whole in one of them. */
const PART_BYTES = 256 * 1024;
const OVERLAP_BYTES = 64 * 1024;

/** The current trailer is at the end of a file, or at the beginning of a linearized one. */
const END_BYTES = 768 * 1024;

const SPACE = String.raw`[\0\t\n\f\r ]`;
const POINTER = new RegExp(String.raw`(?<=[\r\n])startxref${SPACE}+(\d+)`, 'g');
/** What precedes the dictionary of a cross-reference section: a table, or the head of a stream. */
const SECTION_HEAD = new RegExp(
	String.raw`^${SPACE}*(?:xref.*?${SPACE}trailer|\d+${SPACE}+\d+${SPACE}*obj)`,
	's',
);

/** A part of a file, as a text whose characters are bytes. */
interface Part {
	offset: number;
	text: string;
}

/**
 * Whether a PDF opens only with a password, or a certificate. False for an owner password alone, which restricts printing or editing,
 * and for a document of which only the attached files are encrypted. False also for a file that is no PDF, or too damaged to tell.
 * Holds less than 2 MB of the file in memory, whatever its size.
 * @param open reads the file from its beginning; called twice when the file is encrypted
 * @throws what reading the file throws, and nothing else
 */
export async function needsPassword(open: () => AsyncIterable<Uint8Array>): Promise<boolean> {
	const trailer = trailerIn(await endsOf(open()));
	const encryption = trailer && (await encryptionOf(trailer, open));
	return (
		encryption?.word('/Filter').startsWith('/') === true &&
		isContentEncrypted(encryption) &&
		!opensWithEmptyPassword(encryption, trailer?.string('/ID') ?? Buffer.alloc(0))
	);
}

/** The first part and the end, in order; only one part of a short file, and none of a file that is no PDF. */
async function endsOf(bytes: AsyncIterable<Uint8Array>): Promise<Part[]> {
	const begin: Uint8Array[] = [];
	const end: Uint8Array[] = [];
	let read = 0;
	let kept = 0; // bytes in `end`
	for await (const chunk of bytes) {
		if (read < PART_BYTES) {
			begin.push(chunk.subarray(0, PART_BYTES - read));
			if (read + chunk.length >= PART_BYTES && !isPdf(begin)) return [];
		}
		read += chunk.length;
		const last = chunk.subarray(-END_BYTES);
		kept += last.length;
		end.push(last);
		while (kept - (end[0]?.length ?? 0) >= END_BYTES) kept -= end.shift()?.length ?? 0;
	}
	if (!isPdf(begin)) return [];
	const rest = { offset: read - kept, text: latin1(end) };
	return rest.offset === 0 ? [rest] : [{ offset: 0, text: latin1(begin) }, rest];
}

function isPdf(begin: Uint8Array[]): boolean {
	return Buffer.concat(begin).subarray(0, HEADER_BYTES).includes('%PDF-');
}

function latin1(chunks: Uint8Array[]): string {
	return Buffer.concat(chunks).toString('latin1');
}

/** Where the PDF begins in the file. Its offsets may count from there. */
function originOf({ text }: Part): number {
	return text.indexOf('%PDF-');
}

async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const held = Buffer.allocUnsafe(PART_BYTES);
	let length = 0;
	for await (const chunk of bytes) {
		for (let rest = chunk; rest.length > 0;) {
			const taken = rest.subarray(0, PART_BYTES - length);
			rest = rest.subarray(taken.length);
			held.set(taken, length);
			length += taken.length;
			if (length < PART_BYTES) continue;
			yield held.toString('latin1');
			held.copyWithin(0, PART_BYTES - OVERLAP_BYTES);
			length = OVERLAP_BYTES;
		}
	}
	yield held.toString('latin1', 0, length);
}

/** The trailer of the last save: at the offset after the last `startxref`, or the last trailer if that offset is wrong. */
function trailerIn(ends: Part[]): Dictionary | undefined {
	const [first] = ends;
	if (first === undefined) return undefined;
	const pointers = ends.flatMap(({ text }) => [...text.matchAll(POINTER)]);
	const target = Number(pointers.at(-1)?.[1]);
	return trailerAt(target + originOf(first), ends) ?? trailerAt(target, ends) ?? lastTrailer(ends);
}

function trailerAt(target: number, ends: Part[]): Dictionary | undefined {
	const part = ends.findLast(({ offset }) => offset <= target);
	const text = part?.text.slice(target - part.offset) ?? '';
	const [head] = SECTION_HEAD.exec(text) ?? [];
	return head === undefined ? undefined : trailerFrom(text.slice(head.length));
}

function lastTrailer(ends: Part[]): Dictionary | undefined {
	const pieces = ends.flatMap(({ text }) => text.split(/trailer|obj/));
	return pieces
		.reverse()
		.map((piece) => (piece.includes('/Root') ? trailerFrom(piece) : undefined))
		.find((trailer) => trailer !== undefined);
}

/** Ignores the trailer without Root that a linearized file has too. */
function trailerFrom(text: string): Dictionary | undefined {
	const trailer = Dictionary.read(text);
	return trailer?.word('/Root') ? trailer : undefined;
}

/** The encryption dictionary: within the trailer, or the last object with the number given there. */
async function encryptionOf(
	trailer: Dictionary,
	open: () => AsyncIterable<Uint8Array>,
): Promise<Dictionary | undefined> {
	const reference = trailer.reference('/Encrypt');
	if (reference === undefined) return trailer.dictionary('/Encrypt');
	const [number, generation] = reference;
	const head = new RegExp(
		String.raw`(?<!\d)0*${number}${SPACE}+0*${generation}${SPACE}*obj(?=${SPACE}*<<)`,
		'g',
	);
	let object = '';
	for await (const text of partsOf(open())) {
		const found = [...text.matchAll(head)].at(-1);
		if (found) object = text.slice(found.index + found[0].length);
	}
	return Dictionary.read(object);
}

/** False when streams and strings use the crypt filter Identity (7.6.6): then only attached files are encrypted. */
function isContentEncrypted(encryption: Dictionary): boolean {
	return (
		(encryption.integer('/V') ?? 0) < 4 ||
		['/StmF', '/StrF'].some((key) => !['', 'null', '/Identity'].includes(encryption.word(key)))
	);
}
