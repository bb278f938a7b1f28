import { Readable } from 'node:stream';
import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { describeSkip, ruleOf, toJson } from '../../../../nodes/DocumentWorkflow/about';
import {
	asReport,
	matcherOf,
	selectDocuments,
	selectFieldNames,
	type DocumentChoice,
} from '../../../../nodes/DocumentWorkflow/documents/select';
import { png } from '../../../fixtures/images';
import { contextOf, errorWith } from '../../support/context';
import { fc, pattern, text } from '../../../properties';

const CHOICE: DocumentChoice = {
	patterns: ['*'],
	fileNames: [],
	includeInlineImages: false,
	unusableFiles: 'skip',
	skipsSent: false,
};

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n');
const PAGE = Buffer.from('<!DOCTYPE html><html><body>Please log in</body></html>');
const EMPTY = Buffer.alloc(0);
const LOGO = png(120, 40);
const MAIL = {
	html: `<p>Hello</p><img src="data:image/png;base64,${LOGO.toString('base64')}">`,
};

/** An item with files by field name. Each file has the name of its field, and is a PDF if that has no extension. */
function contextWith(
	files: Record<string, Buffer>,
	json: IDataObject = {},
	attached: string[] = [],
): IExecuteFunctions {
	const binary = Object.fromEntries(
		Object.keys(files).map((name) => {
			const fileName = name.includes('.') ? name : `${name}.pdf`;
			const file = { id: name, data: 'filesystem-v2', mimeType: '', fileName };
			return [name, attached.includes(name) ? asReport(file) : file];
		}),
	);
	const contentOf = (name: string) => files[name] ?? Buffer.alloc(0);
	return contextOf({
		getInputData: () => [{ json: {} }, { json, binary }],
		getWorkflowSettings: () => ({}),
		helpers: {
			getBinaryMetadata: (name) => Promise.resolve({ fileSize: contentOf(name).length }),
			getBinaryStream: (name) => Promise.resolve(Readable.from([contentOf(name)])),
		},
	});
}

async function select(
	files: Record<string, Buffer>,
	choice: Partial<DocumentChoice> = {},
	json?: IDataObject,
	attached?: string[],
) {
	const { documents, skipped } = await selectDocuments(contextWith(files, json, attached), 1, {
		...CHOICE,
		...choice,
	});
	return {
		sent: documents.map(({ fieldName }) => fieldName),
		skipped: skipped.map((file) => [file.fieldName, describeSkip(file)]),
	};
}

describe('the documents of an item', () => {
	it('are selected in the order of the names, with their names and types', async () => {
		const { documents, skipped } = await selectDocuments(contextWith({ b: PDF, a: PDF }), 1, {
			...CHOICE,
			patterns: ['b', '*'],
		});
		expect(documents).toEqual([
			expect.objectContaining({
				itemIndex: 1,
				fieldName: 'b',
				fileName: 'b.pdf',
				mediaType: 'application/pdf',
				bytes: PDF.length,
			}),
			expect.objectContaining({ itemIndex: 1, fieldName: 'a', fileName: 'a.pdf' }),
		]);
		expect(skipped).toEqual([]);
	});

	it('are none when no field name is given and the item has no files', async () =>
		expect(await select({}, { patterns: [] })).toEqual({ sent: [], skipped: [] }));

	it('are named where n8n has lost one of them', async () => {
		const context = contextWith({ scan: PDF });
		context.helpers.getBinaryStream = async () => Promise.reject(new Error('File not found'));
		await expect(selectDocuments(context, 1, CHOICE)).rejects.toMatchObject({
			message: "n8n could not read the file in 'scan' (scan.pdf): File not found",
			description: expect.stringMatching(/^Check the binary data storage.*before 2\.23/) as string,
			context: { itemIndex: 1 },
		});
	});

	it('are skipped by their names, with field, file and reason', async () => {
		const choice = { ...CHOICE, fileNames: ['*.pdf', '*.docx'] };
		const { skipped } = await selectDocuments(contextWith({ 'a.png': LOGO, b: PDF }), 1, choice);
		const reason = 'its name does not match *.pdf, *.docx';
		expect(toJson({ skipped }).skipped).toEqual([
			{ itemIndex: 1, fieldName: 'a.png', fileName: 'a.png', reason },
		]);
	});

	it('may be skipped by their names in any case, so that they need no review', async () => {
		const choice: Partial<DocumentChoice> = { fileNames: ['b*'], unusableFiles: 'fail' };
		expect(await select({ a: EMPTY, b: PDF }, choice)).toEqual({
			sent: ['b'],
			skipped: [['a', 'its name does not match b*']],
		});
	});
});

