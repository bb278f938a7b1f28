/** The mails of a week, drawn from a seed, as a broker's mailbox gets them. */
import { between, numbersFor } from '../chaos/plan';
import {
	attachment,
	compose,
	HTML,
	LOGO,
	arrivalOf,
	forwarded,
	sample,
	type Attached,
} from '../e2e/mails';
import { answerOf, policyOf, type Answer, type AnswerKind } from './answers';
import type { PlannedMail, PlannedFile } from './judge';
import { jpeg } from '../fixtures/images';

/** A file as it is attached, and what is planned for it. */
interface MailFile {
	attached: Attached;
	planned: PlannedFile;
}

const PDF = sample('declarations-page.pdf');
const LOCKED = '%PDF-1.6\ntrailer << /Encrypt 5 0 R /Root 1 0 R >>\n%%EOF';
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Bytes that no other file has. */
const marked = (content: Buffer | string, mark: string) =>
	Buffer.concat([Buffer.from(content.toString('latin1'), 'latin1'), Buffer.from(`\n% ${mark}\n`)]);

/** An archive of nothing, with a comment. */
function zip(mark: string): Buffer {
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(mark.length, 20);
	return Buffer.concat([end, Buffer.from(mark)]);
}

/** By format: media type and bytes. A mark makes the bytes unique. */
const FORMATS = {
	pdf: ['application/pdf', (mark: string) => marked(PDF, mark)],
	locked: ['application/pdf', (mark: string) => marked(LOCKED, mark)],
	zip: ['application/zip', zip],
	docx: [`${OFFICE}.wordprocessingml.document`, zip],
	xlsx: [`${OFFICE}.spreadsheetml.sheet`, zip],
	doc: ['application/msword', (mark: string) => marked('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', mark)],
	tif: ['image/tiff', (mark: string) => marked('II*\0\x08\0\0\0', mark)],
	jpg: ['image/jpeg', (mark: string) => marked(jpeg(2480, 3508, { bytes: 90_000 }), mark)],
	eml: ['message/rfc822', (mark: string) => Buffer.from(`Subject: ${mark}\r\n\r\nA policy.\r\n`)],
	txt: ['text/plain', (mark: string) => Buffer.from(`Policy Number: ${mark}\n`)],
} as const satisfies Record<string, readonly [string, (mark: string) => Buffer]>;
type Format = keyof typeof FORMATS;

function planned(attached: Attached, more: Omit<PlannedFile, 'name' | 'sha256'>): MailFile {
	const { fileName, sha256 } = arrivalOf(attached);
	return { attached, planned: { name: fileName, sha256, ...more } };
}

/** A document that the service reads. With `bytes` it is at least so long. */
export function document(
	format: Format,
	name: string,
	mark: string,
	answer: Answer,
	bytes = 0,
): MailFile {
	const [mediaType, make] = FORMATS[format];
	const own = make(mark);
	const filling = bytes > own.length ? Buffer.alloc(bytes - own.length, mark) : '';
	const content = Buffer.concat([own, Buffer.from(filling)]);
	const { doubt } = answer;
	const attached =
		format === 'eml' ? forwarded(name, content) : attachment(name, mediaType, content);
	return planned(attached, { use: 'document', answer, ...(doubt && { doubt }) });
}

/** What mail programs attach, and nobody needs. */
export const aside = (attached: Attached): MailFile => planned(attached, { use: 'aside' });

/** What should have been a document, or hides some. */
const UNUSABLE = {
	empty: ['policy.pdf', 'application/pdf', '', /empty/],
	page: ['declarations.pdf', 'application/pdf', '<html>Please sign in</html>', /name says a PDF/],
	winmail: ['winmail.dat', 'application/ms-tnef', '\x78\x9f\x3e\x22', /wraps attachments/],
	p7m: ['smime.p7m', 'application/pkcs7-mime', '\x30\x82', /encrypted or signed/],
} as const;

export function unusable(kind: keyof typeof UNUSABLE, mark: string): MailFile {
	const [name, mediaType, begin, doubt] = UNUSABLE[kind];
	const content = begin === '' ? '' : marked(Buffer.from(begin, 'latin1'), mark);
	return planned(attachment(name, mediaType, content), { use: 'unusable', doubt });
}

/** A mail as it is delivered. */
interface Delivery {
	mail: PlannedMail;
	bytes: Buffer;
}

export interface Mailbag {
	deliveries: Delivery[];
	/** By SHA-256. */
	answers: Map<string, Answer>;
}

const NAMES = ['policy', 'Dec Page', 'renewal_2026', 'Scan_0001', 'Declarations (1)', 'EMC CP 26'];
const SUBJECTS = [
	...['Renewal', 'FW: Policy documents', 'Re: AW: Police 2026', 'New business', 'Endorsement'],
	...[
		'Please file',
		'Dokumente für Müller & Söhne',
		'URGENT!!! {{ policy }}',
		'=Dec page',
		'契約書',
	],
];
const HOSTILE = [
	...["=cmd|' /C calc'!A0.pdf", '../../etc/passwd.pdf', 'a{{ $env.HOME }}.pdf', '${7*7}.pdf'],
	...['<img src=x onerror=alert(1)>.pdf', `${'long name '.repeat(30)}.pdf`, "a;b,c'd&e.pdf"],
	...['{{ $json.subject }}.pdf', 'policy.pdf.pdf', '%s%n%00.pdf'],
];
const FOREIGN = [
	...['Versicherungsschein Müller & Söhne Straße.pdf', '保険証券.pdf', 'Полис №5.pdf'],
	...['Police d’assurance – été.pdf', '📄 policy.pdf', 'Zażółć gęślą jaźń.pdf', 'بوليصة.pdf'],
];

