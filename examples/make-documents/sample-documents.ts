import { makeApplication } from './documents/application';
import { makeCertificate } from './documents/certificate-of-insurance';
import { makeClaimNote } from './documents/claim-note';
import { makeCommissionStatement } from './documents/commission-statement';
import { makeDeclarationsPage } from './documents/declarations-page';
import { makeChangeRequest, makeEndorsement } from './documents/endorsement';
import { makeFirstNoticeOfLoss } from './documents/first-notice-of-loss';
import { makeInvoice } from './documents/invoice';
import { makeLossRun } from './documents/loss-run';
import { makeRenewalList } from './documents/renewal-list';
import { makePolicyPaper } from './documents/policy-paper';
import { makeStatementOfValues } from './documents/statement-of-values';
import { makeSubmission } from './documents/submission';
import {
	ACCEPTED_QUOTE,
	COMMISSIONS,
	ENDORSEMENT_AS_ISSUED,
	INSTRUCTION,
	POLICY_AS_ISSUED,
} from './expected/checks';
import {
	CLAIM_NOTE,
	FIRST_NOTICE_OF_LOSS,
	LOSS_RUN_REPORT,
	RENEWAL_SUBMISSION,
	REPAIR_INVOICE,
} from './expected/claims';
import {
	CERTIFICATE_OF_INSURANCE,
	DECLARATIONS_PAGE,
	FILLED_APPLICATION,
	STATEMENT_OF_VALUES,
} from './expected/policy';
import type { ExpectedFields } from './expected/shape';
import { ISSUED_POLICY, QUOTE } from './facts/policyCheck';

export interface SampleDocument {
	fileName: string;
	mediaType: string;
	make(): Promise<Uint8Array>;
	expected: ExpectedFields;
}

const pdf = 'application/pdf';
const mail = 'message/rfc822';
const text = 'text/plain';

/** All sample documents, each with the expected result of its workflow. */
export const SAMPLE_DOCUMENTS: readonly SampleDocument[] = [
	{
		fileName: 'declarations-page.pdf',
		mediaType: pdf,
		make: makeDeclarationsPage,
		expected: DECLARATIONS_PAGE,
	},
	{
		fileName: 'application.pdf',
		mediaType: pdf,
		make: makeApplication,
		expected: FILLED_APPLICATION,
	},
	{
		fileName: 'first-notice-of-loss.eml',
		mediaType: mail,
		make: makeFirstNoticeOfLoss,
		expected: FIRST_NOTICE_OF_LOSS,
	},
	{ fileName: 'loss-run.pdf', mediaType: pdf, make: makeLossRun, expected: LOSS_RUN_REPORT },
	{
		fileName: 'statement-of-values.pdf',
		mediaType: pdf,
		make: makeStatementOfValues,
		expected: STATEMENT_OF_VALUES,
	},
	{
		fileName: 'certificate-of-insurance.pdf',
		mediaType: pdf,
		make: makeCertificate,
		expected: CERTIFICATE_OF_INSURANCE,
	},
	{ fileName: 'invoice.pdf', mediaType: pdf, make: makeInvoice, expected: REPAIR_INVOICE },
	{
		fileName: 'claim-note.txt',
		mediaType: text,
		make: async () => Buffer.from(makeClaimNote(), 'utf8'),
		expected: CLAIM_NOTE,
	},
	{
		fileName: 'submission.eml',
		mediaType: mail,
		make: makeSubmission,
		expected: RENEWAL_SUBMISSION,
	},
	{
		fileName: 'quote.pdf',
		mediaType: pdf,
		make: () => makePolicyPaper(QUOTE),
		expected: ACCEPTED_QUOTE,
	},
	{
		fileName: 'issued-policy.pdf',
		mediaType: pdf,
		make: () => makePolicyPaper(ISSUED_POLICY),
		expected: POLICY_AS_ISSUED,
	},
	{
		fileName: 'change-request.txt',
		mediaType: text,
		make: async () => Buffer.from(makeChangeRequest(), 'utf8'),
		expected: INSTRUCTION,
	},
	{
		fileName: 'endorsement.pdf',
		mediaType: pdf,
		make: makeEndorsement,
		expected: ENDORSEMENT_AS_ISSUED,
	},
	{
		fileName: 'commission-statement.pdf',
		mediaType: pdf,
		make: makeCommissionStatement,
		expected: COMMISSIONS,
	},
];

/** `loss-run.pdf` has its expected fields in `loss-run.expected.json`. */
export function expectedFileName(fileName: string): string {
	return fileName.replace(/\.[^.]+$/, '.expected.json');
}

/** Every file that belongs to the sample documents, by name: the documents, their expected fields, and a list of policies. */
export async function makeFiles(): Promise<Map<string, Uint8Array>> {
	const files = new Map<string, Uint8Array>();
	files.set('renewals.csv', Buffer.from(makeRenewalList(), 'utf8'));
	for (const document of SAMPLE_DOCUMENTS) {
		files.set(document.fileName, await document.make());
		files.set(
			expectedFileName(document.fileName),
			Buffer.from(`${JSON.stringify(document.expected, null, 2)}\n`, 'utf8'),
		);
	}
	return files;
}
