import { CLAIM, ESTIMATE, INVOICE, LOSS, type LineItem } from '../facts/claim';
import { LOSS_RUN } from '../facts/losses';
import { INSURER } from '../facts/parties';
import { POLICY } from '../facts/policy';
import { SUBMISSION } from '../facts/submission';
import type { ExpectedFields, PlainRow } from './shape';

function lineItems(lines: readonly LineItem[]): PlainRow[] {
	return lines.map((item) => ({
		description: item.description,
		quantity: item.quantity,
		unit: item.unit,
		unit_price: item.unitPrice,
		amount: item.amount,
	}));
}

const claims: PlainRow[] = LOSS_RUN.records.map((item) => ({
	claim_number: item.claim,
	date_of_loss: item.date,
	description: item.description,
	status: item.status,
	paid: item.paid,
	reserved: item.reserved,
	incurred: item.incurred,
}));

/** The notice has no claim number yet; the police report and the estimate are attached. */
export const FIRST_NOTICE_OF_LOSS: ExpectedFields = {
	workflowId: 'claims-intake',
	steps: {
		loss_details: [
			{
				policy_number: LOSS.policy,
				named_insured: LOSS.insured,
				claim_number: null,
				date_of_loss: LOSS.date,
				time_of_loss: LOSS.time,
				location: LOSS.location,
				cause: LOSS.type,
				description: LOSS.description,
				estimated_damage: LOSS.estimate,
				injuries: LOSS.injuries,
				contact: LOSS.contact.contact,
				contact_phone: LOSS.contact.phone,
			},
		],
		police_report: [
			{
				report_number: LOSS.police.report,
				incident_date: LOSS.date,
				incident_time: LOSS.time,
				case_status: LOSS.police.status,
				incident_type: LOSS.police.incident,
				driver: LOSS.driver.name,
				vehicle_owner: LOSS.driver.carrier,
				plate: LOSS.driver.plate,
				persons_injured: LOSS.police.injured,
				citation_issued: LOSS.police.citation,
				officer: `${LOSS.police.officer}, badge ${LOSS.police.badge}`,
			},
		],
		repair_estimate: lineItems(ESTIMATE.lines),
	},
};

/** Nobody has engaged an attorney. */
export const CLAIM_NOTE: ExpectedFields = {
	workflowId: 'claim-notes',
	steps: {
		claim: [
			{
				claim_number: CLAIM.number,
				policy_number: LOSS.policy,
				named_insured: LOSS.insured,
				date_of_loss: LOSS.date,
				cause: LOSS.type,
			},
		],
		handling: [
			{
				adjuster: CLAIM.adjuster,
				note_date: CLAIM.noteDate,
				spoke_with: `${CLAIM.contactName}, ${CLAIM.contactTitle}`,
				inspection_date: CLAIM.inspected,
				reserve: CLAIM.reserve,
				paid_to_date: CLAIM.paid,
				subrogation: CLAIM.recoverable,
				next_action: CLAIM.nextAction,
				attorney: null,
			},
		],
	},
};

export const LOSS_RUN_REPORT: ExpectedFields = {
	workflowId: 'loss-run-extraction',
	steps: {
		account: [
			{
				insured: LOSS_RUN.insured,
				account_number: LOSS_RUN.account,
				line_of_business: LOSS_RUN.line,
				valuation_date: LOSS_RUN.valued,
				claim_count: LOSS_RUN.records.length,
				open_claims: LOSS_RUN.openClaims,
				total_paid: LOSS_RUN.paid,
				total_reserved: LOSS_RUN.reserved,
				total_incurred: LOSS_RUN.incurred,
			},
		],
		claims,
	},
};

/** The contractor's tax number is not on the invoice. */
export const REPAIR_INVOICE: ExpectedFields = {
	workflowId: 'invoice-intake',
	steps: {
		invoice: [
			{
				invoice_number: INVOICE.number,
				invoice_date: INVOICE.date,
				due_date: INVOICE.due,
				bill_to: INSURER.name,
				claim_number: CLAIM.number,
				insured: LOSS.insured,
				purchase_order: INVOICE.purchaseOrder,
				subtotal: INVOICE.subtotal,
				sales_tax: INVOICE.tax,
				deposit: -INVOICE.deposit,
				total_due: INVOICE.totalDue,
				vendor_tax_id: null,
			},
		],
		line_items: lineItems(INVOICE.lines),
	},
};

/** The policy and its premium are in the attached declarations page, the claims in the attached loss run. */
export const RENEWAL_SUBMISSION: ExpectedFields = {
	workflowId: 'submission-intake',
	steps: {
		submission: [
			{
				subject: SUBMISSION.subject,
				applicant: SUBMISSION.insured,
				requested_effective_date: SUBMISSION.effective,
				needed_by: SUBMISSION.neededBy,
				total_insured_value: SUBMISSION.insuredValue,
				target_premium: SUBMISSION.targetPremium,
				commission: SUBMISSION.commission,
				expiring_policy: POLICY.number,
				expiring_premium: POLICY.totalPremium,
			},
		],
		loss_history: claims,
	},
};
