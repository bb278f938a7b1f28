import { dollars, longDate, plainAmount, usDate } from '../formats';
import { VALUES } from '../facts/values';
import { addSheet, finishDraft, startDraft } from '../layout/draft';
import { GREEN, GREY, LINE, WASH, panel, paragraph, put, rule } from '../layout/drawing';
import { fieldRows } from '../layout/fields';
import { footers } from '../layout/footer';
import { table, tableRow } from '../layout/table';

const EDGE = 30;
const WIDTH = 792 - 2 * EDGE;
const LOOK = { x: EDGE, size: 7.8, color: GREEN };

const COLUMNS = [
	{ title: 'Loc', width: 26 },
	{ title: 'Address', width: 112 },
	{ title: 'City', width: 80 },
	{ title: 'Occupancy', width: 94 },
	{ title: 'Construction', width: 86 },
	{ title: 'Built', width: 32, align: 'right' as const },
	{ title: 'Sq Ft', width: 44, align: 'right' as const },
	{ title: 'Building', width: 64, align: 'right' as const },
	{ title: 'Contents', width: 58, align: 'right' as const },
	{ title: 'Business Income', width: 72, align: 'right' as const },
	{ title: 'Total Value', width: 64, align: 'right' as const },
];

/** A statement of values: every location of an account with its values, one page across. */
export async function makeStatementOfValues(): Promise<Uint8Array> {
	const draft = await startDraft({
		title: 'Statement of Values',
		author: VALUES.insured,
		created: VALUES.prepared,
		landscape: true,
	});
	const sheet = addSheet(draft);
	put(sheet, 'Statement of Values', EDGE, 50, { size: 18, font: 'bold', color: GREEN });
	put(sheet, VALUES.insured, EDGE + WIDTH, 50, {
		size: 11,
		font: 'bold',
		color: GREEN,
		align: 'right',
	});
	rule(sheet, EDGE, 60, WIDTH, GREEN, 1.4);

	panel(sheet, EDGE, 70, WIDTH, 48, { fill: WASH, border: LINE });
	fieldRows(sheet, { x: EDGE + 9, y: 88, width: 370, labelWidth: 92, leading: 17 }, [
		['Named Insured', VALUES.insured],
		['Mailing Address', VALUES.address],
	]);
	fieldRows(sheet, { x: EDGE + 390, y: 88, width: 190, labelWidth: 82, leading: 17 }, [
		['Policy Number', VALUES.policy],
		['Values as of', longDate(VALUES.effective)],
	]);
	fieldRows(sheet, { x: EDGE + 580, y: 88, width: 150, labelWidth: 58, leading: 17 }, [
		['Valuation', VALUES.valuation],
		['Locations', String(VALUES.locations.length)],
	]);

	const rows = VALUES.locations.map((item) => [
		String(item.number),
		item.address,
		`${item.city}, ${item.state}`,
		item.occupancy,
		item.construction,
		String(item.yearBuilt),
		plainAmount(item.area, 0),
		dollars(item.building),
		dollars(item.contents),
		dollars(item.businessIncome),
		dollars(item.total),
	]);
	let y = table(sheet, COLUMNS, rows, 132, LOOK);
	y = tableRow(
		sheet,
		COLUMNS,
		[
			'',
			'Total of all locations',
			'',
			'',
			'',
			'',
			'',
			dollars(VALUES.building),
			dollars(VALUES.contents),
			dollars(VALUES.businessIncome),
			dollars(VALUES.total),
		],
		y,
		1,
		LOOK,
		true,
	);

	panel(sheet, EDGE + WIDTH - 262, y + 14, 262, 26, { fill: WASH, border: GREEN });
	put(sheet, 'Total Insured Value:', EDGE + WIDTH - 252, y + 31, {
		size: 10,
		font: 'bold',
		color: GREEN,
	});
	put(sheet, dollars(VALUES.total), EDGE + WIDTH - 10, y + 31, {
		size: 11,
		font: 'bold',
		color: GREEN,
		align: 'right',
	});

	y = paragraph(
		sheet,
		'The values above are the full replacement cost of buildings and contents and twelve months of business income including continuing payroll. They are correct to the best of my knowledge and belief and are given to the insurer as the basis of the rate and of any agreed value.',
		EDGE,
		y + 24,
		430,
		{ size: 8.6, color: GREY },
	);
	put(sheet, VALUES.preparedBy, EDGE + 12, y + 36, { size: 18, font: 'signature' });
	put(sheet, usDate(VALUES.prepared), EDGE + 292, y + 36, { size: 9.5 });
	rule(sheet, EDGE, y + 42, 250, GREY);
	rule(sheet, EDGE + 280, y + 42, 150, GREY);
	put(sheet, `${VALUES.preparedBy}, ${VALUES.preparedTitle}`, EDGE, y + 53, {
		size: 7.8,
		color: GREY,
	});
	put(sheet, 'Date signed', EDGE + 280, y + 53, { size: 7.8, color: GREY });
	footers(draft, 'SOV 2026', 'Commercial property', EDGE);
	return finishDraft(draft);
}
