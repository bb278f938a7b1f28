import { longDate } from '../formats';
import { AGENCY, INSURER, MANUFACTURER } from './parties';
import { POLICY } from './policy';

/** A renewal that the agency offers to the insurer. Dates are YYYY-MM-DD, amounts US dollars. */
export const SUBMISSION = {
	insured: MANUFACTURER.name,
	subject: `Renewal submission: ${MANUFACTURER.name}, property, ${longDate(POLICY.expiration)}`,
	line: 'Commercial Property',
	effective: POLICY.expiration,
	neededBy: '2027-01-22',
	sent: '2026-12-07T15:40:00Z',
	targetPremium: 59_500,
	insuredValue: 32_375_000,
	commission: 15,
	producer: AGENCY,
	underwriter: {
		name: `${INSURER.short} Underwriting`,
		address: 'underwriting@mutual.example.com',
	},
} as const;