describe('what a mail has beside its documents', () => {
	const FILES = { 'logo.png': LOGO, 'smime.p7s': PAGE, 'invite.ICS': PAGE, 'a.vcf': PAGE, b: PDF };

	it('is skipped and listed: logos, signatures, calendar entries and contacts', async () =>
		expect(await select(FILES, {}, MAIL)).toEqual({
			sent: ['b'],
			skipped: [
				['a.vcf', 'it is a contact'],
				['invite.ICS', 'it is a calendar entry'],
				['logo.png', 'it is an inline image of the mail'],
				['smime.p7s', 'it is the signature of the mail'],
			],
		}));

	it('is sent where the exact names of its fields are entered', async () =>
		expect(
			await select(FILES, { patterns: ['logo.png', 'smime.p7s', 'invite.ICS', 'a.vcf'] }, MAIL),
		).toEqual({ sent: ['logo.png', 'smime.p7s', 'invite.ICS', 'a.vcf'], skipped: [] }));

	it('includes logos only where a mail shows them and the panel does not include them', async () => {
		const files = { 'logo.png': LOGO };
		const sent = { sent: ['logo.png'], skipped: [] };
		expect(await select(files, { includeInlineImages: true }, MAIL)).toEqual(sent);
		expect(await select(files, {}, { html: '<p>Hello</p>' })).toEqual(sent);
	});
});

describe('an item that a Code node made by hand', () => {
	const data = PDF.toString('base64');
	const selectIn = async (binary: unknown, patterns = ['*']) =>
		selectDocuments(
			contextOf({
				getInputData: () => [{ json: {}, binary: binary as IBinaryKeyData }],
				getWorkflowSettings: () => ({}),
			}),
			0,
			{ ...CHOICE, patterns },
		);

	it.each([null, {}, { data: null }])('has no documents if its files are %j', async (binary) =>
		expect(await selectIn(binary)).toEqual({ documents: [], skipped: [] }),
	);

	it('has the other documents if a file is null', async () => {
		const binary = { a: null, b: { data, mimeType: 'application/pdf' } };
		const { documents } = await selectIn(binary);
		expect(documents).toMatchObject([{ fieldName: 'b', fileName: 'b.pdf' }]);
		await expect(selectIn(binary, ['a'])).rejects.toThrow("The input item has no file in 'a'");
	});

	it.each([
		[{ fileName: 5 }, '5.pdf'],
		[{ fileName: null }, 'data.pdf'],
		[{ fileName: { name: 'a.pdf' } }, 'data.pdf'],
		[{ fileExtension: null }, 'data.pdf'],
		[{ fileExtension: 7, mimeType: 7 }, 'data.pdf'],
		[{ mimeType: null }, 'data.pdf'],
		[{ id: null }, 'data.pdf'],
	])('has a document although its record is odd: %j', async (record, fileName) => {
		const { documents } = await selectIn({ data: { data, ...record } });
		expect(documents).toMatchObject([{ fileName, mediaType: 'application/pdf' }]);
	});

	it.each([
		{ fileName: 'a.pdf' },
		{ fileName: 'a.pdf', data: 5 },
		{ fileName: 'a.pdf', data: null },
	])('fails with the name of a file that has no content: %j', async (file) =>
		expect(selectIn({ scan: file })).rejects.toThrow(
			"n8n could not read the file in 'scan' (a.pdf): it has no Base64 data",
		),
	);
});

