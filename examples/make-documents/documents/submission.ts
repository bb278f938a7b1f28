import { dollars, longDate } from '../formats';
import { SUBMISSION } from '../facts/submission';
import { composeMail } from '../layout/mail';
import { makeDeclarationsPage } from './declarations-page';
import { makeLossRun } from './loss-run';

const { producer } = SUBMISSION;

const ROWS: ReadonlyArray<readonly [label: string, value: string]> = [
	['Applicant', SUBMISSION.insured],
	['Line of Business', SUBMISSION.line],
	['Requested Effective Date', longDate(SUBMISSION.effective)],
	['Quote Needed By', longDate(SUBMISSION.neededBy)],
	['Total Insured Value', dollars(SUBMISSION.insuredValue)],
	['Target Premium', `${dollars(SUBMISSION.targetPremium)} or below`],
	['Commission', `${SUBMISSION.commission}%`],
];

const OPENING =
	'we would like your renewal terms for the account below. The declarations of the current policy and the loss run are attached.';
const CLOSING =
	'The sprinkler system at premises 2 was inspected in October without findings. We are glad to send the report.';

/** A submission: an e-mail of the agency that carries the declarations page and the loss run. */
export async function makeSubmission(): Promise<Uint8Array> {
	const rows = ROWS.map(([label, value]) => `${label}: ${value}`);
	const signature = [producer.producer, producer.name, producer.phone];
	return composeMail({
		name: 'renewal-submission',
		date: SUBMISSION.sent,
		from: { name: producer.producer, address: producer.email },
		to: SUBMISSION.underwriter,
		subject: SUBMISSION.subject,
		text: `Dear underwriters,\n\n${OPENING}\n\n${rows.join('\n')}\n\n${CLOSING}\n\nBest regards\n${signature.join('\n')}\n`,
		html: `<!DOCTYPE html>\n<html><body style="font:14px Arial,sans-serif">\n<p>Dear underwriters,</p>\n<p>${OPENING}</p>\n<p>${rows.join('<br>\n')}</p>\n<p>${CLOSING}</p>\n<p>Best regards<br>${signature.join('<br>').replace(/&/g, '&amp;')}</p>\n</body></html>\n`,
		attachments: [
			{
				filename: 'declarations-page.pdf',
				content: Buffer.from(await makeDeclarationsPage()),
				contentType: 'application/pdf',
			},
			{
				filename: 'loss-run.pdf',
				content: Buffer.from(await makeLossRun()),
				contentType: 'application/pdf',
			},
		],
	});
}
