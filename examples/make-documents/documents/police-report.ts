import { usDate } from '../formats';
import { LOSS } from '../facts/claim';
import { addSheet, finishDraft, MARGIN, startDraft } from '../layout/draft';
import { GREY, INK, paragraph, put, rule } from '../layout/drawing';
import { boxRow } from '../layout/fields';
import { footers } from '../layout/footer';

const WIDTH = 612 - 2 * MARGIN;

/** The police report that is attached to the notice of loss: one page of a typed form. */
export async function makePoliceReport(): Promise<Uint8Array> {
	const { police, driver } = LOSS;
	const draft = await startDraft({
		title: `Incident report ${police.report}`,
		author: police.department,
		created: LOSS.date,
	});
	const sheet = addSheet(draft);
	put(sheet, police.department.toUpperCase(), 306, 54, { size: 14, font: 'bold', align: 'center' });
	put(sheet, 'Incident report', 306, 70, { size: 10.5, color: GREY, align: 'center' });
	rule(sheet, MARGIN, 80, WIDTH, INK, 1.2);

	let y = boxRow(sheet, MARGIN, 92, WIDTH, 30, [
		{ label: 'Report Number', value: police.report, share: 2 },
		{ label: 'Incident Date', value: usDate(LOSS.date), share: 1.5 },
		{ label: 'Incident Time', value: LOSS.time, share: 1 },
		{ label: 'Case Status', value: police.status, share: 2 },
	]);
	y = boxRow(sheet, MARGIN, y, WIDTH, 30, [
		{ label: 'Incident Location', value: LOSS.location, share: 3 },
		{ label: 'Incident Type', value: police.incident, share: 2 },
	]);
	y = boxRow(sheet, MARGIN, y, WIDTH, 30, [
		{ label: 'Driver', value: driver.name, share: 2 },
		{ label: 'Vehicle Owner', value: driver.carrier, share: 3 },
		{ label: 'Plate', value: driver.plate, share: 1.5 },
		{ label: 'Citation Issued', value: police.citation ? 'Yes' : 'No', share: 1 },
	]);
	y = boxRow(sheet, MARGIN, y, WIDTH, 30, [
		{ label: 'Property Owner', value: LOSS.insured, share: 3 },
		{ label: 'Persons Injured', value: String(police.injured), share: 1 },
		{ label: 'Reporting Officer', value: `${police.officer}, badge ${police.badge}`, share: 2.5 },
	]);

	put(sheet, 'Narrative', MARGIN, y + 24, { size: 10, font: 'bold' });
	const style = { size: 9, font: 'typed' as const };
	y = paragraph(
		sheet,
		'At about 0640 hours I was sent to the above address for a truck against a building. On arrival I saw a straight truck with its rear in the north wall of the warehouse, beside dock door 3. The wall panel was pushed in and the door was off its track.',
		MARGIN,
		y + 42,
		WIDTH,
		style,
	);
	y = paragraph(
		sheet,
		'The driver stated that he had left the cab to open the doors when the truck rolled back about 30 feet. He stated that the parking brake was not fully set. No person was in the dock area. The driver showed no sign of impairment.',
		MARGIN,
		y + 9,
		WIDTH,
		style,
	);
	y = paragraph(
		sheet,
		'The fire department checked the wall and closed off the dock until it is shored. Power to the door was cut off. Photographs were taken and stored with this report. The owner of the property was informed on scene.',
		MARGIN,
		y + 9,
		WIDTH,
		style,
	);

	put(sheet, 'T. Paradigma', MARGIN + 12, y + 50, { size: 18, font: 'signature' });
	rule(sheet, MARGIN, y + 56, 240, GREY);
	put(sheet, `${police.officer}, badge ${police.badge}`, MARGIN, y + 67, {
		size: 7.8,
		color: GREY,
	});
	footers(draft, police.report, 'Copy for insurance purposes');
	return finishDraft(draft);
}
