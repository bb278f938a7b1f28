import { dollars, longDate, usDate } from '../formats';
import { CLAIM, LOSS } from '../facts/claim';
import { POLICY } from '../facts/policy';
import { INSURER } from '../facts/parties';

/** The adjuster's note to the claim file: plain UTF-8 text. */
export function makeClaimNote(): string {
	return [
		`${INSURER.name.toUpperCase()}`,
		'CLAIM FILE NOTE',
		'',
		`Claim No.: ${CLAIM.number}`,
		`Pol. No.: ${LOSS.policy}`,
		`Insured: ${LOSS.insured}`,
		`Loss Date: ${longDate(LOSS.date)}`,
		`Note Date: ${usDate(CLAIM.noteDate)}`,
		'',
		'Adjuster',
		CLAIM.adjuster,
		'',
		`Spoke with: ${CLAIM.contactName}, ${CLAIM.contactTitle}`,
		`Inspection Date: ${usDate(CLAIM.inspected)}`,
		`Cause of Loss: ${LOSS.type}`,
		'',
		`Met ${CLAIM.contactName} on site on ${usDate(CLAIM.inspected)}. The north wall beside dock door 3 is pushed`,
		'in over about 20 feet; the door, its operator and the dock leveler are damaged. Racks',
		'inside were not touched and no stock was lost. The wall is shored and weather tight.',
		'Operations go on through docks 1 and 2, so no business income claim is expected.',
		'',
		`The truck belongs to ${LOSS.driver.carrier}; the driver, ${LOSS.driver.name}, told`,
		'the police that the parking brake was not set. Notice of subrogation goes to the carrier',
		"today. The contractor's estimate looks in line with local prices except the electrical",
		'part, which needs a breakdown.',
		'',
		`Coverage: Building, ${dollars(POLICY.deductible)} deductible applies`,
		`Reserve: ${dollars(CLAIM.reserve)}`,
		`Paid to Date: ${dollars(CLAIM.paid)}`,
		`Subrogation: ${CLAIM.recoverable ? 'Yes' : 'No'}`,
		`Next Action: ${CLAIM.nextAction}`,
		'',
		`${CLAIM.adjuster}, property claims, ${CLAIM.adjusterPhone}`,
		'',
	].join('\n');
}
