import { total } from '../formats';
import { AGENCY, INSURER } from './parties';

export interface CommissionLine {
	policy: string;
	insured: string;
	transaction: string;
	premium: number;
	/** In percent. */
	rate: number;
	/** premium × rate, in whole cents. */
	commission: number;
}

function line(
	policy: string,
	insured: string,
	transaction: string,
	premium: number,
	rate: number,
): CommissionLine {
	const commission = total([(premium * rate) / 100]);
	return { policy, insured, transaction, premium, rate, commission };
}

const lines: CommissionLine[] = [
	line('EMC-CP-1048823-26', 'Example Manufacturing Inc.', 'Renewal', 61_689.5, 15),
	line('EMC-GL-1048824-26', 'Example Manufacturing Inc.', 'Renewal', 22_410, 15),
	line('EMC-GL-1048824-26', 'Example Manufacturing Inc.', 'Endorsement', 1_180, 15),
	line('EMC-CA-1048825-26', 'Example Manufacturing Inc.', 'Renewal', 18_730, 10),
	line('EMC-CP-2077310-26', 'Placeholder Hospitality Group LLC', 'New', 148_205.75, 12.5),
	line('EMC-BOP-1050117-25', 'Ejemplo Bakery & Café LLC', 'Cancellation', -2_415.2, 15),
	line('EMC-BOP-1061902-26', 'Sample Roofing Co.', 'New', 6_884, 15),
];

/** What the insurer pays to the agency for a month. Amounts are US dollars. */
export const COMMISSION_STATEMENT = {
	number: 'CS-2026-03-3400127',
	period: 'March 2026',
	issued: '2026-04-06',
	insurer: INSURER,
	agency: AGENCY,
	lines,
	premium: total(lines.map((each) => each.premium)),
	commission: total(lines.map((each) => each.commission)),
} as const;
