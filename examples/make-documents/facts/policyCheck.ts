import { total } from '../formats';
import { AGENCY, MANUFACTURER } from './parties';
import { APPLICATION } from './application';
import { POLICY } from './policy';

export interface QuotedCoverage {
	name: string;
	limit: number;
	premium: number;
}

/** What a quote and the policy that is issued for it have in common. Dates are YYYY-MM-DD, amounts US dollars. */
export interface PolicyPaper {
	kind: 'Quote' | 'Policy';
	number: string;
	created: string;
	insured: string;
	effective: string;
	expiration: string;
	deductible: number;
	windHailDeductible: number;
	lossPayee: string | null;
	coverages: QuotedCoverage[];
	forms: Array<[form: string, name: string]>;
}

const coverages: QuotedCoverage[] = [
	{ name: 'Building', limit: APPLICATION.limits.building, premium: 5_920 },
	{ name: 'Business Personal Property', limit: APPLICATION.limits.contents, premium: 2_688 },
	{ name: 'Business Income', limit: APPLICATION.limits.businessIncome, premium: 1_805 },
	{ name: 'General Liability', limit: APPLICATION.limits.occurrence, premium: 3_170 },
	{ name: 'Food Contamination', limit: 25_000, premium: 140 },
];

const forms: PolicyPaper['forms'] = [
	['EX 01 00 (01 26)', 'Common Policy Conditions'],
	['EX 10 50 (01 26)', 'Businessowners Coverage Form'],
	['EX 20 15 (01 26)', 'Ohio Changes - Cancellation and Nonrenewal'],
	['EX 22 10 (06 24)', 'Additional Insured - Manager or Lessor of Premises'],
];

/** The quote that the bakery accepted. */
export const QUOTE: PolicyPaper = {
	kind: 'Quote',
	number: 'Q-2026-077415',
	created: '2026-04-20',
	insured: APPLICATION.insured,
	effective: APPLICATION.effective,
	expiration: APPLICATION.expiration,
	deductible: APPLICATION.deductible,
	windHailDeductible: 5_000,
	lossPayee: POLICY.mortgagee.name,
	coverages,
	forms,
};

/** The policy has two digits of a limit in the wrong order, a higher deductible, no loss payee, and lacks a form. */
export const ISSUED_POLICY: PolicyPaper = {
	...QUOTE,
	kind: 'Policy',
	number: 'EMC-BOP-1050117-26',
	created: '2026-05-11',
	deductible: 5_000,
	lossPayee: null,
	coverages: coverages.map((each) =>
		each.name === 'Business Personal Property' ? { ...each, limit: 460_000 } : each,
	),
	forms: forms.slice(0, -1),
};

export function premiumOf({ coverages: all }: PolicyPaper): number {
	return total(all.map(({ premium }) => premium));
}

export interface PolicyChange {
	item: string;
	change: string;
	limit: number;
	deductible: number;
}

export interface ChangePaper {
	policy: string;
	insured: string;
	effective: string;
	changes: PolicyChange[];
}

/** What the agency asked the insurer to change. */
export const CHANGE_REQUEST: ChangePaper & Record<'sent' | 'from', string> = {
	policy: POLICY.number,
	insured: MANUFACTURER.name,
	effective: '2026-06-15',
	sent: '2026-06-02',
	from: AGENCY.producer,
	changes: [
		{
			item: 'Business Personal Property, premises 2',
			change: 'Raise limit',
			limit: 3_400_000,
			deductible: 10_000,
		},
		{ item: 'Contractors Equipment', change: 'Add coverage', limit: 250_000, deductible: 2_500 },
		{ item: 'Signs, premises 1', change: 'Add coverage', limit: 40_000, deductible: 1_000 },
	],
};

/** The insurer's answer begins a month later, has another limit, and leaves one change out. */
export const ENDORSEMENT: ChangePaper & Record<'number' | 'issued', string> = {
	...CHANGE_REQUEST,
	number: 'Endorsement 3',
	issued: '2026-06-19',
	effective: '2026-07-15',
	changes: CHANGE_REQUEST.changes
		.slice(0, 2)
		.map((each) => (each.limit === 3_400_000 ? { ...each, limit: 3_040_000 } : each)),
};
