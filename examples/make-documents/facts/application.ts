import { AGENCY } from './parties';

export interface Question {
	/** Name of the field in the expected result. */
	field: string;
	text: string;
	answer: boolean;
	remark?: string;
}

const questions: Question[] = [
	{
		field: 'sprinklered',
		text: 'Are all buildings protected by automatic sprinklers?',
		answer: true,
	},
	{
		field: 'central_station_alarm',
		text: 'Is there a central station fire and burglar alarm?',
		answer: true,
	},
	{
		field: 'commercial_cooking',
		text: 'Is there commercial cooking on the premises?',
		answer: true,
		remark: 'Hood and duct system serviced twice a year.',
	},
	{
		field: 'hazardous_materials',
		text: 'Are flammables or other hazardous materials stored?',
		answer: false,
	},
	{
		field: 'cancelled_or_declined',
		text: 'Was any policy cancelled, declined or non-renewed in three years?',
		answer: false,
	},
	{
		field: 'prior_losses',
		text: 'Were there any losses or claims in the past five years?',
		answer: true,
		remark: 'One water damage claim, 11/09/2023, $18,240.15 paid, closed.',
	},
];

/** A new account's application. Dates are YYYY-MM-DD, amounts US dollars. */
export const APPLICATION = {
	insured: 'Ejemplo Bakery & Café LLC',
	tradeName: 'Café Ejemplo',
	entity: 'Limited Liability Company',
	taxId: '00-0000417',
	address: '52 Specimen Avenue, Exampleton, OH 43999',
	contact: 'José Ejemplo',
	phone: '(614) 555-0164',
	email: 'jose@cafe.example.com',
	website: 'www.cafe.example.com',
	operations:
		'Retail bakery with seating for 48 guests, wholesale of bread and pastry to local grocers.',
	industryCode: '311811',
	yearsInBusiness: 12,
	employees: 27,
	grossSales: 2_384_000,
	payroll: 812_500,
	applied: '2026-04-06',
	effective: '2026-05-15',
	expiration: '2027-05-15',
	billing: 'Agency bill, quarterly',
	producer: AGENCY,
	limits: {
		building: 1_850_000,
		contents: 640_000,
		businessIncome: 475_000,
		occurrence: 1_000_000,
		aggregate: 2_000_000,
	},
	deductible: 2_500,
	premises: {
		construction: 'Joisted masonry',
		yearBuilt: 1962,
		yearUpdated: 2019,
		area: 7_400,
		stories: 2,
		interest: 'Owner',
	},
	prior: {
		insurer: 'Placeholder Casualty Company',
		policy: 'PCC-BOP-55127',
		premium: 14_806,
		expiration: '2026-05-15',
	},
	questions,
} as const;
