import { COMPOUND } from './knownTypes';

const LOCAL_HEADER = 'PK\x03\x04';
const LOCAL_HEADER_BYTES = 30;

/** With what a document of Word, Excel or PowerPoint begins; any other archive may hold one. */
const FIRST_OF_OFFICE =
	/^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|word\/|xl\/|ppt\/)/;
const PART_OF_OFFICE = /^(word|xl|ppt)\/.*\.(?:xml|rels|bin)$/;
const OPEN_DOCUMENT =
	/^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)(?=PK)/;

const OFFICE_FOLDERS: Record<string, string> = {
	word: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	xl: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	ppt: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** What a ZIP archive holds, by the names of the files at its beginning. */
export function zipFormat(head: Buffer): string {
	const text = head.toString('latin1');
	const names: string[] = [];
	for (
		let at = text.indexOf(LOCAL_HEADER);
		at >= 0 && at + LOCAL_HEADER_BYTES <= head.length;
		at = text.indexOf(LOCAL_HEADER, at + 1)
	) {
		const nameEnd = at + LOCAL_HEADER_BYTES + head.readUInt16LE(at + 26);
		const name = text.slice(at + LOCAL_HEADER_BYTES, nameEnd);
		if (at === 0 && name === 'mimetype')
			return (
				OPEN_DOCUMENT.exec(text.slice(nameEnd + head.readUInt16LE(28)))?.[0] ?? 'application/zip'
			);
		names.push(name);
	}
	if (!FIRST_OF_OFFICE.test(names[0] ?? '')) return 'application/zip';
	const folder = names
		.map((name) => PART_OF_OFFICE.exec(name)?.[1])
		.find((found) => found !== undefined);
	return OFFICE_FOLDERS[folder ?? ''] ?? 'application/zip';
}

/** Those of 4,096 bytes are rare, and leave no directory within the head. */
const SECTOR_BYTES = 512;
const DIRECTORY_ENTRY_BYTES = 128;

const STREAMS: Array<[name: string, mediaType: string]> = [
	['__properties_version1.0', 'application/vnd.ms-outlook'],
	['__nameid_version1.0', 'application/vnd.ms-outlook'],
	['WordDocument', 'application/msword'],
	['Workbook', 'application/vnd.ms-excel'],
	['Book', 'application/vnd.ms-excel'],
	['PowerPoint Document', 'application/vnd.ms-powerpoint'],
];

/** What a compound file holds, where its directory is within the head; it may be anywhere in the file. */
export function compoundFormat(head: Buffer): string {
	if (head.length < SECTOR_BYTES) return COMPOUND;
	const names = new Set<string>();
	for (
		let at = (head.readUInt32LE(48) + 1) * SECTOR_BYTES;
		at + DIRECTORY_ENTRY_BYTES <= head.length;
		at += DIRECTORY_ENTRY_BYTES
	) {
		const nameBytes = Math.min(head.readUInt16LE(at + 64), 64);
		names.add(head.toString('utf16le', at, at + Math.max(nameBytes - 2, 0)));
	}
	return STREAMS.find(([name]) => names.has(name))?.[1] ?? COMPOUND;
}
