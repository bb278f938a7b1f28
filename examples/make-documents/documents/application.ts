import { dollars, plainAmount, usDate } from '../formats';
import { APPLICATION } from '../facts/application';
import { addSheet, finishDraft, MARGIN, startDraft, type Draft, type Sheet } from '../layout/draft';
import { GREEN, GREY, INK, LINE, panel, paragraph, put, rule, sectionBar } from '../layout/drawing';
import { checkBox, formRow, type FormBox } from '../layout/form';
import { footers } from '../layout/footer';

const WIDTH = 612 - 2 * MARGIN;
const FORM = 'Form APP-100 (01 26)';

/** An application for commercial insurance as a filled PDF form: two pages. */
export async function makeApplication(): Promise<Uint8Array> {
	const draft = await startDraft({
		title: 'Commercial Insurance Application',
		author: APPLICATION.producer.name,
		created: APPLICATION.applied,
	});
	firstPage(draft);
	secondPage(draft);
	footers(draft, FORM, `${APPLICATION.producer.name}, ${APPLICATION.producer.phone}`);
	return finishDraft(draft);
}

function box(label: string, field: string, value: string, share = 1): FormBox {
	return { label, field, value, share };
}

function section(
	draft: Draft,
	sheet: Sheet,
	title: string,
	y: number,
	rows: ReadonlyArray<readonly FormBox[]>,
): number {
	let below = sectionBar(sheet, title, MARGIN, y, WIDTH, GREEN);
	for (const row of rows) below = formRow(draft, sheet, MARGIN, below, WIDTH, row);
	return below + 16;
}

function firstPage(draft: Draft): void {
	const sheet = addSheet(draft);
	put(sheet, 'Commercial Insurance Application', MARGIN, 56, {
		size: 18,
		font: 'bold',
		color: GREEN,
	});
	put(sheet, 'Applicant information section', MARGIN, 71, { size: 9.5, color: GREY });
	put(sheet, `Application date:  ${usDate(APPLICATION.applied)}`, MARGIN + WIDTH, 56, {
		size: 9.5,
		align: 'right',
	});
	rule(sheet, MARGIN, 80, WIDTH, GREEN, 1.4);

	let y = section(draft, sheet, 'Producer', 92, [
		[
			box('Producer', 'producer', APPLICATION.producer.name, 5),
			box('Producer Code', 'producer_code', APPLICATION.producer.code, 2),
			box('Producer Phone', 'producer_phone', APPLICATION.producer.phone, 2),
		],
	]);
	y = section(draft, sheet, 'Applicant', y, [
		[box('Applicant Name', 'applicant', APPLICATION.insured)],
		[
			box('Trade Name', 'trade_name', APPLICATION.tradeName, 3),
			box('Legal Entity', 'entity', APPLICATION.entity, 3),
			box('Federal Tax ID', 'tax_id', APPLICATION.taxId, 2),
		],
		[box('Mailing Address', 'address', APPLICATION.address)],
		[
			box('Contact', 'contact', APPLICATION.contact, 3),
			box('Phone', 'phone', APPLICATION.phone, 2),
			box('E-mail', 'email', APPLICATION.email, 3),
			box('Website', 'website', APPLICATION.website, 3),
		],
	]);
	y = section(draft, sheet, 'Nature of business', y, [
		[box('Description of Operations', 'operations', APPLICATION.operations, 1)],
		[
			box('NAICS Code', 'industry_code', APPLICATION.industryCode),
			box('Years in Business', 'years_in_business', String(APPLICATION.yearsInBusiness)),
			box('Number of Employees', 'employees', String(APPLICATION.employees)),
			box('Annual Gross Sales', 'gross_sales', dollars(APPLICATION.grossSales), 1.3),
			box('Annual Payroll', 'payroll', dollars(APPLICATION.payroll), 1.2),
		],
	]);
	y = section(draft, sheet, 'Policy requested', y, [
		[
			box('Billing', 'billing', APPLICATION.billing),
			box('Proposed Effective Date', 'effective', usDate(APPLICATION.effective)),
			box('Proposed Expiration Date', 'expiration', usDate(APPLICATION.expiration)),
		],
		[
			box('Building Limit', 'building', dollars(APPLICATION.limits.building)),
			box(
				'Business Personal Property Limit',
				'contents',
				dollars(APPLICATION.limits.contents),
				1.3,
			),
			box('Business Income Limit', 'business_income', dollars(APPLICATION.limits.businessIncome)),
			box('Property Deductible', 'deductible', dollars(APPLICATION.deductible)),
		],
		[
			box('Each Occurrence Limit', 'occurrence', dollars(APPLICATION.limits.occurrence)),
			box('General Aggregate Limit', 'aggregate', dollars(APPLICATION.limits.aggregate)),
			box('Medical Expense Limit', 'medical', ''),
			box('Damage to Rented Premises', 'rented', ''),
		],
	]);
	section(draft, sheet, 'Prior insurance', y, [
		[
			box('Prior Carrier', 'prior_carrier', APPLICATION.prior.insurer, 3),
			box('Prior Policy Number', 'prior_policy', APPLICATION.prior.policy, 2),
			box('Prior Expiration', 'prior_expiration', usDate(APPLICATION.prior.expiration), 1.6),
			box('Expiring Premium', 'prior_premium', dollars(APPLICATION.prior.premium), 1.6),
		],
	]);
}

