import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MailComposer, { type MailComposerAttachment } from 'nodemailer/lib/mail-composer';
import { jpeg, png } from '../fixtures/images';
import { DOCUMENTS } from './support';

/** A part of a mail, with its name as a person reads it. */
export interface Attached {
	name: string;
	mediaType: string;
	content: Buffer;
	part: MailComposerAttachment;
}

/** A file as the service reports it, without the name of its field. */
export function arrivalOf({ name, mediaType, content }: Attached) {
	return {
		fileName: name,
		mediaType,
		bytes: content.length,
		sha256: createHash('sha256').update(content).digest('hex'),
	};
}

export async function compose(
	subject: string,
	attached: Attached[],
	html = '<p>Please see attached.</p>',
	from = 'Erika Müller <erika@example.com>',
): Promise<Buffer> {
	const mail = new MailComposer({
		from,
		to: 'intake@example.com',
		subject,
		text: 'Please see attached.',
		html,
		attachments: attached.map(({ part }) => part),
		newline: 'win',
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	return mail.compile().build();
}

export const sample = (fileName: string): Buffer => readFileSync(join(DOCUMENTS, fileName));

/** Attached as mail programs do; names that are not ASCII are encoded per RFC 2231. */
export function attachment(name: string, mediaType: string, content: Buffer | string): Attached {
	const bytes = Buffer.from(content);
	return {
		name,
		mediaType,
		content: bytes,
		part: { filename: name, contentType: mediaType, content: bytes },
	};
}

/** With the name written into the header as is: encoded per RFC 2047 or plain UTF-8, neither of which the standards allow there. */
export function namedInHeader(
	name: string,
	header: string,
	mediaType: string,
	text: Buffer | string,
): Attached {
	const content = Buffer.from(text);
	const raw = [
		`Content-Type: ${mediaType}; name="${header}"`,
		'Content-Transfer-Encoding: base64',
		`Content-Disposition: attachment; filename="${header}"`,
		'',
		content.toString('base64').replace(/.{76}/g, '$&\r\n'),
	];
	return { name, mediaType, content, part: { raw: Buffer.from(raw.join('\r\n'), 'utf8') } };
}

/** Shown in the text by `cid:<name>@mail.example.com`. */
export function inline(name: string, mediaType: string, content: Buffer): Attached {
	const { part, ...attached } = attachment(name, mediaType, content);
	return { ...attached, part: { ...part, cid: `${name}@mail.example.com` } };
}

/** A mail in a mail: as an attachment, or inline, as some programs forward. */
export function forwarded(
	name: string,
	mail: Buffer,
	contentDisposition: 'attachment' | 'inline' = 'attachment',
): Attached {
	const { part, ...attached } = attachment(name, 'message/rfc822', mail);
	return { ...attached, part: { ...part, contentDisposition } };
}

/** The logo of a signature, 4 kB. */
export const LOGO = inline('image001.png', 'image/png', png(90, 45, { noise: true }));

/** A photo from a phone, 3 MB. */
export const PHOTO = inline(
	'IMG_1234.jpg',
	'image/jpeg',
	jpeg(4032, 3024, { exif: true, bytes: 3_000_000 }),
);

export const HTML =
	'<p>The roof:</p><img src="cid:IMG_1234.jpg@mail.example.com"><p>Erika<br><img width="90" src="cid:image001.png@mail.example.com"></p>';
