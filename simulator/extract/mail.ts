/** E-mails: header, body and attachments. */
import PostalMime from 'postal-mime';
import { textOfHtml } from './html';
import { linesOfText, type Line } from './lines';

export interface MailContent {
	lines: Line[];
	attachments: Array<{ fileName: string; mediaType: string; bytes: Uint8Array }>;
}

/** Reads an e-mail (RFC 5322); attached e-mails are attachments of type message/rfc822. */
export async function contentOfMail(bytes: Uint8Array): Promise<MailContent> {
	const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
	const header = [
		['Subject', mail.subject],
		['From', addressOf(mail.from)],
		['To', mail.to?.map(addressOf).join(', ')],
		['Date', mail.date],
	];
	const body = mail.text?.trim() ? mail.text : textOfHtml(mail.html ?? '');
	const headerText = header
		.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
		.join('\n');
	return {
		lines: linesOfText(`${headerText}\n\n${body}`),
		attachments: mail.attachments.map((attachment, index) => ({
			fileName: attachment.filename ?? `attachment-${index + 1}`,
			mediaType: attachment.mimeType,
			bytes:
				typeof attachment.content === 'string'
					? Buffer.from(attachment.content)
					: new Uint8Array(attachment.content),
		})),
	};
}

function addressOf(party: { name: string; address?: string } | undefined): string {
	return party ? [party.name, party.address && `<${party.address}>`].filter(Boolean).join(' ') : '';
}
