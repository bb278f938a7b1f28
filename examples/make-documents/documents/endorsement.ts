import { dollars, usDate } from '../formats';
import { AGENCY, INSURER } from '../facts/parties';
import { CHANGE_REQUEST, ENDORSEMENT } from '../facts/policyCheck';
import { addSheet, finishDraft, MARGIN, startDraft } from '../layout/draft';
import { GREY, LINE, NAVY, WASH, letterhead, panel, paragraph, put } from '../layout/drawing';
import { fieldRows } from '../layout/fields';
import { footers } from '../layout/footer';
import { table } from '../layout/table';

const WIDTH = 612 - 2 * MARGIN;

/** The endorsement that the insurer issued: one page. */
export async function makeEndorsement(): Promise<Uint8Array> {
	const draft = await startDraft({
		title: 'Policy Change Endorsement',
		author: INSURER.name,
		created: ENDORSEMENT.issued,
	});
	const sheet = addSheet(draft);
	const lines = [INSURER.address.join(', '), INSURER.website];
	letterhead(sheet, { initial: 'E', name: INSURER.name, lines }, MARGIN, 36);
	put(sheet, 'Policy Change Endorsement', MARGIN, 98, { size: 15, font: 'bold', color: NAVY });
	panel(sheet, MARGIN, 110, WIDTH, 96, { border: LINE, fill: WASH });
	fieldRows(sheet, { x: MARGIN + 9, y: 128, width: WIDTH, labelWidth: 110, leading: 17 }, [
		['Policy Number', ENDORSEMENT.policy],
		['Named Insured', ENDORSEMENT.insured],
		['Effective Date', usDate(ENDORSEMENT.effective)],
		['Endorsement', ENDORSEMENT.number],
		['Issue Date', usDate(ENDORSEMENT.issued)],
	]);
	const columns = [
		{ title: 'Item', width: 230 },
		{ title: 'Change', width: 120 },
		{ title: 'Limit', width: 91, align: 'right' as const },
		{ title: 'Deductible', width: 91, align: 'right' as const },
	];
	const rows = ENDORSEMENT.changes.map((each) => [
		each.item,
		each.change,
		dollars(each.limit),
		dollars(each.deductible),
	]);
	const y = table(sheet, columns, rows, 224, { x: MARGIN, size: 8.8, color: GREY });
	paragraph(sheet, 'All other terms stay as they are.', MARGIN, y + 24, WIDTH);
	footers(draft, 'EX 90 20 (01 26)', INSURER.name);
	return finishDraft(draft);
}

/** The agency's instruction to the insurer: plain text. */
export function makeChangeRequest(): string {
	const row = (cells: string[]) =>
		cells
			.map((cell, index) => cell.padEnd([42, 16, 14, 0][index] ?? 0))
			.join('')
			.trimEnd();
	return [
		`To: ${INSURER.name}`,
		`Sent: ${usDate(CHANGE_REQUEST.sent)}`,
		'',
		'Please change this policy:',
		'',
		`Policy Number: ${CHANGE_REQUEST.policy}`,
		`Named Insured: ${CHANGE_REQUEST.insured}`,
		`Effective Date: ${usDate(CHANGE_REQUEST.effective)}`,
		'',
		row(['Item', 'Change', 'Limit', 'Deductible']),
		...CHANGE_REQUEST.changes.map((each) =>
			row([each.item, each.change, dollars(each.limit), dollars(each.deductible)]),
		),
		'',
		`${CHANGE_REQUEST.from}, ${AGENCY.name}`,
		'',
	].join('\n');
}
