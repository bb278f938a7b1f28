import { Readable } from 'node:stream';
import { PDFDocument } from 'pdf-lib';
import type { Step } from '../../simulator/configuration';
import { kindOf, readDocument, type ReadDocument } from '../../simulator/extract/document';
import { textOfHtml } from '../../simulator/extract/html';
import { linesOfPage } from '../../simulator/extract/lines';
import { linesOfPdf, stopReadingPdf } from '../../simulator/extract/pdf';
import { rowsOfStep } from '../../simulator/extract/rows';
import { takeIn } from '../../simulator/processing/intake';
import { resultsOf } from '../../simulator/processing/results';
import { pdfLines, pdfOf } from './support';

afterAll(() => stopReadingPdf());

const read = (
	fileName: string,
	content: string | Uint8Array,
	mediaType = '',
): Promise<ReadDocument> =>
	readDocument({
		fileName,
		mediaType,
		bytes: typeof content === 'string' ? Buffer.from(content) : content,
	});

test('A step may have cells as they are written, with their page and line, and another one a text', async () => {
	const bytes = await pdfOf([{ text: 'Paid:      $1,250.00', x: 50, y: 700 }]);
	const fields: Step['fields'] = [{ name: 'paid', labels: ['Paid'], type: 'amount' }];
	const file = { fieldName: 'files', fileName: 'a.pdf', mediaType: '' };
	const intake = await takeIn(Readable.from([bytes]), file);
	const steps = [
		{ stepName: 'claim', fields, asWritten: true },
		{ stepName: 'summary', fields: [], content: 'Paid {paid}' },
	];
	const cell = { value: '$1,250.00', page: 1, quote: 'Paid:   $1,250.00' };
	expect(await resultsOf(steps, [intake], null)).toMatchObject([
		{ data: { schema: { properties: { paid: {} } }, data: [{ paid: cell }] } },
		{ step_name: 'summary', data: 'Paid $1,250.00' },
	]);
});

const textsOf = ({ lines }: ReadDocument): string[] => lines.map(({ text }) => text);

const CLAIMS: Step = {
	stepName: 'Claims',
	fields: [],
	table: {
		header: ['Claim', 'Description', 'Paid'],
		fields: [
			{ name: 'claim', column: 'Claim', type: 'text' },
			{ name: 'about', column: 'Description', type: 'text' },
			{ name: 'paid', column: 'Paid', type: 'amount' },
		],
	},
};

describe('a PDF', () => {
	test('is read in the order of the page, with the pieces of a word joined', () => {
		const item = { width: 20, fontSize: 10 };
		const items = [
			{ ...item, text: 'right', x: 200, y: 100 },
			{ ...item, text: 'Pre', x: 50, y: 100 },
			{ ...item, text: 'mium', x: 70, y: 101 },
			{ ...item, text: 'total', x: 94, y: 100 },
			{ ...item, text: ' ', x: 114, y: 100 },
			{ ...item, text: 'first', x: 50, y: 113 },
		];
		expect(linesOfPage(items).map(({ text }) => text)).toEqual(['first', 'Premium total   right']);
	});

	test('is read with the values of its form', async () => {
		const document = await PDFDocument.create();
		const page = document.addPage();
		['Insured', 'Sprinklers', 'Alarm', 'State'].forEach((label, index) =>
			page.drawText(label, { x: 50, y: 700 - 50 * index, size: 10 }),
		);
		const at = (y: number) => ({ x: 200, y, width: 60, height: 16 });
		const form = document.getForm();
		const insured = form.createTextField('insured');
		insured.setText('Example Ltd');
		insured.addToPage(page, at(696));
		const sprinklers = form.createCheckBox('sprinklers');
		sprinklers.addToPage(page, at(646));
		sprinklers.check();
		form.createCheckBox('alarm').addToPage(page, at(596));
		const state = form.createDropdown('state');
		state.addOptions(['NY', 'NJ']);
		state.select('NJ');
		state.addToPage(page, at(546));
		const lines = (await pdfLines(await document.save())).filter((line) => line !== '');
		expect(lines).toEqual([
			'Insured   Example Ltd',
			'Sprinklers   Yes',
			'Alarm   No',
			'State   NJ',
		]);
	});

	test('is reported as unreadable when it is broken, and later ones are read', async () => {
		expect(await read('broken.pdf', '%PDF-1.7 nothing behind')).toMatchObject({
			kind: 'unreadable',
			lines: [],
		});
		expect(await pdfLines(await pdfOf([{ text: 'Fine', x: 50, y: 700 }]))).toEqual(['Fine', '']);
	});

	test('fails for its callers when reading is stopped, and is read again afterwards', async () => {
		const bytes = await pdfOf([{ text: 'Fine', x: 50, y: 700 }]);
		await stopReadingPdf(); // the reader needs time to start, so it cannot answer before it is stopped
		const waiting = linesOfPdf(bytes);
		const ended = expect(waiting).rejects.toThrow('was ended');
		await stopReadingPdf();
		await ended;
		expect(await pdfLines(bytes)).toEqual(['Fine', '']);
	});
});

