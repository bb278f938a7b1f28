import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { PDFDocument } from 'pdf-lib';

import type { Choice } from '../../../../nodes/DocumentWorkflow/documents/choice';
import { contradiction } from '../../../../nodes/DocumentWorkflow/documents/mediaTypes';
import { selectDocuments } from '../../../../nodes/DocumentWorkflow/documents/selected';
import { png } from '../../../fixtures/images';
import { contextOf, errorWith } from '../../support/context';

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
const PAGE = Buffer.from('<!DOCTYPE html><html><body>Please log in</body></html>');
const LOGO = png(120, 40);

/** A PDF that only the program of a company opens. */
async function lockedPdf(): Promise<Buffer> {
	const document = await PDFDocument.create();
	document.addPage();
	document.context.trailerInfo.Encrypt = document.context.register(
		document.context.obj({ Filter: 'CompanyLock', V: 2 }),
	);
	return Buffer.from(await document.save());
}

/** An item that holds files by the names of its fields; each file is named like its field, and is a PDF where that says nothing. */
function contextWith(files: Record<string, Buffer>, json: IDataObject = {}): IExecuteFunctions {
	const binary = Object.fromEntries(
		Object.keys(files).map((name) => [
			name,
			{ data: '', mimeType: '', fileName: name.includes('.') ? name : `${name}.pdf` },
		]),
	);
	const of = <T>(record: Record<string, T>, field: unknown) =>
		typeof field === 'string' ? record[field] : undefined;
	return contextOf({
		getInputData: () => [{ json: {} }, { json, binary }],
		helpers: {
			assertBinaryData: (_item, field) => of(binary, field) ?? { data: '', mimeType: '' },
			getBinaryDataBuffer: (_item, field) => Promise.resolve(of(files, field) ?? Buffer.alloc(0)),
		},
	});
}

async function select(
	files: Record<string, Buffer>,
	choice: Partial<Choice> = {},
	json?: IDataObject,
) {
	const { documents, skipped } = await selectDocuments(contextWith(files, json), 1, {
		...CHOICE,
		...choice,
	});
	return {
		sent: documents.map(({ fieldName }) => fieldName),
		skipped: skipped.map(({ fieldName, reason }) => [fieldName, reason]),
	};
}

describe('the documents of an item', () => {
	it('go out in the order of the names, with what they are', async () => {
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

	it('are none where no name was given and there are no files', async () =>
		expect(await select({}, { patterns: [] })).toEqual({ sent: [], skipped: [] }));

	it('are skipped by the filters, with field, file and reason', async () => {
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
				reason: 'its extension is not among pdf',
			},
			{ itemIndex: 1, fieldName: 'c', fileName: 'c.pdf', reason: 'it is larger than 0.1 kB' },
		]);
	});

	it('are not refused for what a filter leaves out anyway', async () => {
		const filters = { ...CHOICE.filters, smallestBytes: 1 };
		expect(await select({ a: Buffer.alloc(0), b: PDF }, { filters })).toEqual({
			sent: ['b'],
			skipped: [['a', 'it is smaller than 0.001 kB']],
		});
	});

	it('may be without the images in the text of the mail', async () => {
		const json = {
			html: `<p>Hello</p><img src="data:image/png;base64,${LOGO.toString('base64')}">`,
		};
		expect(await select({ 'logo.png': LOGO, b: PDF }, { skipInlineImages: true }, json)).toEqual({
			sent: ['b'],
			skipped: [['logo.png', 'it is an image within the text of the mail']],
		});
		expect(await select({ 'logo.png': LOGO, b: PDF }, {}, json)).toEqual({
			sent: ['b', 'logo.png'],
			skipped: [],
		});
	});
});

