import { cents, dollars, usDate } from '../formats';
import { AGENCY, INSURER } from '../facts/parties';
import { premiumOf, type PolicyPaper } from '../facts/policyCheck';
import { addSheet, finishDraft, MARGIN, startDraft } from '../layout/draft';
import { GREY, LINE, NAVY, WASH, letterhead, panel, put, sectionBar } from '../layout/drawing';
import { fieldRows } from '../layout/fields';
import { footers } from '../layout/footer';
import { table } from '../layout/table';

const WIDTH = 612 - 2 * MARGIN;
const LOOK = { x: MARGIN, size: 8.8, color: GREY };

/** A quote or a policy for a businessowner: one page in the same form. */
export async function makePolicyPaper(paper: PolicyPaper): Promise<Uint8Array> {
	const title = `Businessowners ${paper.kind}`;
	const draft = await startDraft({ title, author: INSURER.name, created: paper.created });
	const sheet = addSheet(draft);
	letterhead(
		sheet,
		{
			initial: 'E',
			name: INSURER.name,
			lines: [`${INSURER.address.join(', ')}   ${INSURER.phone}`, INSURER.website],
		},
		MARGIN,
		36,
	);
	put(sheet, title, MARGIN, 98, { size: 15, font: 'bold', color: NAVY });

	panel(sheet, MARGIN, 110, WIDTH, 96, { border: LINE, fill: WASH });
	fieldRows(sheet, { x: MARGIN + 9, y: 128, width: 300, labelWidth: 92, leading: 17 }, [
		[`${paper.kind} Number`, paper.number],
		['Named Insured', paper.insured],
		['Agency', AGENCY.name],
		...(paper.lossPayee === null ? [] : [['Loss Payee', paper.lossPayee] as const]),
	]);
	fieldRows(sheet, { x: MARGIN + 330, y: 128, width: 195, labelWidth: 92, leading: 17 }, [
		['Effective Date', usDate(paper.effective)],
		['Expiration Date', usDate(paper.expiration)],
		[paper.kind === 'Quote' ? 'Quoted' : 'Issued', usDate(paper.created)],
	]);

	let y = sectionBar(sheet, 'Coverages and limits', MARGIN, 222, WIDTH);
	const columns = [
		{ title: 'Coverage', width: 300 },
		{ title: 'Limit', width: 110, align: 'right' as const },
		{ title: 'Premium', width: WIDTH - 410, align: 'right' as const },
	];
	const rows = paper.coverages.map((each) => [
		each.name,
		dollars(each.limit),
		dollars(each.premium),
	]);
	y = table(sheet, columns, rows, y, LOOK);
	y = fieldRows(sheet, { x: MARGIN + 9, y: y + 30, width: WIDTH, labelWidth: 150, leading: 17 }, [
		['Deductible', dollars(paper.deductible)],
		['Wind and Hail Deductible', dollars(paper.windHailDeductible)],
		['Total Premium', cents(premiumOf(paper))],
	]);

	y = sectionBar(sheet, 'Forms and endorsements', MARGIN, y + 14, WIDTH);
	const forms = [
		{ title: 'Form', width: 130 },
		{ title: 'Name', width: WIDTH - 130 },
	];
	table(sheet, forms, paper.forms, y, LOOK);
	footers(draft, paper.number, INSURER.name);
	return finishDraft(draft);
}
