import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { PDFDocument } from 'pdf-lib';

import { asReport } from '../../../../nodes/DocumentWorkflow/documents/attached';
import { matcherOf } from '../../../../nodes/DocumentWorkflow/documents/filters';
import { MOST_READ_BYTES } from '../../../../nodes/DocumentWorkflow/documents/open';
import type { Choice } from '../../../../nodes/DocumentWorkflow/documents/select';
import { contradiction } from '../../../../nodes/DocumentWorkflow/documents/types/mediaTypes';
import {
	isWildcard,
	selectDocuments,
	selectFieldNames,
} from '../../../../nodes/DocumentWorkflow/documents/select';
import { png } from '../../../fixtures/images';
import { contextOf, errorWith } from '../../support/context';
import { fc } from '../../../properties';

const CHOICE: Choice = {
	patterns: ['*'],
	filters: {
		fileNamePatterns: [],
		extensions: [],
		mediaTypes: [],
		smallestBytes: undefined,
		largestBytes: undefined,
	},
	skipInlineImages: false,
	emptyDocuments: 'refuse',
	mislabelledDocuments: 'refuse',
	lockedPdfs: 'refuse',
	withoutDocuments: 'automatic',
};

const PDF = Buffer.from(
	'%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF',
);
const LARGE_PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MOST_READ_BYTES), PDF]);
const PAGE = Buffer.from('<!DOCTYPE html><html><body>Please log in</body></html>');
const LOGO = png(120, 40);

/** A PDF with the encryption of an unknown security handler. */
async function lockedPdf(): Promise<Buffer> {
	const document = await PDFDocument.create();
	document.addPage();
	document.context.trailerInfo.Encrypt = document.context.register(
		document.context.obj({ Filter: 'CompanyLock', V: 2 }),
	);
	return Buffer.from(await document.save());
}

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
	choice: Partial<Choice> = {},
	json?: IDataObject,
	attached?: string[],
) {
	const { documents, skipped } = await selectDocuments(contextWith(files, json, attached), 1, {
		...CHOICE,
		...choice,
	});
	return {
		sent: documents.map(({ fieldName }) => fieldName),
		skipped: skipped.map(({ fieldName, reason }) => [fieldName, reason]),
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

	it('are skipped by filters, with field, file and reason', async () => {
		const filters = { ...CHOICE.filters, extensions: ['pdf'], largestBytes: 100 };
		const { documents, skipped } = await selectDocuments(
			contextWith({ 'a.png': LOGO, b: PDF, c: Buffer.concat([PDF, PDF]) }),
			1,
			{ ...CHOICE, filters },
		);
		expect(documents.map(({ fieldName }) => fieldName)).toEqual(['b']);
		expect(skipped).toEqual([
			{
				itemIndex: 1,
				fieldName: 'a.png',
				fileName: 'a.png',
				reason: 'its extension is not one of pdf',
			},
			{ itemIndex: 1, fieldName: 'c', fileName: 'c.pdf', reason: 'it is larger than 0.1 kB' },
		]);
	});

	it('do not fail a check when a filter skips them anyway', async () => {
		const filters = { ...CHOICE.filters, smallestBytes: 1 };
		expect(await select({ a: Buffer.alloc(0), b: PDF }, { filters })).toEqual({
			sent: ['b'],
			skipped: [['a', 'it is smaller than 0.001 kB']],
		});
	});

	it('are selected without the images in the text of the mail', async () => {
		const json = {
			html: `<p>Hello</p><img src="data:image/png;base64,${LOGO.toString('base64')}">`,
		};
		expect(await select({ 'logo.png': LOGO, b: PDF }, { skipInlineImages: true }, json)).toEqual({
			sent: ['b'],
			skipped: [['logo.png', 'it is an inline image of the mail']],
		});
		expect(await select({ 'logo.png': LOGO, b: PDF }, {}, json)).toEqual({
			sent: ['b', 'logo.png'],
			skipped: [],
		});
	});
});

