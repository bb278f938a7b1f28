import type { Reference } from './dictionary';
import type { Encryption } from './encryption';

/** A cross-reference section with its trailer, of which a PDF has one, and one more for each time it was updated. Offsets count from the start of the file. */
export interface Section {
	/** Where the white space in front of it begins: a pointer to it may point there too. */
	from: number;
	offset: number;
	/** The encryption itself, or the object that holds it. */
	encryption?: Encryption | Reference;
	/** The first string of `ID`. */
	documentId?: Buffer;
	/** A linearized file has a section without, which is not to be read on its own. */
	hasRoot: boolean;
}

/** An object that may be the encryption of the document, if a trailer says so. */
export interface EncryptionObject extends Reference {
	offset: number;
	encryption: Encryption;
}

/** `startxref`: where the section stands from which a document is read. */
export interface Pointer {
	offset: number;
	target: number;
}

/** How many of each kind are kept. Those that count stand at the end of a file, or at the start of a linearized one. */
const MOST = 128;
const MOST_AT_START = 32;

/** What was seen of a PDF's structure, in the order of the file; bounded, whatever the file holds. */
export class Findings {
	/** Where the PDF begins in the file: offsets that stand in it may count from there. */
	origin = 0;

	private readonly sections: Section[] = [];

	private readonly objects: EncryptionObject[] = [];

	private readonly pointers: Pointer[] = [];

	addSection(section: Section): void {
		keep(this.sections, section);
	}

	addObject(object: EncryptionObject): void {
		keep(this.objects, object);
	}

	addPointer(pointer: Pointer): void {
		keep(this.pointers, pointer);
	}

	/** Takes back what was found behind an offset, because it is the content of a stream. */
	forgetSince(start: number): void {
		for (const list of [this.sections, this.objects, this.pointers]) {
			while ((list.at(-1)?.offset ?? -1) >= start) list.pop();
		}
	}

	/** The encryption of the document as it was last saved, undefined when it has none. */
	encryption(): { encryption: Encryption; documentId: Buffer } | undefined {
		const { encryption: named, documentId = Buffer.alloc(0) } = this.currentSection() ?? {};
		if (named === undefined) return undefined;
		const encryption = 'handler' in named ? named : this.objectOf(named)?.encryption;
		return encryption && { encryption, documentId };
	}

	/** The section at the last pointer. When the pointer is wrong, readers repair the document from what is there; the last section is the newest then. */
	private currentSection(): Section | undefined {
		const target = this.pointers.at(-1)?.target ?? -1;
		return (
			this.sectionAt(target + this.origin) ??
			this.sectionAt(target) ??
			this.sections.findLast(({ hasRoot }) => hasRoot)
		);
	}

	private sectionAt(target: number): Section | undefined {
		return this.sections.findLast(({ from, offset }) => from <= target && target <= offset);
	}

	private objectOf(reference: Reference): EncryptionObject | undefined {
		return this.objects.findLast(
			({ number, generation }) =>
				number === reference.number && generation === reference.generation,
		);
	}
}

function keep<T>(list: T[], found: T): void {
	if (list.length === MOST) list.splice(MOST_AT_START, 1);
	list.push(found);
}
