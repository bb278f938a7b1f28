import { dollars, usDate } from '../formats';
import { CERTIFICATE } from '../facts/certificate';
import { AGENCY, INSURER } from '../facts/parties';
import { addSheet, finishDraft, MARGIN, startDraft } from '../layout/draft';
import {
	GREY,
	LINE,
	NAVY,
	RUST,
	WASH,
	panel,
	paragraph,
	put,
	rule,
	sectionBar,
} from '../layout/drawing';
import { fieldRows } from '../layout/fields';
import { footers } from '../layout/footer';
import { table } from '../layout/table';

const WIDTH = 612 - 2 * MARGIN;
const HALF = WIDTH / 2 - 6;
const RIGHT = MARGIN + WIDTH / 2 + 6;

const COLUMNS = [
	{ title: 'Type of Insurance', width: 140 },
	{ title: 'Policy', width: 112 },
	{ title: 'Effective', width: 60 },
	{ title: 'Expiration', width: 60 },
	{ title: 'Limit Applies To', width: 94 },
	{ title: 'Limit', width: 66, align: 'right' as const },
];

/** A certificate of insurance for the landlord of the insured: one page. */
export async function makeCertificate(): Promise<Uint8Array> {
	const draft = await startDraft({
		title: 'Certificate of Insurance',
		author: AGENCY.name,
		created: CERTIFICATE.issued,
	});
	const sheet = addSheet(draft);
	put(sheet, 'Certificate of Insurance', MARGIN, 58, { size: 20, font: 'bold', color: RUST });
	put(sheet, `Certificate No.: ${CERTIFICATE.number}`, MARGIN + WIDTH, 48, {
		size: 9.5,
		align: 'right',
	});
	put(sheet, `Issued: ${usDate(CERTIFICATE.issued)}`, MARGIN + WIDTH, 61, {
		size: 9.5,
		align: 'right',
	});
	rule(sheet, MARGIN, 70, WIDTH, RUST, 1.4);
	let y = paragraph(
		sheet,
		'This certificate is issued as a matter of information only. It gives no rights to its holder and does not amend, extend or alter the coverage of the policies listed below.',
		MARGIN,
		86,
		WIDTH,
		{ size: 8.8, font: 'italic', color: GREY },
	);

	sectionBar(sheet, 'Producer', MARGIN, y, HALF, RUST);
	y = sectionBar(sheet, 'Insured', RIGHT, y, HALF, RUST);
	panel(sheet, MARGIN, y, HALF, 82, { border: LINE });
	panel(sheet, RIGHT, y, HALF, 82, { border: LINE });
	fieldRows(sheet, { x: MARGIN + 8, y: y + 17, width: HALF - 16, labelWidth: 70, leading: 15.5 }, [
		['Agency', AGENCY.name],
		['Contact', AGENCY.producer],
		['Phone', AGENCY.phone],
		['E-mail', AGENCY.email],
	]);
	fieldRows(sheet, { x: RIGHT + 8, y: y + 17, width: HALF - 16, labelWidth: 84, leading: 15.5 }, [
		['Named Insured', CERTIFICATE.insured.name],
		['Address', CERTIFICATE.insured.address[0]],
		['City', CERTIFICATE.insured.address[1]],
		['Insurer', INSURER.name],
	]);

	y = sectionBar(sheet, 'Policies in force', MARGIN, y + 96, WIDTH, RUST);
	const rows = CERTIFICATE.policies.map((item) => [
		item.type,
		item.number,
		usDate(item.effective),
		usDate(item.expiration),
		item.limitName,
		dollars(item.limit),
	]);
	y = table(sheet, COLUMNS, rows, y, { x: MARGIN, size: 8.4, color: GREY });

	y = sectionBar(sheet, 'Further limits and terms', MARGIN, y + 14, WIDTH, RUST);
	panel(sheet, MARGIN, y, WIDTH, 14 + CERTIFICATE.policies.length * 15, { border: LINE });
	CERTIFICATE.policies.forEach((item, index) => {
		put(sheet, item.type, MARGIN + 8, y + 17 + index * 15, {
			size: 8.6,
			font: 'bold',
			color: GREY,
		});
		put(sheet, item.others.join('; '), MARGIN + 160, y + 17 + index * 15, { size: 8.6 });
	});
	y += 14 + CERTIFICATE.policies.length * 15;

	y = sectionBar(
		sheet,
		'Operations, locations and special conditions',
		MARGIN,
		y + 14,
		WIDTH,
		RUST,
	);
	panel(sheet, MARGIN, y, WIDTH, 92, { border: LINE });
	paragraph(sheet, CERTIFICATE.operations, MARGIN + 8, y + 17, WIDTH - 16, { size: 9 });
	fieldRows(sheet, { x: MARGIN + 8, y: y + 54, width: HALF, labelWidth: 130, leading: 16 }, [
		['Additional Insured', CERTIFICATE.additionalInsured ? 'Yes' : 'No'],
		['Waiver of Subrogation', CERTIFICATE.waiver ? 'Yes' : 'No'],
	]);
	fieldRows(sheet, { x: RIGHT + 8, y: y + 54, width: HALF - 16, labelWidth: 130, leading: 16 }, [
		['Notice of Cancellation', `${CERTIFICATE.noticeDays} days`],
	]);

	y += 106;
	panel(sheet, MARGIN, y, HALF, 92, { fill: WASH, border: LINE });
	put(sheet, 'Certificate Holder', MARGIN + 8, y + 18, { size: 8.6, font: 'bold', color: RUST });
	[CERTIFICATE.holder.name, ...CERTIFICATE.holder.address].forEach((line, index) => {
		put(sheet, line, MARGIN + 8, y + 34 + index * 14, { size: 10 });
	});
	put(sheet, AGENCY.producer, RIGHT + 12, y + 66, { size: 19, font: 'signature', color: NAVY });
	rule(sheet, RIGHT, y + 74, HALF, GREY);
	put(sheet, 'Authorized representative of the producer', RIGHT, y + 85, {
		size: 7.8,
		color: GREY,
	});
	footers(draft, 'Certificate form C-12', AGENCY.name);
	return finishDraft(draft);
}