describe('a missing field', () => {
	it('fails the item, and the error names the fields with files', async () => {
		await expect(
			select({ scan: PDF, b: PDF }, { patterns: ['scan', 'data', 'policy'] }),
		).rejects.toEqual(
			errorWith({
				message: "The input item has no file in 'data', 'policy'",
				description: "Its files are in 'b', 'scan'. Change 'Input Data Field Name'",
				itemIndex: 1,
			}),
		);
	});

	it('is not reported for a wildcard when another name matches', async () => {
		expect(await select({ scan: PDF }, { patterns: ['attachment_*', 'scan'] })).toEqual({
			sent: ['scan'],
			skipped: [],
		});
	});

	it('is no mistake of an item without files', async () => {
		expect(await select({}, { patterns: ['data', 'a*'] })).toEqual({ sent: [], skipped: [] });
		await expect(select({ scan: PDF }, { patterns: ['scan', 'data'] })).rejects.toThrow(
			"The input item has no file in 'data'",
		);
		await expect(select({ scan: PDF }, { patterns: ['a*'] })).rejects.toThrow(
			"The input item has no file in 'a*'",
		);
	});
});

describe('a file that this package attached to its output', () => {
	const selectBeside = async (files: Record<string, Buffer>, patterns: string[]) =>
		select({ report: PDF, ...files }, { patterns }, {}, ['report']);

	it.each(['*', 'r*', 'report*'])('is not sent by the wildcard %s', async (pattern) => {
		expect(await selectBeside({ 'report 2': PDF }, [pattern])).toEqual({
			sent: ['report 2'],
			skipped: [],
		});
	});

	it('is known by its mark, not by its name', async () => {
		expect(await select({ report: PDF, other: PDF }, {}, {}, ['other'])).toEqual({
			sent: ['report'],
			skipped: [],
		});
	});

	it('is sent when its exact name is entered', async () => {
		expect(await selectBeside({ b: PDF }, ['report'])).toEqual({ sent: ['report'], skipped: [] });
	});

	it('is no document of an item that has no other file', async () => {
		expect(await selectBeside({}, ['*'])).toEqual({ sent: [], skipped: [] });
		expect(await selectBeside({}, [])).toEqual({ sent: [], skipped: [] });
	});

	it('is named beside a field that is missing', async () => {
		await expect(selectBeside({}, ['report', 'data'])).rejects.toEqual(
			errorWith({
				message: "The input item has no file in 'data'",
				description: "Its files are in 'report'. Change 'Input Data Field Name'",
			}),
		);
	});
});

describe('an empty field name', () => {
	it('fails an item with files', async () => {
		await expect(select({ scan: PDF, b: PDF }, { patterns: [] })).rejects.toEqual(
			errorWith({
				message: "'Input Data Field Name' is empty, and the input item has files: 'b', 'scan'",
				description:
					"Enter the names of the fields to send, or * for all files; or choose 'Text Inputs Only' under 'Documents'",
				itemIndex: 1,
			}),
		);
	});
});

