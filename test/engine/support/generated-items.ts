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
	/** Undefined when the file is named after its field. */
	fileName: string | undefined;
	mediaType: string;
}

const PDF_HEADER = '%PDF-1.7\n';
const NO_TEXT = '\0';

/** By extension: the media type, and how the content begins. */
const TYPES: Array<[extension: string, mediaType: string, start: string]> = [
	['pdf', 'application/pdf', PDF_HEADER],
	['png', 'image/png', '\x89PNG\r\n\x1a\n'],
	['tif', 'image/tiff', 'II*\0'],
	['txt', 'text/plain', NO_TEXT],
	['csv', 'text/csv', NO_TEXT],
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

/** Adds what the node must remove from a name. */
const disguise = oneOf<(name: string) => string>([
	(name) => name,
	(name) => name,
	(name) => `C:\\Users\\me\\${name}`,
	(name) => `../${name}`,
	(name) => ` ${name}. `,
	(name) => `\u0000${name}\u202e`,
]);

const namedFile: fc.Arbitrary<GeneratedFile> = oneOf(TYPES)
	.chain(([extension, mediaType, start]) =>
		fc.tuple(
			fc.constant({ extension, mediaType }),
			...([goodName, disguise, contentOf(start), fc.boolean()] as const),
		),
	)
	.map(([{ extension, mediaType }, name, wrap, bytes, isTyped]) => {
		const fileName = `${name}.${extension}`;
		return {
			file: {
				bytes,
				fileName: wrap(fileName),
				mimeType: isTyped ? mediaType : 'application/octet-stream',
			},
			fileName,
			mediaType,
		};
	});

/** A file with a type only in its first bytes. */
const bareFile: fc.Arbitrary<GeneratedFile> = fc
	.tuple(
		fc.option(goodName, { nil: undefined }),
		contentOf(PDF_HEADER),
		oneOf(['', 'application/octet-stream', 'BINARY/octet-stream']),
	)
	.map(([name, bytes, mimeType]) => ({
		file: { bytes, mimeType, ...(name === undefined ? {} : { fileName: name }) },
		fileName: name === undefined ? undefined : `${name}.pdf`,
		mediaType: 'application/pdf',
	}));

const files = fc.array(
	fc.oneof({ weight: 3, arbitrary: namedFile }, { weight: 1, arbitrary: bareFile }),
	{ maxLength: 4 },
);

/** Numbered fields with a common prefix that match a wildcard, and others that do not. */
const numberedFields = fc
	.tuple(
		files,
		textOf('abzÄ保 _-.[(+?^$', 1, 5),
		fc.uniqueArray(fc.integer({ min: 0, max: 2_000 }), { minLength: 4, maxLength: 4 }),
		oneOf(['all', 'upper', 'with others']),
	)
	.map(([given, word, numbers, kind]): GeneratedItem => {
		const prefix = `f${word}_`;
		const stand = given.map((each, index) => ({
			each,
			number: numbers[index] ?? 0,
			fieldName: `${prefix}${numbers[index]}`,
		}));
		const others: Record<string, InputFile> =
			kind === 'with others' && stand.length > 0 ? { [`x${prefix}1`]: OTHER, other: OTHER } : {};
		const patterns =
			kind === 'all' ? '*' : kind === 'upper' ? `${prefix.toUpperCase()}*` : `${prefix}*`;
		return {
			input: {
				json: { patterns },
				files: {
					...others,
					...Object.fromEntries(stand.map(({ each, fieldName }) => [fieldName, each.file])),
				},
			},
			documents: [...stand]
				.sort((a, b) => a.number - b.number)
				.map(({ each, fieldName }) => expectedOf(each, fieldName)),
		};
	});

/** Fields with any names, of which some are listed. */
const listedFields = fc
	.tuple(
		files,
		fc.uniqueArray(
			textOf('abAB01 *ü保📄"\'.:;/\\?%&[](){}+^$|#-_', 1, 12).map((name) => `<${name}>`),
			{ minLength: 4, maxLength: 4 },
		),
		fc.boolean(),
		fc.boolean(),
	)
	.map(([given, names, isList, withOther]): GeneratedItem => {
		const stand = given
			.filter(({ fileName }) => fileName !== undefined)
			.map((each, index) => ({ each, fieldName: names[index] ?? '' }));
		// The item has another order than the list, in which the first comes twice.
		const inItem = [...stand].reverse().map(({ each, fieldName }) => [fieldName, each.file]);
		const listed = [...stand, ...stand.slice(0, 1)].map(({ fieldName }) => fieldName);
		return {
			input: {
				json: { patterns: listed.length === 0 ? 'absent*' : isList ? listed : listed.join(' , ') },
				files: Object.fromEntries([
					...inItem,
					...(withOther && listed.length > 0 ? [['other', OTHER]] : []),
				]) as Record<string, InputFile>,
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

function expectedOf(
	{ file, fileName = '', mediaType }: GeneratedFile,
	fieldName: string,
): ExpectedDocument {
	return {
		fileName: fileName || `${fieldName}.pdf`,
		mediaType,
		bytes: file.bytes.length,
		sha256: sha256(file.bytes),
		fieldName,
	};
}

export const generatedItem: fc.Arbitrary<GeneratedItem> = fc.oneof(numberedFields, listedFields);
