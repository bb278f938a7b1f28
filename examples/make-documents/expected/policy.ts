import { APPLICATION } from '../facts/application';
import { CERTIFICATE } from '../facts/certificate';
import { AGENCY, INSURER, MANUFACTURER } from '../facts/parties';
import { POLICY } from '../facts/policy';
import { VALUES } from '../facts/values';
import type { ExpectedFields } from './shape';

/** The declarations name no underwriter. */
export const DECLARATIONS_PAGE: ExpectedFields = {
	workflowId: 'policy-intake',
	steps: {
		policy_details: [
			{
				policy_number: POLICY.number,
				named_insured: MANUFACTURER.name,
				mailing_address: MANUFACTURER.address.join(', '),
				effective_date: POLICY.effective,
				expiration_date: POLICY.expiration,
				issue_date: POLICY.issued,
				renewal_of: POLICY.renewalOf,
				agency: AGENCY.name,
				agency_code: AGENCY.code,
				total_premium: POLICY.totalPremium,
				deductible: POLICY.deductible,
				wind_hail_deductible: POLICY.windHailDeductible,
				mortgagee: `${POLICY.mortgagee.name}, ${POLICY.mortgagee.address}`,
				underwriter: null,
			},
		],
		coverages: POLICY.coverages.map((item) => ({
			coverage: item.name,
			limit: item.limit,
			valuation: item.valuation,
			premium: item.premium,
		})),
	},
};

/** The box of the medical expense limit is left empty. */
export const FILLED_APPLICATION: ExpectedFields = {
	workflowId: 'application-intake',
	steps: {
		applicant: [
			{
				applicant: APPLICATION.insured,
				trade_name: APPLICATION.tradeName,
				mailing_address: APPLICATION.address,
				tax_id: APPLICATION.taxId,
				legal_entity: APPLICATION.entity,
				contact: APPLICATION.contact,
				phone: APPLICATION.phone,
				email: APPLICATION.email,
				website: APPLICATION.website,
				operations: APPLICATION.operations,
				naics_code: APPLICATION.industryCode,
				years_in_business: APPLICATION.yearsInBusiness,
				employees: APPLICATION.employees,
				annual_sales: APPLICATION.grossSales,
				annual_payroll: APPLICATION.payroll,
			},
		],
		coverage_request: [
			{
				effective_date: APPLICATION.effective,
				expiration_date: APPLICATION.expiration,
				building_limit: APPLICATION.limits.building,
				contents_limit: APPLICATION.limits.contents,
				business_income_limit: APPLICATION.limits.businessIncome,
				occurrence_limit: APPLICATION.limits.occurrence,
				aggregate_limit: APPLICATION.limits.aggregate,
				medical_limit: null,
				rented_premises_limit: null,
				deductible: APPLICATION.deductible,
				prior_carrier: APPLICATION.prior.insurer,
				prior_policy_number: APPLICATION.prior.policy,
				prior_expiration_date: APPLICATION.prior.expiration,
				prior_premium: APPLICATION.prior.premium,
			},
		],
		underwriting: [
			{
				construction: APPLICATION.premises.construction,
				year_built: APPLICATION.premises.yearBuilt,
				year_updated: APPLICATION.premises.yearUpdated,
				area: APPLICATION.premises.area,
				stories: APPLICATION.premises.stories,
				...Object.fromEntries(
					APPLICATION.questions.map((question) => [question.field, question.answer]),
				),
			},
		],
	},
};

export const STATEMENT_OF_VALUES: ExpectedFields = {
	workflowId: 'schedule-of-values',
	steps: {
		account: [
			{
				named_insured: VALUES.insured,
				policy_number: VALUES.policy,
				values_as_of: VALUES.effective,
				valuation: VALUES.valuation,
				location_count: VALUES.locations.length,
				total_insured_value: VALUES.total,
			},
		],
		locations: VALUES.locations.map((item) => ({
			location: item.number,
			address: item.address,
			city: `${item.city}, ${item.state}`,
			occupancy: item.occupancy,
			construction: item.construction,
			year_built: item.yearBuilt,
			area: item.area,
			building: item.building,
			contents: item.contents,
			business_income: item.businessIncome,
			total: item.total,
		})),
	},
};

export const CERTIFICATE_OF_INSURANCE: ExpectedFields = {
	workflowId: 'certificate-tracking',
	steps: {
		certificate: [
			{
				certificate_number: CERTIFICATE.number,
				issue_date: CERTIFICATE.issued,
				named_insured: CERTIFICATE.insured.name,
				insurer: INSURER.name,
				certificate_holder: CERTIFICATE.holder.name,
				additional_insured: CERTIFICATE.additionalInsured,
				waiver_of_subrogation: CERTIFICATE.waiver,
				notice_days: CERTIFICATE.noticeDays,
			},
		],
		policies: CERTIFICATE.policies.map((item) => ({
			type: item.type,
			policy_number: item.number,
			effective_date: item.effective,
			expiration_date: item.expiration,
			limit: item.limit,
			limit_applies_to: item.limitName,
		})),
	},
};
