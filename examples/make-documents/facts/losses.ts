import { total } from '../formats';
import { MANUFACTURER } from './parties';

export interface LossRecord {
	claim: string;
	/** YYYY-MM-DD */
	date: string;
	description: string;
	status: 'Open' | 'Closed' | 'Reopened';
	paid: number;
	reserved: number;
	/** paid + reserved */
	incurred: number;
}

function record(
	claim: string,
	date: string,
	description: string,
	status: LossRecord['status'],
	paid: number,
	reserved: number,
): LossRecord {
	return { claim, date, description, status, paid, reserved, incurred: total([paid, reserved]) };
}

export interface LossTerm {
	policy: string;
	effective: string;
	expiration: string;
	premium: number;
	records: LossRecord[];
}

const terms: LossTerm[] = [
	{
		policy: 'EMC-CP-1048823-21',
		effective: '2021-03-01',
		expiration: '2022-03-01',
		premium: 48_210,
		records: [
			record(
				'CL-2021-001284',
				'2021-05-17',
				'Hail damage to roof membrane',
				'Closed',
				41_870.33,
				0,
			),
			record('CL-2021-002961', '2021-10-02', 'Theft of copper wire from yard', 'Closed', 6_415, 0),
			record('CL-2022-000118', '2022-01-21', 'Frozen pipe, paint shop', 'Closed', 22_938.6, 0),
		],
	},
	{
		policy: 'EMC-CP-1048823-22',
		effective: '2022-03-01',
		expiration: '2023-03-01',
		premium: 51_435,
		records: [
			record('CL-2022-001770', '2022-06-08', 'Wind, overhead door', 'Closed', 9_204.18, 0),
			record(
				'CL-2022-003415',
				'2022-12-24',
				'Forklift struck sprinkler riser',
				'Closed',
				58_112.09,
				0,
			),
		],
	},
	{
		policy: 'EMC-CP-1048823-23',
		effective: '2023-03-01',
		expiration: '2024-03-01',
		premium: 54_980,
		records: [
			record('CL-2023-000902', '2023-04-11', 'Water damage, office ceiling', 'Closed', 4_377.25, 0),
			record('CL-2023-002240', '2023-08-29', 'Fire in dust collector', 'Closed', 187_650, 0),
			record('CL-2023-002977', '2023-11-30', 'Power surge, CNC lathe', 'Closed', 33_080.4, 0),
			record('CL-2024-000205', '2024-02-03', 'Glass breakage, vandalism', 'Closed', 0, 0),
		],
	},
	{
		policy: 'EMC-CP-1048823-24',
		effective: '2024-03-01',
		expiration: '2025-03-01',
		premium: 57_615,
		records: [
			record('CL-2024-001433', '2024-05-26', 'Lightning, fire alarm panel', 'Closed', 12_846.77, 0),
			record('CL-2024-002518', '2024-09-13', 'Cargo loss in transit', 'Reopened', 27_300, 8_500),
			record('CL-2024-003106', '2024-12-05', 'Compressor breakdown', 'Closed', 19_455.5, 0),
		],
	},
	{
		policy: 'EMC-CP-1048823-25',
		effective: '2025-03-01',
		expiration: '2026-03-01',
		premium: 59_940,
		records: [
			record(
				'CL-2025-001094',
				'2025-04-30',
				'Tornado debris, roof and racks',
				'Open',
				96_220,
				45_000,
			),
			record('CL-2025-002386', '2025-09-19', 'Burst hose, inspection lab', 'Open', 3_150.8, 12_000),
			record('CL-2026-000077', '2026-01-12', 'Vehicle struck fence and gate', 'Open', 0, 7_500),
		],
	},
];

const records = terms.flatMap((term) => term.records);

/** Five years of property losses. Amounts are US dollars. */
export const LOSS_RUN = {
	insured: MANUFACTURER.name,
	account: 'ACCT-1048823',
	line: 'Commercial Property',
	valued: '2026-02-10',
	terms,
	records,
	openClaims: records.filter((item) => item.status !== 'Closed').length,
	paid: total(records.map((item) => item.paid)),
	reserved: total(records.map((item) => item.reserved)),
	incurred: total(records.map((item) => item.incurred)),
} as const;
