import { cents, plainAmount, usDate } from '../formats';
import { ESTIMATE, LOSS } from '../facts/claim';

/** The contractor's estimate as plain text: columns by spaces, as many office programs write them. */
export function makeRepairEstimate(): string {
	const row = (cells: readonly [string, string, string, string, string]): string =>
		`${cells[0].padEnd(54)}${cells[1].padStart(8)}  ${cells[2].padEnd(8)}${cells[3].padStart(12)}${cells[4].padStart(14)}`;
	const lines = ESTIMATE.lines.map((item) =>
		row([
			item.description,
			String(item.quantity),
			item.unit,
			plainAmount(item.unitPrice),
			plainAmount(item.amount),
		]),
	);
	return [
		ESTIMATE.contractor,
		...ESTIMATE.contractorAddress,
		ESTIMATE.phone,
		'',
		'REPAIR ESTIMATE',
		'',
		`Estimate Number: ${ESTIMATE.number}`,
		`Estimate Date:   ${usDate(ESTIMATE.date)}`,
		`Date of Loss:    ${usDate(ESTIMATE.writtenLossDate)}`,
		`Work Site:       ${LOSS.location}`,
		'',
		row(['Description', 'Quantity', 'Unit', 'Unit Price', 'Amount']),
		...lines,
		`${'Total estimate'.padEnd(84)}${cents(ESTIMATE.total).padStart(14)}`,
		'',
		'Valid for 30 days. Hidden damage is not included and is quoted when found.',
		'',
	].join('\n');
}
