import MailComposer, {
	type MailComposerAttachment,
	type MailComposerOptions,
} from 'nodemailer/lib/mail-composer';

export interface MailFacts {
	/** Sets Message-ID and boundaries, so that a second run gives the same bytes. */
	name: string;
	/** ISO 8601 with offset. */
	date: string;
	from: { name: string; address: string };
	to: { name: string; address: string };
	subject: string;
	text: string;
	html: string;
	attachments: MailComposerAttachment[];
}

/** The bytes of an e-mail with a text body, an HTML alternative and attachments. */
export async function composeMail(facts: MailFacts): Promise<Uint8Array> {
	const { name, date, ...content } = facts;
	const options: MailComposerOptions = {
		...content,
		date: new Date(date),
		messageId: `<${name}@mail.example.com>`,
		baseBoundary: name,
		newline: 'win',
		disableFileAccess: true,
		disableUrlAccess: true,
	};
	return new Uint8Array(await new MailComposer(options).compile().build());
}
