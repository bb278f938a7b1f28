import { INSURER, MANUFACTURER } from './parties';
import { POLICY } from './policy';

export interface CertifiedPolicy {
	type: string;
	number: string;
	/** YYYY-MM-DD */
	effective: string;
	expiration: string;
	limitName: string;
	limit: number;
	/** Further limits, as printed below the first. */
	others: string[];
}

const policies: CertifiedPolicy[] = [
	{
		type: 'Commercial General Liability',
		number: 'EMC-GL-1048824-26',
		effective: POLICY.effective,
		expiration: POLICY.expiration,
		limitName: 'Each occurrence',
		limit: 1_000_000,
		others: ['General aggregate $2,000,000', 'Products aggregate $2,000,000'],
	},
	{
		type: 'Automobile Liability',
		number: 'EMC-CA-1048825-26',
		effective: POLICY.effective,
		expiration: POLICY.expiration,
		limitName: 'Combined single limit',
		limit: 1_000_000,
		others: ['Owned, hired and non-owned autos'],
	},
	{
		type: 'Umbrella Liability',
		number: 'EMC-UM-1048826-26',
		effective: POLICY.effective,
		expiration: POLICY.expiration,
		limitName: 'Each occurrence',
		limit: 5_000_000,
		others: ['Aggregate $5,000,000', 'Retention $10,000'],
	},
	{
		type: 'Workers Compensation',
		number: 'EMC-WC-1048827-25',
		effective: '2025-10-01',
		expiration: '2026-10-01',
		limitName: 'Each accident',
		limit: 500_000,
		others: ['Disease, each employee $500,000', 'Disease, policy limit $500,000'],
	},
	{
		type: 'Commercial Property',
		number: POLICY.number,
		effective: POLICY.effective,
		expiration: POLICY.expiration,
		limitName: 'Building, blanket',
		limit: 16_500_000,
		others: ['Special causes of loss', 'Deductible $10,000'],
	},
];

/** A certificate for the landlord of one of the insured's premises. */
export const CERTIFICATE = {
	number: 'CERT-2026-00381',
	issued: '2026-03-04',
	insured: MANUFACTURER,
	insurer: INSURER.name,
	holder: {
		name: 'Imaginary Properties LLC',
		address: ['600 Fictional Tower, Suite 1200', 'Exampleton, OH 43999'],
	},
	policies,
	additionalInsured: true,
	waiver: false,
	noticeDays: 30,
	operations:
		'Lease of premises 3, 15 Placeholder Road, Testford, IN. The certificate holder is an additional insured on the general liability policy where required by written contract.',
} as const;
