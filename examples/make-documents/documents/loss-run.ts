import { cents, dollars, longDate, plainAmount, usDate } from '../formats';
import { LOSS_RUN, type LossTerm } from '../facts/losses';
import { AGENCY, INSURER } from '../facts/parties';
import { addSheet, finishDraft, MARGIN, startDraft, type Draft, type Sheet } from '../layout/draft';
import {
	GREY,
	LINE,
	NAVY,
	WASH,
	letterhead,
	panel,
	paragraph,
	put,
	rule,
	sectionBar,
} from '../layout/drawing';
import { fieldRows } from '../layout/fields';
import { footers } from '../layout/footer';
import { table, tableRow } from '../layout/table';

const WIDTH = 612 - 2 * MARGIN;
const FIRST_PAGE_TERMS = 3;
const LOOK = { x: MARGIN, size: 8.4, color: GREY };

const COLUMNS = [
	{ title: 'Claim Number', width: 84 },
	{ title: 'Date of Loss', width: 60 },
	{ title: 'Description', width: 146 },
	{ title: 'Status', width: 52 },
	{ title: 'Paid', width: 64, align: 'right' as const },
	{ title: 'Reserved', width: 60, align: 'right' as const },
	{ title: 'Incurred', width: 66, align: 'right' as const },
];

/** A loss run: the property claims of five policy terms, on two pages. */
export async function makeLossRun(): Promise<Uint8Array> {
	const draft = await startDraft({
		title: 'Loss Run',
		author: INSURER.name,
		created: LOSS_RUN.valued,
	});
	let y = opening(draft);
	const first = draft.sheets[0];
	const second = addSheet(draft);
	if (first)
		for (const term of LOSS_RUN.terms.slice(0, FIRST_PAGE_TERMS)) y = termTable(first, term, y);
	put(second, 'Loss Run, continued', MARGIN, 52, { size: 13, font: 'bold', color: NAVY });
	put(second, `${LOSS_RUN.insured}, ${LOSS_RUN.account}`, MARGIN + WIDTH, 52, {
		size: 9,
		color: GREY,
		align: 'right',
	});
	rule(second, MARGIN, 60, WIDTH, NAVY, 1.4);
	y = 84;
	for (const term of LOSS_RUN.terms.slice(FIRST_PAGE_TERMS)) y = termTable(second, term, y);
	summary(second, y);
	footers(draft, 'Report LR-02', `Valued as of ${usDate(LOSS_RUN.valued)}`);
	return finishDraft(draft);
}

function opening(draft: Draft): number {
	const sheet = addSheet(draft);
	letterhead(
		sheet,
		{
			initial: 'E',
			name: INSURER.name,
			lines: ['Claims department', `${INSURER.claimsPhone}   ${INSURER.email}`],
		},
		MARGIN,
		36,
	);
	put(sheet, 'Loss Run', MARGIN + WIDTH, 52, {
		size: 18,
		font: 'bold',
		color: NAVY,
		align: 'right',
	});
	put(sheet, 'Confidential', MARGIN + WIDTH, 66, { size: 8.5, color: GREY, align: 'right' });
	panel(sheet, MARGIN, 86, WIDTH, 64, { fill: WASH, border: LINE });
	fieldRows(sheet, { x: MARGIN + 9, y: 104, width: WIDTH / 2, labelWidth: 84, leading: 16.5 }, [
		['Insured', LOSS_RUN.insured],
		['Account', LOSS_RUN.account],
		['Producer', AGENCY.name],
	]);
	fieldRows(
		sheet,
		{ x: MARGIN + WIDTH / 2 + 36, y: 104, width: WIDTH / 2 - 45, labelWidth: 96, leading: 16.5 },
		[
			['Valued as of', longDate(LOSS_RUN.valued)],
			['Line of Business', LOSS_RUN.line],
			['Years Reported', `${LOSS_RUN.terms.length}`],
		],
	);
	return 174;
}

function termTable(sheet: Sheet, term: LossTerm, y: number): number {
	put(sheet, `Policy ${term.policy}`, MARGIN, y, { size: 9.5, font: 'bold', color: NAVY });
	put(
		sheet,
		`Term ${usDate(term.effective)} to ${usDate(term.expiration)}, written premium ${dollars(term.premium)}`,
		MARGIN + WIDTH,
		y,
		{ size: 8.5, color: GREY, align: 'right' },
	);
	const rows = term.records.map((item) => [
		item.claim,
		usDate(item.date),
		item.description,
		item.status,
		plainAmount(item.paid),
		plainAmount(item.reserved),
		plainAmount(item.incurred),
	]);
	const below = table(sheet, COLUMNS, rows, y + 7, LOOK);
	const sum = (pick: 'paid' | 'reserved' | 'incurred'): string =>
		plainAmount(term.records.reduce((amount, item) => amount + item[pick], 0));
	return (
		tableRow(
			sheet,
			COLUMNS,
			['Total of term', '', '', '', sum('paid'), sum('reserved'), sum('incurred')],
			below,
			1,
			LOOK,
			true,
		) + 27
	);
}

function summary(sheet: Sheet, from: number): void {
	const y = sectionBar(sheet, 'Summary of all terms', MARGIN, from, WIDTH);
	panel(sheet, MARGIN, y, WIDTH, 64, { border: LINE });
	fieldRows(sheet, { x: MARGIN + 9, y: y + 18, width: WIDTH / 2, labelWidth: 104, leading: 16.5 }, [
		['Number of Claims', String(LOSS_RUN.records.length)],
		['Open Claims', String(LOSS_RUN.openClaims)],
		['Reporting Basis', 'Ground up, net of recovery'],
	]);
	fieldRows(
		sheet,
		{ x: MARGIN + WIDTH / 2 + 36, y: y + 18, width: WIDTH / 2 - 45, labelWidth: 96, leading: 16.5 },
		[
			['Total Paid', cents(LOSS_RUN.paid)],
			['Total Reserved', cents(LOSS_RUN.reserved)],
			['Total Incurred', cents(LOSS_RUN.incurred)],
		],
	);
	paragraph(
		sheet,
		'Paid amounts include loss and loss adjustment expense. Reserves are estimates on the valuation date and may change. A claim that was reported but closed without payment is shown with zero amounts. This report is prepared for the insured and its producer; it is not a statement of coverage.',
		MARGIN,
		y + 84,
		WIDTH,
		{ size: 8.4, color: GREY },
	);
}
