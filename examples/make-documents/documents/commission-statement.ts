import { cents, plainAmount, usDate } from '../formats';
import { COMMISSION_STATEMENT as STATEMENT } from '../facts/commission';
import { addSheet, finishDraft, MARGIN, startDraft } from '../layout/draft';
import { GREY, LINE, NAVY, WASH, letterhead, panel, paragraph, put } from '../layout/drawing';
import { fieldRows } from '../layout/fields';
import { footers } from '../layout/footer';
import { table, tableRow } from '../layout/table';

const WIDTH = 792 - 2 * MARGIN;
const LOOK = { x: MARGIN, size: 8.8, color: GREY };
const COLUMNS = [
	{ title: 'Policy Number', width: 140 },
	{ title: 'Insured', width: 212 },
	{ title: 'Transaction', width: 100 },
	{ title: 'Premium', width: 100, align: 'right' as const },
	{ title: 'Rate', width: 60, align: 'right' as const },
	{ title: 'Commission', width: 100, align: 'right' as const },
];

/** The insurer's commission statement of a month: one page, landscape. */
export async function makeCommissionStatement(): Promise<Uint8Array> {
	const { insurer, agency, issued, lines } = STATEMENT;
	const draft = await startDraft({
		...{ title: 'Commission Statement', author: insurer.name, created: issued, landscape: true },
	});
	const sheet = addSheet(draft);
	const address = [insurer.address.join(', '), insurer.website];
	letterhead(sheet, { initial: 'E', name: insurer.name, lines: address }, MARGIN, 36);
	put(sheet, 'Commission Statement', MARGIN, 98, { size: 15, font: 'bold', color: NAVY });
	panel(sheet, MARGIN, 110, WIDTH, 62, { border: LINE, fill: WASH });
	fieldRows(sheet, { x: MARGIN + 9, y: 128, width: 340, labelWidth: 92, leading: 17 }, [
		['Agency', agency.name],
		['Agency Code', agency.code],
		['Statement', STATEMENT.number],
	]);
	fieldRows(sheet, { x: MARGIN + 400, y: 128, width: 300, labelWidth: 110, leading: 17 }, [
		['Period', STATEMENT.period],
		['Issue Date', usDate(issued)],
		['Total Commission', cents(STATEMENT.commission)],
	]);
	const rows = lines.map((each) => [
		...[each.policy, each.insured, each.transaction],
		...[plainAmount(each.premium), `${plainAmount(each.rate)}%`, plainAmount(each.commission)],
	]);
	let y = table(sheet, COLUMNS, rows, 190, LOOK);
	const totals = [plainAmount(STATEMENT.premium), '', plainAmount(STATEMENT.commission)];
	y = tableRow(sheet, COLUMNS, ['Total', '', '', ...totals], y, 1, LOOK, true);
	paragraph(
		sheet,
		'The amount is paid by bank transfer on the 15th. Please report differences within 30 days.',
		MARGIN,
		y + 22,
		WIDTH,
		{ color: GREY },
	);
	footers(draft, STATEMENT.number, insurer.name);
	return finishDraft(draft);
}
