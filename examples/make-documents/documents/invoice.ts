import { cents, plainAmount, usDate } from '../formats';
import { CLAIM, ESTIMATE, INVOICE, LOSS } from '../facts/claim';
import { INSURER } from '../facts/parties';
import { addSheet, finishDraft, MARGIN, startDraft } from '../layout/draft';
import { GREY, LINE, RUST, WASH, letterhead, panel, paragraph, put, rule } from '../layout/drawing';
import { fieldRows } from '../layout/fields';
import { footers } from '../layout/footer';
import { table } from '../layout/table';

const WIDTH = 612 - 2 * MARGIN;

const COLUMNS = [
	{ title: 'Description', width: 258 },
	{ title: 'Quantity', width: 56, align: 'right' as const },
	{ title: '', width: 10 },
	{ title: 'Unit', width: 48 },
	{ title: 'Unit Price', width: 76, align: 'right' as const },
	{ title: 'Amount', width: 84, align: 'right' as const },
];

/** The contractor's invoice for the repair: one page. */
export async function makeInvoice(): Promise<Uint8Array> {
	const draft = await startDraft({
		title: `Invoice ${INVOICE.number}`,
		author: ESTIMATE.contractor,
		created: INVOICE.date,
	});
	const sheet = addSheet(draft);
	letterhead(
		sheet,
		{
			initial: 'S',
			name: ESTIMATE.contractor,
			lines: [ESTIMATE.contractorAddress.join(', '), `${ESTIMATE.phone}   ${ESTIMATE.email}`],
		},
		MARGIN,
		38,
		RUST,
	);
	put(sheet, 'INVOICE', MARGIN + WIDTH, 62, {
		size: 24,
		font: 'bold',
		color: RUST,
		align: 'right',
	});
	rule(sheet, MARGIN, 81, WIDTH, RUST, 1.4);

	put(sheet, 'Bill To', MARGIN, 101, { size: 8.4, font: 'bold', color: GREY });
	[INSURER.name, 'Property claims', ...INSURER.address].forEach((line, index) =>
		put(sheet, line, MARGIN, 114 + index * 14, { size: 9.6 }),
	);
	panel(sheet, 332, 96, MARGIN + WIDTH - 332, 76, { fill: WASH, border: LINE });
	fieldRows(sheet, { x: 342, y: 113, width: 220, labelWidth: 100, leading: 16 }, [
		['Invoice No.', INVOICE.number],
		['Invoice Date', usDate(INVOICE.date)],
		['Payment Due', usDate(INVOICE.due)],
		['Terms', INVOICE.terms],
	]);
	fieldRows(sheet, { x: MARGIN, y: 198, width: 280, labelWidth: 92, leading: 16 }, [
		['Claim Number', CLAIM.number],
		['Insured', LOSS.insured],
		['Date of Loss', usDate(LOSS.date)],
	]);
	fieldRows(sheet, { x: 332, y: 198, width: 240, labelWidth: 110, leading: 16 }, [
		['Purchase Order', INVOICE.purchaseOrder],
		['Estimate', `${ESTIMATE.number}, ${usDate(ESTIMATE.date)}`],
		['Work Site', '240 Sample Street'],
	]);

	const rows = INVOICE.lines.map((item) => [
		item.description,
		String(item.quantity),
		'',
		item.unit,
		plainAmount(item.unitPrice),
		plainAmount(item.amount),
	]);
	let y = table(sheet, COLUMNS, rows, 248, { x: MARGIN, size: 8.8, color: RUST });

	y = fieldRows(sheet, { x: 382, y: y + 22, width: 190, labelWidth: 110, leading: 16 }, [
		['Subtotal', cents(INVOICE.subtotal)],
		['Sales Tax', cents(INVOICE.tax)],
		['Deposit Received', `(${cents(INVOICE.deposit)})`],
	]);
	panel(sheet, 372, y - 6, MARGIN + WIDTH - 372, 28, { fill: WASH, border: RUST });
	put(sheet, 'Total Due:', 382, y + 12, { size: 10.5, font: 'bold', color: RUST });
	put(sheet, cents(INVOICE.totalDue), MARGIN + WIDTH - 10, y + 12, {
		size: 12,
		font: 'bold',
		color: RUST,
		align: 'right',
	});

	paragraph(
		sheet,
		`Sales tax of ${plainAmount(INVOICE.taxRate * 100, 1)}% applies to the dock door, leveler parts and electrical materials. All work was completed on 06/09/2026 and accepted by the insured on site. Workmanship is warranted for one year.`,
		MARGIN,
		y - 52,
		300,
		{ size: 8.8, color: GREY },
	);
	put(
		sheet,
		'Please pay by check or bank transfer and name the invoice number. Thank you.',
		MARGIN,
		y + 62,
		{ size: 9, font: 'italic', color: GREY },
	);
	footers(draft, INVOICE.number, ESTIMATE.contractor);
	return finishDraft(draft);
}
