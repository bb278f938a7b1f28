import { cents, dollars, plainAmount, usDate } from '../formats';
import { AGENCY, INSURER, MANUFACTURER } from '../facts/parties';
import { POLICY } from '../facts/policy';
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
const HALF = WIDTH / 2 - 8;
const RIGHT = MARGIN + WIDTH / 2 + 8;

/** The declarations of a commercial property policy: two pages. */
export async function makeDeclarationsPage(): Promise<Uint8Array> {
	const draft = await startDraft({
		title: 'Commercial Property Policy Declarations',
		author: INSURER.name,
		created: POLICY.issued,
	});
	firstPage(draft);
	secondPage(draft);
	footers(draft, 'EX 00 01 (01 26)', INSURER.name);
	return finishDraft(draft);
}

function title(sheet: Sheet, text: string): void {
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
	put(sheet, text, MARGIN, 96, { size: 15, font: 'bold', color: NAVY });
	rule(sheet, MARGIN, 104, WIDTH, NAVY, 1.4);
}

function firstPage(draft: Draft): void {
	const sheet = addSheet(draft);
	title(sheet, 'Commercial Property Policy Declarations');

	panel(sheet, MARGIN, 114, 290, 96, { border: LINE });
	panel(sheet, MARGIN + 306, 114, WIDTH - 306, 96, { border: LINE, fill: WASH });
	fieldRows(sheet, { x: MARGIN + 9, y: 131, width: 272, labelWidth: 92, leading: 17 }, [
		['Policy Number', POLICY.number],
		['Named Insured', MANUFACTURER.name],
		['Mailing Address', MANUFACTURER.address.join(', ')],
		['Business', MANUFACTURER.business],
		['Entity', 'Corporation'],
	]);
	fieldRows(sheet, { x: MARGIN + 315, y: 131, width: 208, labelWidth: 92, leading: 17 }, [
		['Effective Date', usDate(POLICY.effective)],
		['Expiration Date', usDate(POLICY.expiration)],
		['Issue Date', usDate(POLICY.issued)],
		['Renewal Of', POLICY.renewalOf],
		['Time', '12:01 AM standard time'],
	]);

	let y = sectionBar(sheet, 'Agency', MARGIN, 222, WIDTH);
	panel(sheet, MARGIN, y, WIDTH, 48, { border: LINE });
	fieldRows(sheet, { x: MARGIN + 9, y: y + 18, width: HALF, labelWidth: 92, leading: 17 }, [
		['Agency', AGENCY.name],
		['Agency Code', AGENCY.code],
	]);
	fieldRows(sheet, { x: RIGHT + 9, y: y + 18, width: HALF - 18, labelWidth: 92, leading: 17 }, [
		['Producer', AGENCY.producer],
		['Agency Phone', AGENCY.phone],
	]);

	y = sectionBar(sheet, 'Coverages and limits of insurance', MARGIN, y + 60, WIDTH);
	const columns = [
		{ title: 'Coverage', width: 186 },
		{ title: 'Limit', width: 84, align: 'right' as const },
		{ title: '', width: 12 },
		{ title: 'Valuation', width: 106 },
		{ title: 'Coinsurance', width: 66, align: 'right' as const },
		{ title: 'Premium', width: 78, align: 'right' as const },
	];
	const rows = POLICY.coverages.map((item) => [
		item.name,
		dollars(item.limit),
		'',
		item.valuation,
		item.coinsurance,
		dollars(item.premium),
	]);
	y = table(sheet, columns, rows, y, { x: MARGIN, size: 8.8, color: GREY });

	y = sectionBar(sheet, 'Deductibles and conditions', MARGIN, y + 14, HALF);
	fieldRows(sheet, { x: MARGIN + 9, y: y + 18, width: HALF - 18, labelWidth: 122, leading: 16 }, [
		['Deductible', `${dollars(POLICY.deductible)} each occurrence`],
		['Wind and Hail Deductible', `${dollars(POLICY.windHailDeductible)} each occurrence`],
		['Waiting Period', `${POLICY.waitingPeriod}, Business Income`],
		['Causes of Loss', `${POLICY.form} form`],
	]);
	sectionBar(sheet, 'Premium', RIGHT, y - 16, HALF);
	const end = fieldRows(
		sheet,
		{ x: RIGHT + 9, y: y + 18, width: HALF - 18, labelWidth: 140, leading: 16 },
		[
			['Coverage Premium', cents(POLICY.totalPremium - POLICY.terrorismPremium - POLICY.fees)],
			['Certified Acts of Terrorism', cents(POLICY.terrorismPremium)],
			['Policy Fee and Surcharges', cents(POLICY.fees)],
		],
	);
	panel(sheet, RIGHT, end - 9, HALF, 24, { fill: WASH, border: NAVY });
	put(sheet, 'Total Policy Premium:', RIGHT + 9, end + 6.5, {
		size: 9.5,
		font: 'bold',
		color: NAVY,
	});
	put(sheet, cents(POLICY.totalPremium), RIGHT + HALF - 9, end + 6.5, {
		size: 11,
		font: 'bold',
		color: NAVY,
		align: 'right',
	});

	y = end + 34;
	paragraph(
		sheet,
		`In return for the payment of the premium, and subject to all the terms of this policy, we agree with you to provide the insurance stated in these declarations. The premium is payable in ${POLICY.installments} equal installments; a service charge may apply. These declarations, the coverage forms and the endorsements listed on the next page make up the policy.`,
		MARGIN,
		y,
		WIDTH,
		{ size: 8.5, color: GREY },
	);
	put(sheet, 'A. Probenstein', RIGHT + 12, y + 74, { size: 17, font: 'signature', color: NAVY });
	rule(sheet, RIGHT, y + 80, HALF, GREY);
	put(sheet, 'Authorized representative', RIGHT, y + 91, { size: 7.5, color: GREY });
	rule(sheet, MARGIN, y + 80, HALF, GREY);
	put(sheet, usDate(POLICY.issued), MARGIN + 12, y + 76, { size: 9.5 });
	put(sheet, 'Countersigned on', MARGIN, y + 91, { size: 7.5, color: GREY });
}

