import { Dictionary } from './dictionary';
import { opensWithEmptyPassword } from './emptyPassword';

/** The header is within this many bytes. */
const HEADER_BYTES = 1024;

/** A file is read in parts. They overlap, so that a dictionary up to this length is whole in one of them. */
const PART_BYTES = 256 * 1024;
const OVERLAP_BYTES = 64 * 1024;

/** The current trailer is at the end of a file, or at the beginning of a linearized one. */
const PARTS_AT_END = 4;

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
 * A part as it was read. The next one overwrites its bytes, because new memory for each part of a large file would cost
 * more than reading it.
 */
interface BytesOfPart {
	offset: number;
	bytes: Buffer;
}

function textOf({ offset, bytes }: BytesOfPart): Part {
	return { offset, text: bytes.toString('latin1') };
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

/** The first part and the last ones, in order; none for a file that is no PDF. */
async function endsOf(bytes: AsyncIterable<Uint8Array>): Promise<Part[]> {
	const first: Part[] = [];
	const last: BytesOfPart[] = [];
	for await (const part of partsOf(bytes)) {
		if (part.offset === 0) {
			first.push(textOf(part));
			if (first.every((each) => originOf(each) < 0)) return [];
		} else {
			const oldest = last.length === PARTS_AT_END ? last.shift() : undefined;
			last.push(copyOf(part, oldest?.bytes ?? Buffer.allocUnsafe(PART_BYTES)));
		}
	}
	return [...first, ...last.map(textOf)];
}

/** `memory` has room for any part. Only the last part is shorter than others. */
function copyOf({ offset, bytes }: BytesOfPart, memory: Buffer): BytesOfPart {
	bytes.copy(memory);
	return { offset, bytes: memory.subarray(0, bytes.length) };
}

/** Where the PDF begins in the file. Its offsets may count from there. */
function originOf({ text }: Part): number {
	return text.slice(0, HEADER_BYTES).indexOf('%PDF-');
}

async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BytesOfPart> {
	const held = Buffer.allocUnsafe(PART_BYTES);
	let length = 0;
	let offset = 0;
	for await (const chunk of bytes) {
		for (let rest = chunk; rest.length > 0;) {
			const taken = rest.subarray(0, PART_BYTES - length);
			rest = rest.subarray(taken.length);
			held.set(taken, length);
			length += taken.length;
			if (length < PART_BYTES) continue;
			yield { offset, bytes: held };
			held.copyWithin(0, PART_BYTES - OVERLAP_BYTES);
			offset += PART_BYTES - OVERLAP_BYTES;
			length = OVERLAP_BYTES;
		}
	}
	yield { offset, bytes: held.subarray(0, length) };
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
	for await (const part of partsOf(open())) {
		const { text } = textOf(part);
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
