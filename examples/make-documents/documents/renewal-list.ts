import { usDate } from '../formats';
import { MANUFACTURER } from '../facts/parties';
import { POLICY } from '../facts/policy';

/** The list has what an agency system exports, and one date that nobody can read. */
const RENEWALS: ReadonlyArray<readonly string[]> = [
	['policy_number', 'named_insured', 'expiration_date', 'account_manager'],
	[POLICY.number, MANUFACTURER.name, usDate(POLICY.expiration), 'manager.one@example.com'],
	['EMC-CP-1050117-26', 'Sample Bakery LLC', '04/01/2027', 'manager.one@example.com'],
	['EMC-CP-1049002-26', 'Imaginary Hotels LLC', '12/31/2026', 'manager.two@example.com'],
	['EMC-CP-1051744-26', 'Sample Roofing Inc.', 'soon', 'manager.two@example.com'],
];

/** The list of policies of the example "Renewals", as CSV. */
export function makeRenewalList(): string {
	return RENEWALS.map((cells) => `${cells.join(',')}\n`).join('');
}