const MB = 1_000_000;
const CALENDAR = attachment('invite.ics', 'text/calendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR');
const SIGNATURE = attachment('smime.p7s', 'application/pkcs7-signature', '0\x80\x06\x09');

/** What a mail brings, how many of them there are, and the kinds of its files. */
const KINDS: Record<string, [number, ...FileKind[]]> = {
	'a document': [24, 'pdf'],
	'three documents': [8, 'pdf', 'pdf', 'pdf'],
	'two documents and a logo': [4, 'logo', 'pdf', 'pdf'],
	'a document and a logo': [6, 'logo', 'pdf'],
	'text only': [4],
	'a logo only': [2, 'logo'],
	'an invitation': [2, 'ics'],
	'a document and an invitation': [2, 'pdf', 'ics'],
	'a signed mail': [3, 'pdf', 'p7s'],
	'an encrypted mail': [2, 'p7m'],
	'winmail.dat': [2, 'winmail'],
	'winmail.dat and a document': [1, 'pdf', 'winmail'],
	'an empty file': [2, 'empty'],
	'an empty file and a document': [2, 'empty', 'pdf'],
	'a locked document': [3, 'locked'],
	'a page called PDF': [2, 'page'],
	'a page called PDF and a document': [1, 'page', 'pdf'],
	'an archive': [2, 'zip'],
	'an Office file': [3, 'xlsx'],
	'an Office document': [2, 'docx'],
	'an old Office file': [1, 'doc'],
	'a fax': [2, 'tif'],
	'a photo of a document': [2, 'jpg'],
	'a mail in a mail': [2, 'eml'],
	'a text file': [2, 'txt'],
	'a name that attacks': [HOSTILE.length, 'hostile'],
	'a foreign name': [FOREIGN.length, 'foreign'],
	'the same file twice': [3, 'pdf', 'same'],
	'the same mail twice': [2, 'pdf'],
	'a file that another mail has too': [2, 'pdf'],
	'no subject': [2, 'pdf'],
	'a large document': [2, 'large'],
	'30 MB': [1, 'huge'],
};

type Plain = Exclude<Format, 'locked' | 'zip'>;
type FileKind =
	| Format
	| Parameters<typeof unusable>[0]
	| ('logo' | 'ics' | 'p7s' | 'same' | 'hostile' | 'foreign' | 'locked' | 'zip' | 'large' | 'huge');

export async function mailbag(seed: number): Promise<Mailbag> {
	const random = numbersFor(seed, 'mails');
	const answers = new Map<string, Answer>();
	let number = 0;
	const drawn = (words: string[]) => words[between(random, 0, words.length - 1)] ?? '';
	const documentOf = (format: Format, name?: string, kind?: AnswerKind, bytes?: number) => {
		const policy = policyOf(random, ++number);
		const answer = answerOf(random, policy, kind);
		const given = name ?? `${drawn(NAMES)}.${format}`;
		const file = document(format, given, policy.policyNumber, answer, bytes);
		answers.set(file.planned.sha256, answer);
		return file;
	};
	/** A file of a kind, in the mail with this index among those of its kind. */
	const fileOf = (kind: FileKind, index: number, before: MailFile[]): MailFile => {
		const others: Record<Exclude<FileKind, Plain>, () => MailFile> = {
			logo: () => aside(LOGO),
			ics: () => aside(CALENDAR),
			p7s: () => aside(SIGNATURE),
			same: () => before[0] ?? documentOf('pdf'),
			hostile: () => documentOf('pdf', HOSTILE[index]),
			foreign: () => documentOf('pdf', FOREIGN[index]),
			locked: () => documentOf('locked', 'locked.pdf', 'locked'),
			zip: () => documentOf('zip', 'documents.zip', 'unsupported'),
			large: () => documentOf('pdf', 'large.pdf', undefined, 4 * MB),
			huge: () => documentOf('pdf', 'huge.pdf', undefined, 30 * MB),
			empty: () => unusable('empty', ''),
			page: () => unusable('page', String(++number)),
			winmail: () => unusable('winmail', String(++number)),
			p7m: () => unusable('p7m', String(++number)),
		};
		return kind in others ? others[kind as 'logo']() : documentOf(kind as Plain);
	};
	const deliveries: Delivery[] = [];
	for (const [title, [count, ...kinds]] of Object.entries(KINDS))
		for (let index = 0; index < count; index++) {
			const files: MailFile[] = [];
			for (const kind of kinds) files.push(fileOf(kind, index, files));
			const add = async () => {
				const subject = title === 'no subject' ? '' : `${drawn(SUBJECTS)} (${++number})`;
				const from = `office${++number}@example.com`;
				deliveries.push(await deliveryOf(title, subject, from, files));
			};
			await add();
			if (title === 'a file that another mail has too') await add();
		}
	return { deliveries: shuffled(deliveries, random), answers };
}

async function deliveryOf(
	title: string,
	subject: string,
	from: string,
	files: MailFile[],
): Promise<Delivery> {
	const attached = files.map((each) => each.attached);
	const html = attached.includes(LOGO) ? HTML : undefined;
	const bytes = await compose(subject, attached, html, `Office <${from}>`);
	const copies = title === 'the same mail twice' ? 2 : 1;
	return {
		mail: { title, subject, from, copies, files: files.map(({ planned }) => planned) },
		bytes,
	};
}

function shuffled<T>(list: T[], random: () => number): T[] {
	return list
		.map((entry) => ({ entry, place: random() }))
		.sort((one, other) => one.place - other.place)
		.map(({ entry }) => entry);
}