describe('an unusable file', () => {
	const UNUSABLE: Array<[name: string, content: Buffer, reason: string]> = [
		['a.txt', EMPTY, 'it is empty'],
		['a.pdf', PAGE, 'it is named as a PDF, but is not one'],
		['photo.jpg', PDF, 'it is named as an image, but is a PDF'],
		[
			'winmail.dat',
			PAGE,
			'Outlook has wrapped its attachments in it: ask the sender for the files themselves',
		],
		[
			'WINMAIL1.DAT',
			PAGE,
			'Outlook has wrapped its attachments in it: ask the sender for the files themselves',
		],
		['smime.p7m', PAGE, 'it is an encrypted or signed mail, which may have attachments'],
	];

	it.each(UNUSABLE)(
		'is skipped and marked, and the others are sent: %s',
		async (name, content, reason) => {
			const context = contextWith({ [name]: content, b: PDF });
			for (const patterns of [['*'], ['b', name]]) {
				const { documents, skipped } = await selectDocuments(context, 1, { ...CHOICE, patterns });
				expect(documents).toEqual([expect.objectContaining({ fieldName: 'b' })]);
				expect(toJson({ skipped }).skipped).toEqual([
					{ itemIndex: 1, fieldName: name, fileName: name, reason, unusable: true },
				]);
			}
		},
	);

	it.each(UNUSABLE)('fails its item when the panel says so: %s', async (name, content, reason) =>
		expect(select({ [name]: content, b: PDF }, { unusableFiles: 'fail' })).rejects.toEqual(
			errorWith({
				message: `The file in '${name}' (${name}) is not sent: ${reason}`,
				description: "Check the file, or change 'On Unusable File' under 'Document Options'",
				itemIndex: 1,
			}),
		),
	);

	it('is never skipped silently by a filter if it wraps others', async () => {
		const { skipped } = await selectDocuments(
			contextWith({
				'winmail.dat': PAGE,
				'smime.p7m': PAGE,
				'encrypted.asc': Buffer.from('-----BEGIN PGP MESSAGE-----'),
				'message.rpmsg': PAGE,
				'a.txt': EMPTY,
			}),
			1,
			{ ...CHOICE, fileNames: ['*.pdf'] },
		);
		expect(skipped.map((file) => [file.fileName, ruleOf(file).unusable === true])).toEqual([
			['a.txt', false],
			['encrypted.asc', true],
			['message.rpmsg', true],
			['smime.p7m', true],
			['winmail.dat', true],
		]);
	});

	it('is known by its media type if it wraps others and has no name', async () => {
		const file = { id: 'w', data: 'filesystem-v2', mimeType: 'application/vnd.ms-tnef' };
		const context = {
			...contextWith({ w: PAGE }),
			getInputData: () => [{ json: {}, binary: { w: file } }],
		};
		expect(await selectDocuments(context, 0, CHOICE)).toMatchObject({
			skipped: [{ fileName: 'w', reason: 'outlook' }],
		});
	});

	it('is no image with the extension of another image format', async () =>
		expect(await select({ 'photo.jpg': LOGO })).toEqual({ sent: ['photo.jpg'], skipped: [] }));
});

const FIELDS = ['attachment_10', 'attachment_2', 'attachment_1', 'logo', 'Attachment_3'];

describe('the fields of an item', () => {
	it.each<[string, string[], string[]]>([
		[
			'by their names, in the order of the names',
			['logo', 'attachment_10', 'attachment_2'],
			['logo', 'attachment_10', 'attachment_2'],
		],
		[
			'by a wildcard, in natural order, in upper and lower case',
			['attachment_*'],
			['attachment_1', 'attachment_2', 'Attachment_3', 'attachment_10'],
		],
		[
			'all by * alone',
			['*'],
			['attachment_1', 'attachment_2', 'Attachment_3', 'attachment_10', 'logo'],
		],
		['by a wildcard in the middle', ['a*_1*'], ['attachment_1', 'attachment_10']],
		[
			'once by several patterns, in the place of the first',
			['attachment_2', '*', 'logo'],
			['attachment_2', 'attachment_1', 'Attachment_3', 'attachment_10', 'logo'],
		],
		['by a wildcard that matches none, and none is missing', ['scan_*'], []],
		['by no pattern', [], []],
	])('are selected %s', (_, patterns, fieldNames) => {
		expect(selectFieldNames(patterns, FIELDS)).toEqual({ fieldNames, missing: [] });
	});
});

describe('the selection of fields', () => {
	it('selects all by *, also when one of them has that name', () =>
		expect(selectFieldNames(['*'], ['data', '*'])).toEqual({
			fieldNames: ['*', 'data'],
			missing: [],
		}));

	it('selects each field once that a pattern names or matches', () => {
		fc.assert(
			fc.property(
				fc.array(pattern, { maxLength: 4 }),
				fc.uniqueArray(text, { maxLength: 6 }),
				(patterns, present) => {
					const { fieldNames, missing } = selectFieldNames(patterns, present);
					const meant = (name: string) =>
						patterns.some(
							(given) => given === name || (given.includes('*') && matcherOf(given)(name)),
						);
					expect([...fieldNames].sort()).toEqual(present.filter(meant).sort());
					expect(missing).toEqual(
						patterns.filter((given) => !given.includes('*') && !present.includes(given)),
					);
				},
			),
		);
	});
});
