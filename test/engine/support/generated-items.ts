/** Random input items, each with the documents that the service must receive. */
import { sha256 } from './service';
import type { InputFile, InputItem } from './helper-nodes';
import { fc } from '../../properties';

/** A document as it must arrive, and its field. */
export interface ExpectedDocument {
	fileName: string;
	mediaType: string;
	bytes: number;
	sha256: string;
	fieldName: string;
}

export interface GeneratedItem {
	/** Its JSON has `patterns` for 'Input Data Field Name'. */
	input: InputItem;
	/** The documents that match the patterns, in the order of sending. */
	documents: ExpectedDocument[];
}

interface GeneratedFile {
	file: InputFile;
	mediaType: string;
}

const NO_TEXT = '\0';

/** By extension: the media type, and how the content begins. */
const TYPES: Array<[extension: string, mediaType: string, start: string]> = [
	['pdf', 'application/pdf', '%PDF-1.7\n'],
	['png', 'image/png', '\x89PNG\r\n\x1a\n'],
	['txt', 'text/plain', NO_TEXT],
	['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK\x03\x04'],
];

/** A document is a part of these bytes after a mark. */
const BYTES = Buffer.alloc(1_000_000);
for (let index = 0, state = 1; index < BYTES.length; index++)
	BYTES[index] = (state = (state * 48_271) % 2_147_483_647) & 0xff;

const oneOf = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const textOf = (signs: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
	fc.array(oneOf([...signs]), { minLength, maxLength }).map((parts) => parts.join(''));

const size = fc.oneof(
	{ weight: 1, arbitrary: fc.constant(0) },
	{ weight: 8, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
	{ weight: 2, arbitrary: oneOf([1, 4_099, 4_100, 4_101, 65_535, 65_536, 65_537]) },
	{ weight: 1, arbitrary: fc.integer({ min: 2_000, max: 300_000 }) },
);

/** Nothing, or content that begins with `start`. There are few marks, so that some documents are equal. */
const contentOf = (start: string): fc.Arbitrary<Buffer> =>
	fc
		.tuple(size, fc.integer({ min: 0, max: 50 }))
		.map(([bytes, mark]) =>
			Buffer.concat([
				Buffer.from(start, 'latin1'),
				Buffer.from([mark]),
				BYTES.subarray(mark, mark + bytes),
			]).subarray(0, bytes === 0 ? 0 : Math.max(bytes, start.length)),
		);

/** Names that need no change, with characters that are special in headers, patterns and URLs. */
const goodName = fc
	.tuple(
		textOf('abzABZ019äß№保📄', 1, 4),
		textOf('ab 19ü保📄"\'&;=,+@!()[]{}~`^$#*-_.:', 0, 20),
		textOf('abz019ü保', 1, 3),
	)
	.map((parts) => parts.join(''))
	.filter((name) => !/'.*'|:/.test(name));

const files: fc.Arbitrary<GeneratedFile[]> = fc.array(
	oneOf(TYPES).chain(([extension, mediaType, start]) =>
		fc.tuple(goodName, contentOf(start), fc.boolean()).map(([name, bytes, isTyped]) => ({
			file: {
				bytes,
				fileName: `${name}.${extension}`,
				mimeType: isTyped ? mediaType : 'application/octet-stream',
			},
			mediaType,
		})),
	),
	{ maxLength: 4 },
);

/** Numbered fields with a common prefix that match a wildcard, and others that do not. */
const numberedFields = fc
	.tuple(
		files,
		textOf('abzÄ保 _-.[(+?^$', 1, 5),
		fc.uniqueArray(fc.integer({ min: 0, max: 2_000 }), { minLength: 4, maxLength: 4 }),
	)
	.map(([given, word, numbers]): GeneratedItem => {
		const prefix = `f${word}_`;
		const stand = given.map((each, index) => ({ each, number: numbers[index] ?? 0 }));
		const others: Record<string, InputFile> =
			stand.length > 0 ? { [`x${prefix}1`]: OTHER, other: OTHER } : {};
		const inItem = stand.map(({ each, number }) => [`${prefix}${number}`, each.file] as const);
		return {
			input: {
				json: { patterns: `${prefix.toUpperCase()}*` },
				files: { ...others, ...Object.fromEntries(inItem) },
			},
			documents: [...stand]
				.sort((a, b) => a.number - b.number)
				.map(({ each, number }) => expectedOf(each, `${prefix}${number}`)),
		};
	});

/** Fields with any names, which are listed in another order than the item has them. */
const listedFields = fc
	.tuple(
		files,
		fc.uniqueArray(
			textOf('abAB01 *ü保📄"\'.:;/\\?%&[](){}+^$|#-_', 1, 12).map((name) => `<${name}>`),
			{ minLength: 4, maxLength: 4 },
		),
	)
	.map(([given, names]): GeneratedItem => {
		const stand = given.map((each, index) => ({ each, fieldName: names[index] ?? '' }));
		const listed = stand.map(({ fieldName }) => fieldName);
		const inItem = [...stand].reverse().map(({ each, fieldName }) => [fieldName, each.file]);
		return {
			input: {
				// The first comes twice.
				json: { patterns: listed.length === 0 ? 'absent*' : [...listed, listed[0] ?? ''] },
				files: Object.fromEntries(inItem) as Record<string, InputFile>,
			},
			documents: stand.map(({ each, fieldName }) => expectedOf(each, fieldName)),
		};
	});

/** A file that no pattern matches. */
const OTHER: InputFile = {
	bytes: Buffer.from('not asked for'),
	fileName: 'other.txt',
	mimeType: 'text/plain',
};

function expectedOf({ file, mediaType }: GeneratedFile, fieldName: string): ExpectedDocument {
	const { fileName = '', bytes } = file;
	return { fileName, mediaType, bytes: bytes.length, sha256: sha256(bytes), fieldName };
}

export const generatedItem: fc.Arbitrary<GeneratedItem> = fc.oneof(numberedFields, listedFields);
