import { COMMISSION_STATEMENT } from '../facts/commission';
import {
	CHANGE_REQUEST,
	ENDORSEMENT,
	ISSUED_POLICY,
	premiumOf,
	QUOTE,
	type ChangePaper,
	type PolicyPaper,
} from '../facts/policyCheck';
import type { ExpectedFields } from './shape';

const paperFields = (paper: PolicyPaper): ExpectedFields => ({
	workflowId: 'policy-check',
	steps: {
		policy: [
			{
				number: paper.number,
				named_insured: paper.insured,
				effective_date: paper.effective,
				expiration_date: paper.expiration,
				deductible: paper.deductible,
				wind_hail_deductible: paper.windHailDeductible,
				loss_payee: paper.lossPayee,
				total_premium: premiumOf(paper),
			},
		],
		coverages: paper.coverages.map((each) => ({
			coverage: each.name,
			limit: each.limit,
			premium: each.premium,
		})),
		forms: paper.forms.map(([form, name]) => ({ form, name })),
	},
});

const changeFields = (paper: ChangePaper): ExpectedFields => ({
	workflowId: 'endorsement-check',
	steps: {
		policy: [
			{
				policy_number: paper.policy,
				named_insured: paper.insured,
				effective_date: paper.effective,
			},
		],
		changes: paper.changes.map((each) => ({ ...each })),
	},
});

export const ACCEPTED_QUOTE = paperFields(QUOTE);
/** The policy names no loss payee. */
export const POLICY_AS_ISSUED = paperFields(ISSUED_POLICY);
export const INSTRUCTION = changeFields(CHANGE_REQUEST);
export const ENDORSEMENT_AS_ISSUED = changeFields(ENDORSEMENT);

export const COMMISSIONS: ExpectedFields = {
	workflowId: 'commission-statements',
	steps: {
		statement: [
			{
				agency: COMMISSION_STATEMENT.agency.name,
				period: COMMISSION_STATEMENT.period,
				issue_date: COMMISSION_STATEMENT.issued,
				total_commission: COMMISSION_STATEMENT.commission,
			},
		],
		lines: COMMISSION_STATEMENT.lines.map((each) => ({
			policy_number: each.policy,
			insured: each.insured,
			transaction: each.transaction,
			premium: each.premium,
			rate: each.rate,
			commission: each.commission,
		})),
	},
};