function secondPage(draft: Draft): void {
	const sheet = addSheet(draft);
	const { premises } = APPLICATION;
	put(sheet, 'Commercial Insurance Application', MARGIN, 52, {
		size: 13,
		font: 'bold',
		color: GREEN,
	});
	put(sheet, APPLICATION.insured, MARGIN + WIDTH, 52, { size: 9.5, color: GREY, align: 'right' });
	rule(sheet, MARGIN, 60, WIDTH, GREEN, 1.4);

	let y = section(draft, sheet, 'Premises 1', 72, [
		[
			box('Premises Address', 'premises_address', APPLICATION.address, 3),
			box('Interest', 'interest', premises.interest, 1),
			box('Occupied Area', 'occupied', '100%', 1),
		],
		[
			box('Construction', 'construction', premises.construction, 1.6),
			box('Year Built', 'year_built', String(premises.yearBuilt)),
			box('Last Update', 'year_updated', String(premises.yearUpdated)),
			box('Total Area (sq ft)', 'area', plainAmount(premises.area, 0)),
			box('Stories', 'stories', String(premises.stories)),
		],
	]);

	y = sectionBar(sheet, 'General information', MARGIN, y, WIDTH, GREEN);
	put(
		sheet,
		'Check each question that is answered with yes and explain it below.',
		MARGIN + 5,
		y + 14,
		{ size: 8, font: 'italic', color: GREY },
	);
	put(sheet, 'Yes', MARGIN + WIDTH - 30, y + 14, { size: 8, font: 'bold', color: GREY });
	y += 20;
	APPLICATION.questions.forEach((question, index) => {
		panel(sheet, MARGIN, y, WIDTH, 25, { border: LINE });
		put(sheet, `${index + 1}.`, MARGIN + 6, y + 16, { size: 9, color: GREY });
		put(sheet, question.text, MARGIN + 26, y + 16, { size: 9.2 });
		checkBox(draft, sheet, question.field, question.answer, MARGIN + WIDTH - 29, y + 7);
		y += 25;
	});

	y = sectionBar(sheet, 'Explanations', MARGIN, y + 16, WIDTH, GREEN);
	panel(sheet, MARGIN, y, WIDTH, 60, { border: LINE });
	APPLICATION.questions.forEach((question, index) => {
		if (question.remark) {
			y += 17;
			put(sheet, `No. ${index + 1}   ${question.remark}`, MARGIN + 8, y, { size: 9.2 });
		}
	});

	y = sectionBar(sheet, 'Statement of the applicant', MARGIN, y + 42, WIDTH, GREEN);
	y = paragraph(
		sheet,
		'The undersigned is an authorized representative of the applicant and states that the answers given in this application are true, complete and correct to the best of his or her knowledge. Any person who knowingly files an application that holds materially false information, or conceals a material fact, commits a fraudulent act, which may be a crime. Signing this form does not bind the applicant to accept the insurance or the insurer to offer it.',
		MARGIN,
		y + 16,
		WIDTH,
		{ size: 8.6, color: GREY },
	);
	const half = WIDTH / 2 - 12;
	put(sheet, APPLICATION.contact, MARGIN + 12, y + 42, { size: 19, font: 'signature', color: INK });
	put(sheet, usDate(APPLICATION.applied), MARGIN + half + 36, y + 42, { size: 10 });
	rule(sheet, MARGIN, y + 48, half, GREY);
	rule(sheet, MARGIN + half + 24, y + 48, half, GREY);
	put(sheet, "Applicant's signature", MARGIN, y + 58, { size: 7.5, color: GREY });
	put(sheet, 'Date signed', MARGIN + half + 24, y + 58, { size: 7.5, color: GREY });
}