describe('a missing field', () => {
	it('fails the item, and the error names the fields with files', async () => {
		await expect(
			select({ scan: PDF, b: PDF }, { patterns: ['scan', 'data', 'policy'] }),
		).rejects.toEqual(
			errorWith({
				message: "The input item has no files in 'data', 'policy'",
				description: "Its files are in 'b', 'scan'. Change 'Input Data Field Name'",
				itemIndex: 1,
			}),
		);
	});

	it('fails an item without files, and the error says what to do', async () => {
		await expect(select({}, { patterns: ['data'] })).rejects.toEqual(
			errorWith({
				message: 'The input item has no files',
				description:
					"Connect a node that outputs files. For items without files, change 'On No Documents' under 'Document Options', or 'Documents'",
				itemIndex: 1,
			}),
		);
		await expect(selectDocuments(contextWith({}), 0, CHOICE)).rejects.toThrow(
			'The input item has no files',
		);
	});

	it('fails an item when a wildcard matches no field', async () => {
		await expect(select({ scan: PDF }, { patterns: ['attachment_*', 'data'] })).rejects.toThrow(
			"The input item has no files in 'data', 'attachment_*'",
		);
	});

	it('is not reported for a wildcard when another name matches', async () => {
		expect(await select({ scan: PDF }, { patterns: ['attachment_*', 'scan'] })).toEqual({
			sent: ['scan'],
			skipped: [],
		});
	});

	it.each(['skip', 'send'] as const)(
		'leaves the item without documents when the panel says %s',
		async (withoutDocuments) => {
			expect(await select({}, { patterns: ['data', 'a*'], withoutDocuments })).toEqual({
				sent: [],
				skipped: [],
			});
			await expect(
				select({ scan: PDF }, { patterns: ['scan', 'data'], withoutDocuments }),
			).rejects.toThrow("The input item has no file in 'data'");
		},
	);

	it('fails the item when the panel says so', async () => {
		await expect(select({}, { patterns: ['*'], withoutDocuments: 'refuse' })).rejects.toThrow(
			'The input item has no files',
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
		await expect(selectBeside({}, ['*'])).rejects.toThrow(
			"The input item has only files that this package attached: 'report'",
		);
		expect(await selectBeside({}, [])).toEqual({ sent: [], skipped: [] });
	});
});

describe('an empty field name', () => {
	it.each(['automatic', 'refuse', 'skip', 'send'] as const)(
		'fails an item with files, even when items without documents are set to %s',
		async (withoutDocuments) => {
			await expect(
				select({ scan: PDF, b: PDF }, { patterns: [], withoutDocuments }),
			).rejects.toEqual(
				errorWith({
					message: "'Input Data Field Name' is empty, and the input item has files: 'b', 'scan'",
					description:
						"Enter the names of the fields to send, or * for all files; or choose 'Text Inputs Only' under 'Documents'",
					itemIndex: 1,
				}),
			);
		},
	);
});

describe('a document that a check finds', () => {
	const EMPTY = [
		'it is empty',
		() => Buffer.alloc(0),
		'emptyDocuments',
		/why the previous node outputs an empty file/,
	] as const;
	const { claimed, found } = contradiction('a.pdf', PAGE) ?? { claimed: '', found: '' };
	const MISLABELLED = [
		`its name says ${claimed}, its content is ${found}`,
		() => PAGE,
		'mislabelledDocuments',
		/^Check the file/,
	] as const;
	const LOCKED_PDF = [
		'it is a password-protected PDF',
		lockedPdf,
		'lockedPdfs',
		/^Ask the sender for a copy without a password/,
	] as const;

	it.each([EMPTY, MISLABELLED, LOCKED_PDF])(
		'fails with item, field and file: %s',
		async (reason, file, _, advice) => {
			await expect(select({ a: await file(), b: PDF })).rejects.toEqual(
				errorWith({
					message: `The file in 'a' (a.pdf) is not sent: ${reason}`,
					description: expect.stringMatching(advice),
					itemIndex: 1,
				}),
			);
		},
	);

	it.each([EMPTY, MISLABELLED, LOCKED_PDF])(
		'is skipped when set to skip: %s',
		async (reason, file, option) => {
			expect(await select({ a: await file(), b: PDF }, { [option]: 'skip' })).toEqual({
				sent: ['b'],
				skipped: [['a', reason]],
			});
		},
	);

	it.each([MISLABELLED, LOCKED_PDF])('is sent when set to send: %s', async (_, file, option) => {
		expect(await select({ a: await file(), b: PDF }, { [option]: 'send' })).toEqual({
			sent: ['a', 'b'],
			skipped: [],
		});
	});

	it.each([
		['once if it is small', PDF, {}, 1],
		['again for a password if it is large', LARGE_PDF, {}, 2],
		['once when it is sent with a password', LARGE_PDF, { lockedPdfs: 'send' } as const, 1],
	])('is opened %s', async (_, file, choice, times) => {
		const context = contextWith({ a: file });
		const open = jest.spyOn(context.helpers, 'getBinaryStream');
		await selectDocuments(context, 1, { ...CHOICE, ...choice });
		expect(open).toHaveBeenCalledTimes(times);
	});

	it('is no image with the extension of another image format', async () => {
		expect(await select({ 'photo.jpg': LOGO })).toEqual({ sent: ['photo.jpg'], skipped: [] });
		await expect(select({ 'photo.jpg': PDF })).rejects.toThrow(
			"The file in 'photo.jpg' (photo.jpg) is not sent: its name says",
		);
	});

	it('is found when a locked PDF begins after other lines of the file', async () => {
		await expect(
			select({ a: Buffer.concat([Buffer.from('\r\n\r\n'), await lockedPdf()]) }),
		).rejects.toThrow('is a password-protected PDF');
	});
});

const MAIL = ['attachment_10', 'attachment_2', 'attachment_1', 'logo', 'Attachment_3'];

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
		expect(selectFieldNames(patterns, MAIL)).toEqual({ fieldNames, missing: [] });
	});

	it('are missing when a name without a wildcard is not among them, and case matters', () => {
		expect(selectFieldNames(['data', 'attachment_3', 'logo'], MAIL)).toEqual({
			fieldNames: ['logo'],
			missing: ['data', 'attachment_3'],
		});
	});

	it('are selected by their exact name, even with an asterisk in it', () => {
		const present = ['*', 'scan*', 'scan1', 'scan2'];
		expect(selectFieldNames(['scan*'], present)).toEqual({ fieldNames: ['scan*'], missing: [] });
		expect(selectFieldNames(['*'], present)).toEqual({ fieldNames: ['*'], missing: [] });
		expect(selectFieldNames(['sc*'], present)).toEqual({
			fieldNames: ['scan*', 'scan1', 'scan2'],
			missing: [],
		});
	});

	it('are selected without a change to the given list', () => {
		const present = Object.freeze([...MAIL]) as string[];
		expect(selectFieldNames(['*'], present).fieldNames).toHaveLength(MAIL.length);
	});
});

describe('the selection of fields', () => {
	it('treats a name with an asterisk as a wildcard', () =>
		expect(['a*', '*', 'a', ''].map(isWildcard)).toEqual([true, true, false, false]));

	const text = fc.string({
		unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '.', '(', '\\', '\n', '€'),
		maxLength: 8,
	});
	const pattern = fc.string({
		unit: fc.constantFrom('a', 'B', 'é', '.', '(', '\\', '*', '*'),
		maxLength: 8,
	});

	it('selects each field once that a pattern names or matches', () => {
		fc.assert(
			fc.property(
				fc.array(pattern, { maxLength: 4 }),
				fc.uniqueArray(text, { maxLength: 6 }),
				(patterns, present) => {
					const { fieldNames, missing } = selectFieldNames(patterns, present);
					const meant = (name: string) =>
						patterns.some((given) =>
							present.includes(given)
								? given === name
								: given.includes('*') && matcherOf(given)(name),
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
