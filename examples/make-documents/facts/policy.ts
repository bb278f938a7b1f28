import { total } from '../formats';

/** A line of the declarations: limit and premium in US dollars. */
export interface Coverage {
	name: string;
	limit: number;
	valuation: string;
	coinsurance: string;
	premium: number;
}

export interface Premises {
	number: number;
	address: string;
	occupancy: string;
	construction: string;
	yearBuilt: number;
	area: number;
	protection: string;
}

const coverages: Coverage[] = [
	{
		name: 'Building',
		limit: 16_500_000,
		valuation: 'Replacement Cost',
		coinsurance: '90%',
		premium: 28_415,
	},
	{
		name: 'Business Personal Property',
		limit: 11_225_000,
		valuation: 'Replacement Cost',
		coinsurance: '90%',
		premium: 19_872,
	},
	{
		name: 'Business Income and Extra Expense',
		limit: 4_650_000,
		valuation: 'Actual Loss',
		coinsurance: '80%',
		premium: 8_640,
	},
	{
		name: 'Ordinance or Law',
		limit: 1_000_000,
		valuation: 'Per Endorsement',
		coinsurance: 'None',
		premium: 1_150,
	},
	{
		name: 'Equipment Breakdown',
		limit: 10_000_000,
		valuation: 'Replacement Cost',
		coinsurance: 'None',
		premium: 2_310,
	},
	{
		name: 'Property in Transit',
		limit: 250_000,
		valuation: 'Invoice Cost',
		coinsurance: 'None',
		premium: 585,
	},
];

const premises: Premises[] = [
	{
		number: 1,
		address: '100 Example Way, Exampleton, OH 43999',
		occupancy: 'Plant and offices',
		construction: 'Masonry non-combustible',
		yearBuilt: 1998,
		area: 84_500,
		protection: 'Sprinklered',
	},
	{
		number: 2,
		address: '240 Sample Street, Exampleton, OH 43999',
		occupancy: 'Warehouse',
		construction: 'Non-combustible',
		yearBuilt: 2006,
		area: 52_000,
		protection: 'Sprinklered',
	},
	{
		number: 3,
		address: '15 Placeholder Road, Testford, IN 46999',
		occupancy: 'Fabrication shop',
		construction: 'Joisted masonry',
		yearBuilt: 1974,
		area: 21_300,
		protection: 'Central station alarm',
	},
];

const terrorismPremium = 592;
const fees = 125.5;

/** The commercial property policy of the declarations page. Dates are YYYY-MM-DD, amounts US dollars. */
export const POLICY = {
	number: 'EMC-CP-1048823-26',
	renewalOf: 'EMC-CP-1048823-25',
	form: 'Special',
	issued: '2026-02-17',
	effective: '2026-03-01',
	expiration: '2027-03-01',
	coverages,
	premises,
	deductible: 10_000,
	windHailDeductible: 25_000,
	waitingPeriod: '72 hours',
	terrorismPremium,
	fees,
	totalPremium: total([...coverages.map((coverage) => coverage.premium), terrorismPremium, fees]),
	installments: 4,
	mortgagee: {
		name: 'Fictional Savings Bank',
		address: '8 Ledger Lane, Exampleton, OH 43999',
		loan: 'FSB-000-4471',
	},
	forms: [
		['EX 01 00 (01 26)', 'Common Policy Conditions'],
		['EX 10 10 (01 26)', 'Building and Business Personal Property Coverage'],
		['EX 10 30 (01 26)', 'Causes of Loss - Special'],
		['EX 12 05 (01 25)', 'Business Income and Extra Expense Coverage'],
		['EX 14 20 (01 26)', 'Ordinance or Law Coverage'],
		['EX 16 02 (06 24)', 'Equipment Breakdown Protection'],
		['EX 18 40 (01 25)', 'Property in Transit'],
		['EX 20 15 (01 26)', 'Ohio Changes - Cancellation and Nonrenewal'],
		['EX 20 16 (01 26)', 'Indiana Changes'],
		['EX 90 01 (01 26)', 'Cap on Losses from Certified Acts of Terrorism'],
	],
} as const;