describe('the kind of a file', () => {
	test.each([
		['scan.bin', '', '%PDF-1.7', 'pdf'],
		['scan.pdf', 'application/pdf', 'GIF89a', 'unreadable'],
		['mail', 'message/rfc822', 'Subject: x', 'mail'],
		['mail.EML', 'application/octet-stream', 'Subject: x', 'mail'],
		['page', 'text/html; charset=utf-8', '<p>', 'html'],
		['page.htm', '', '<p>', 'html'],
		['list.csv', '', 'a,b', 'values'],
		['list', 'text/tab-separated-values', 'a', 'values'],
		['note', 'text/plain', 'a', 'text'],
		['note.log', 'application/octet-stream', 'a', 'text'],
		['note', '', 'only words', 'text'],
		['note', '', 'bytes\0', 'unreadable'],
		['empty', '', '', 'unreadable'],
		['photo.png', 'image/png', 'words', 'unreadable'],
	])('of %s (%s) beginning with "%s" is %s', (fileName, mediaType, start, kind) => {
		expect(kindOf({ fileName, mediaType, firstBytes: Buffer.from(start) })).toBe(kind);
	});
});

describe('text', () => {
	test('is split into cells by spaces, tabs or bars', async () => {
		expect(textsOf(await read('a.txt', 'a b  c\td | e\r\nf'))).toEqual(['a b   c   d   e', 'f']);
	});

	test('is extracted from HTML as displayed', async () => {
		const html =
			'<html><head><title>no</title></head><body><p>Policy&nbsp;Number: A&amp;B&#45;&#x31;<br>next &unknown; &#0;</p><table><tr><td>Premium</td><td>5</td></tr></table><script>no()</script></body>';
		expect(textsOf(await read('a.html', html)).filter(Boolean)).toEqual([
			'Policy Number: A&B-1',
			'next &unknown; &#0;',
			'Premium   5',
		]);
		expect(textOfHtml('a<i>b</i>c')).toBe('abc');
	});

	test.each([
		['commas', 'Claim,Description,Paid\nC-1,"Fire, ""large""",5\nC-2,,7\n'],
		['semicolons', 'Claim;Description;Paid\r\nC-1;"Fire, ""large""";5\r\nC-2;;7'],
		['tabs', 'Claim\tDescription\tPaid\nC-1\t"Fire, ""large"""\t5\nC-2\t\t7'],
	])('of values separated by %s is a table', async (_by, text) => {
		const rows = rowsOfStep([await read('claims.csv', text)], CLAIMS);
		expect(rows.map(({ claim, about, paid }) => [claim?.value, about?.value, paid?.value])).toEqual(
			[
				['C-1', 'Fire, "large"', 5],
				['C-2', null, 7],
			],
		);
	});
});

describe('a table', () => {
	const rowsIn = async (text: string, step = CLAIMS): Promise<unknown[]> =>
		rowsOfStep([await read('a.txt', text)], step).map((row) =>
			Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value])),
		);

	test('returns one row per line, ends at its total and continues below a repeated header', async () => {
		const text = [
			'Claim   Description    Paid',
			'C-1     Hail            $10',
			'C-2                      20',
			'Total                   30',
			'C-3     no row            5',
			'',
			'CLAIM   DESCRIPTION    PAID',
			'C-4     Water  again     40',
		].join('\n');
		expect(await rowsIn(text)).toEqual([
			{ claim: 'C-1', about: 'Hail', paid: 10 },
			{ claim: 'C-2', about: null, paid: 20 },
			{ claim: 'C-4', about: 'Water again', paid: 40 },
		]);
	});

	test('has no rows without a header; fields of the document are in each row or alone', async () => {
		expect(await rowsIn('Claim only\nC-1')).toEqual([]);
		const step: Step = {
			...CLAIMS,
			fields: [{ name: 'insured', labels: ['Insured'], type: 'text' }],
		};
		expect(await rowsIn('Insured: Example\n\nno table', step)).toEqual([{ insured: 'Example' }]);
		expect(
			await rowsIn('Insured: Example\n\nClaim   Description   Paid\nC-1     Hail    5', step),
		).toEqual([{ insured: 'Example', claim: 'C-1', about: 'Hail', paid: 5 }]);
	});
});
