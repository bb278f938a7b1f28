import { cents, usDate } from '../formats';
import { ESTIMATE, LOSS } from '../facts/claim';
import { INSURER } from '../facts/parties';
import { composeMail } from '../layout/mail';
import { makePoliceReport } from './police-report';
import { makeRepairEstimate } from './repair-estimate';

const { contact, reporter } = LOSS;

/** The facts of the notice as label and value, in the order of the e-mail. */
const ROWS: ReadonlyArray<readonly [label: string, value: string]> = [
	['Policy Number', LOSS.policy],
	['Insured', LOSS.insured],
	['Date of Loss', usDate(LOSS.date)],
	['Time of Loss', LOSS.time],
	['Location of Loss', LOSS.location],
	['Type of Loss', LOSS.type],
	['Description of Loss', LOSS.description],
	['Estimated Damage', cents(LOSS.estimate)],
	['Injuries', LOSS.injuries ? 'Yes' : 'None'],
	['Police Report', `${LOSS.police.report}, ${LOSS.police.department}`],
	['Contact', contact.contact],
	['Contact Phone', contact.phone],
];

const OPENING =
	'please open a claim for the insured named below. The loss was reported to us this morning; the dock has been closed off and shored.';
const CLOSING = `The police report and the estimate of ${ESTIMATE.contractor} are attached. Photographs will follow.`;

function text(): string {
	const rows = ROWS.map(([label, value]) => `${label}: ${value}`).join('\n');
	return `Good morning,\n\n${OPENING}\n\n${rows}\n\n${CLOSING}\n\nKind regards\n${reporter.producer}\n${reporter.name}\n${reporter.phone}\n`;
}

function html(): string {
	const escape = (value: string): string => value.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	const rows = ROWS.map(
		([label, value]) =>
			`<tr><th align="left" style="color:#555;padding:2px 16px 2px 0">${label}:</th><td>${escape(value)}</td></tr>`,
	);
	return `<!DOCTYPE html>\n<html><body style="font:14px Arial,sans-serif">\n<p>Good morning,</p>\n<p>${OPENING}</p>\n<table>\n${rows.join('\n')}\n</table>\n<p>${escape(CLOSING)}</p>\n<p>Kind regards<br>${reporter.producer}<br>${escape(reporter.name)}<br>${reporter.phone}</p>\n</body></html>\n`;
}

/** The first notice of loss: an e-mail of the agency with police report and repair estimate attached. */
export async function makeFirstNoticeOfLoss(): Promise<Uint8Array> {
	return composeMail({
		name: 'first-notice-of-loss',
		date: '2026-04-20T13:12:00Z',
		from: { name: reporter.producer, address: reporter.email },
		to: { name: `${INSURER.short} Claims`, address: INSURER.email },
		subject: `First notice of loss – ${LOSS.insured} – vehicle impact at dock door № 3`,
		text: text(),
		html: html(),
		attachments: [
			{
				filename: 'police-report.pdf',
				content: Buffer.from(await makePoliceReport()),
				contentType: 'application/pdf',
			},
			{
				filename: 'repair-estimate.txt',
				content: Buffer.from(makeRepairEstimate(), 'utf8'),
				contentType: 'text/plain; charset=utf-8',
			},
		],
	});
}