function secondPage(draft: Draft): void {
	const sheet = addSheet(draft);
	title(sheet, 'Schedule of Premises and Forms');
	put(sheet, `Policy ${POLICY.number}   ${MANUFACTURER.name}`, MARGIN + WIDTH, 96, {
		size: 9,
		color: GREY,
		align: 'right',
	});

	let y = sectionBar(sheet, 'Described premises', MARGIN, 116, WIDTH);
	const columns = [
		{ title: 'Prem.', width: 34 },
		{ title: 'Address', width: 178 },
		{ title: 'Occupancy', width: 84 },
		{ title: 'Construction', width: 86 },
		{ title: 'Built', width: 36, align: 'right' as const },
		{ title: 'Area sq ft', width: 50, align: 'right' as const },
		{ title: 'Protection', width: 64 },
	];
	const rows = POLICY.premises.map((item) => [
		String(item.number),
		item.address,
		item.occupancy,
		item.construction,
		String(item.yearBuilt),
		plainAmount(item.area, 0),
		item.protection,
	]);
	y = table(sheet, columns, rows, y, { x: MARGIN, size: 8.2, color: GREY });
	y = paragraph(
		sheet,
		'Building, Business Personal Property and Business Income limits apply on a blanket basis to all described premises.',
		MARGIN,
		y + 15,
		WIDTH,
		{ size: 8.5, font: 'italic', color: GREY },
	);

	y = sectionBar(sheet, 'Mortgage holder', MARGIN, y + 8, WIDTH);
	panel(sheet, MARGIN, y, WIDTH, 48, { border: LINE });
	fieldRows(sheet, { x: MARGIN + 9, y: y + 18, width: WIDTH - 18, labelWidth: 92, leading: 17 }, [
		['Mortgagee', `${POLICY.mortgagee.name}, ${POLICY.mortgagee.address}`],
		['Loan Number', POLICY.mortgagee.loan],
	]);

	y = sectionBar(sheet, 'Forms and endorsements', MARGIN, y + 62, WIDTH);
	const forms = [
		{ title: 'Form', width: 130 },
		{ title: 'Name', width: WIDTH - 130 },
	];
	POLICY.forms.forEach(([form, name], index) => {
		y = tableRow(sheet, forms, [form, name], y, index, { x: MARGIN, size: 8.8 });
	});

	y = sectionBar(sheet, 'Report a claim', MARGIN, y + 16, WIDTH);
	panel(sheet, MARGIN, y, WIDTH, 44, { border: LINE });
	paragraph(
		sheet,
		`Call ${INSURER.claimsPhone} at any hour or write to ${INSURER.email}. Have the policy number, the date and place of the loss and a short description at hand. Protect the property from further damage and keep all receipts.`,
		MARGIN + 9,
		y + 18,
		WIDTH - 18,
		{ size: 9 },
	);
}