describe('a field that is not there', () => {
	it('refuses the item, with the names that are there', async () => {
		await expect(
			select({ scan: PDF, b: PDF }, { patterns: ['scan', 'data', 'policy'] }),
		).rejects.toEqual(
			errorWith({
				message: "The input item has no files in 'data', 'policy'",
				description: "Set 'Input Data Field Name' to what is there: 'b', 'scan'",
				itemIndex: 1,
			}),
		);
	});

	it('refuses an item without files, with what else can be done', async () => {
		await expect(select({}, { patterns: ['data'] })).rejects.toEqual(
			errorWith({
				message: "The input item has no file in 'data'",
				description: expect.stringMatching(
					/^The item carries no files at all\. Connect a node that outputs files;/,
				),
				itemIndex: 1,
			}),
		);
		await expect(selectDocuments(contextWith({}), 0, CHOICE)).rejects.toThrow(
			"The input item has no file in '*'",
		);
	});

	it('refuses an item in which a wildcard fits none', async () => {
		await expect(select({ scan: PDF }, { patterns: ['attachment_*', 'data'] })).rejects.toThrow(
			"The input item has no files in 'data', 'attachment_*'",
		);
	});

	it('is no fault of a wildcard where another name is there', async () => {
		expect(await select({ scan: PDF }, { patterns: ['attachment_*', 'scan'] })).toEqual({
			sent: ['scan'],
			skipped: [],
		});
	});

	it.each(['skip', 'send'] as const)(
		'leaves the item without documents where the panel says %s',
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

	it('refuses the item where the panel says so', async () => {
		await expect(select({}, { patterns: ['*'], withoutDocuments: 'refuse' })).rejects.toThrow(
			"The input item has no file in '*'",
		);
	});
});

describe('where no name of a field was given', () => {
	it.each(['automatic', 'refuse', 'skip', 'send'] as const)(
		'an item with files is refused, with the names that are there, whatever becomes of items without documents: %s',
		async (withoutDocuments) => {
			await expect(
				select({ scan: PDF, b: PDF }, { patterns: [], withoutDocuments }),
			).rejects.toEqual(
				errorWith({
					message:
						"'Input Data Field Name' is empty, and the input item carries files: 'b', 'scan'",
					description:
						"Enter the names of those to send, or * for all files; or choose 'None, Only Text Inputs' under 'Documents'",
					itemIndex: 1,
				}),
			);
		},
	);
});

describe('a document that is not as it should be', () => {
	const EMPTY = [
		'it is empty',
		() => Buffer.alloc(0),
		'emptyDocuments',
		/why the node before gives an empty file/,
	] as const;
	const { claimed, found } = contradiction('a.pdf', PAGE) ?? { claimed: '', found: '' };
	const MISLABELLED = [
		`by its name it is ${claimed}, by its content ${found}`,
		() => PAGE,
		'mislabelledDocuments',
		/^Look at the file/,
	] as const;
	const LOCKED_PDF = [
		'it is a PDF that opens with a password only',
		lockedPdf,
		'lockedPdfs',
		/^Ask the sender for a copy without a password/,
	] as const;

	it.each([EMPTY, MISLABELLED, LOCKED_PDF])(
		'is refused with item, field and file: %s',
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
		'is skipped where the panel says so: %s',
		async (reason, file, option) => {
			expect(await select({ a: await file(), b: PDF }, { [option]: 'skip' })).toEqual({
				sent: ['b'],
				skipped: [['a', reason]],
			});
		},
	);

	it.each([MISLABELLED, LOCKED_PDF])(
		'is sent where the panel says so: %s',
		async (_, file, option) => {
			expect(await select({ a: await file(), b: PDF }, { [option]: 'send' })).toEqual({
				sent: ['a', 'b'],
				skipped: [],
			});
		},
	);

	it('is not read through for a password when it is sent anyway', async () => {
		const context = contextWith({ a: PDF });
		const read = jest.spyOn(context.helpers, 'getBinaryDataBuffer');
		await selectDocuments(context, 1, { ...CHOICE, lockedPdfs: 'send' });
		const without = read.mock.calls.length;
		await selectDocuments(context, 1, CHOICE);
		expect(read.mock.calls.length - without).toBe(without + 1);
	});

	it('may be an image with the name of another kind of image', async () => {
		expect(await select({ 'photo.jpg': LOGO })).toEqual({ sent: ['photo.jpg'], skipped: [] });
		await expect(select({ 'photo.jpg': PDF })).rejects.toThrow(
			"The file in 'photo.jpg' (photo.jpg) is not sent: by its name it is",
		);
	});

	it('is found also where a locked PDF does not begin the file', async () => {
		await expect(
			select({ a: Buffer.concat([Buffer.from('\r\n\r\n'), await lockedPdf()]) }),
		).rejects.toThrow('opens with a password only');
	});
});
