/** The mails of a week, drawn from a seed, as a broker's mailbox gets them. */
import { between, numbersFor } from '../chaos/plan';
import { compose, HTML, LOGO } from '../e2e/mails';
import { answerOf, policyOf, type Answer, type AnswerKind } from './answers';
import {
	CALENDAR,
	document,
	ofMail,
	signature,
	unusable,
	type Format,
	type MailFile,
} from './files';
import type { PlannedMail } from './plan';

/** A mail as it is delivered, the same bytes `copies` times. */
export interface Delivery {
	mail: PlannedMail;
	bytes: Buffer;
	copies: number;
}

export interface Mailbag {
	deliveries: Delivery[];
	/** By SHA-256. */
	answers: Map<string, Answer>;
}

/** What makes documents whose bytes and policies no other has. */
interface Maker {
	random: () => number;
	file: (format: Format, name?: string, answer?: AnswerKind, bytes?: number) => MailFile;
	/** A different number for each. */
	next: () => number;
	/** Of the mail among those of its kind. */
	index: number;
}

const WORDS = ['policy', 'Dec Page', 'renewal_2026', 'Scan_0001', 'Declarations (1)', 'EMC CP 26'];
const SUBJECTS = [
	...['Renewal', 'FW: Policy documents', 'Re: AW: Police 2026', 'New business', 'Endorsement'],
	...[
		'Please file',
		'Dokumente für Müller & Söhne',
		'契約書',
		'URGENT!!! {{ policy }}',
		'=Dec page',
	],
];
const HOSTILE = [
	...["=cmd|' /C calc'!A0.pdf", '../../etc/passwd.pdf', 'a{{ $env.HOME }}.pdf', '${7*7}.pdf'],
	...['<img src=x onerror=alert(1)>.pdf', `${'long name '.repeat(30)}.pdf`, "a;b,c'd&e.pdf"],
	...['{{ $json.subject }}.pdf', 'policy.pdf.pdf', '%s%n%00.pdf'],
];
const FOREIGN = [
	...[
		'Versicherungsschein Müller & Söhne Straße.pdf',
		'保険証券.pdf',
		'Полис №5.pdf',
		'بوليصة.pdf',
	],
	...['Police d’assurance – été.pdf', '📄 policy.pdf', 'Zażółć gęślą jaźń.pdf'],
];

const KB = 1_000;
const MB = 1_000 * KB;
/** With a question, and no document. */
const NOTHING = (): MailFile[] => [];

/** What a mail brings, how many of them there are, and its files. */
const KINDS: ReadonlyArray<readonly [string, number, (make: Maker) => MailFile[]]> = [
	['a document', 24, ({ file }) => [file('pdf')]],
	['three documents', 8, ({ file }) => [file('pdf'), file('pdf'), file('pdf')]],
	['two documents and a logo', 4, ({ file }) => [ofMail(LOGO), file('pdf'), file('pdf')]],
	['a document and a logo', 6, ({ file }) => [ofMail(LOGO), file('pdf')]],
	['text only', 4, NOTHING],
	['a logo only', 2, () => [ofMail(LOGO)]],
	['an invitation', 2, () => [CALENDAR]],
	['a document and an invitation', 2, ({ file }) => [file('pdf'), CALENDAR]],
	['a signed mail', 3, ({ file, next }) => [file('pdf'), signature(next())]],
	['an encrypted mail', 2, ({ next }) => [unusable('signed', `${next()}`)]],
	['winmail.dat', 2, ({ next }) => [unusable('outlook', `${next()}`)]],
	[
		'winmail.dat and a document',
		1,
		({ file, next }) => [file('pdf'), unusable('outlook', `${next()}`)],
	],
	['an empty file', 2, () => [unusable('empty', '')]],
	['an empty file and a document', 2, ({ file }) => [unusable('empty', ''), file('pdf')]],
	['a locked document', 3, ({ file }) => [file('locked', 'locked.pdf', 'locked')]],
	['a page called PDF', 2, ({ next }) => [unusable('page', `${next()}`)]],
	[
		'a page called PDF and a document',
		1,
		({ file, next }) => [unusable('page', `${next()}`), file('pdf')],
	],
	['an archive', 2, ({ file }) => [file('zip', 'documents.zip', 'unsupported')]],
	['an Office file', 3, ({ file, random }) => [file(random() < 0.5 ? 'xlsx' : 'docx')]],
	['an old Office file', 1, ({ file }) => [file('doc')]],
	['a fax', 2, ({ file }) => [file('tif', 'fax.tif')]],
	['a photo of a document', 2, ({ file }) => [file('jpg', 'IMG_2041.jpg')]],
	['a mail in a mail', 2, ({ file }) => [file('eml', 'Fwd Policy.eml')]],
	['a text file', 2, ({ file }) => [file('txt')]],
	['a name that attacks', 10, ({ file, index }) => [file('pdf', HOSTILE[index])]],
	['a foreign name', 7, ({ file, index }) => [file('pdf', FOREIGN[index])]],
	['the same file twice', 3, ({ file }) => twice(file('pdf'))],
	['the same mail twice', 2, ({ file }) => [file('pdf')]],
	['a file that another mail has too', 2, ({ file }) => [file('pdf')]],
	['no subject', 2, ({ file }) => [file('pdf')]],
	['a large document', 2, ({ file }) => [file('pdf', 'large.pdf', undefined, 4 * MB)]],
];

/** In the long form. */
const LARGE: (typeof KINDS)[number] = [
	'30 MB',
	2,
	({ file }) => [file('pdf', 'huge.pdf', undefined, 30 * MB)],
];

const twice = (file: MailFile): MailFile[] => [file, file];

export async function mailbag(seed: number, isLong = false): Promise<Mailbag> {
	const random = numbersFor(seed, 'mails');
	const answers = new Map<string, Answer>();
	let number = 0;
	const next = () => ++number;
	const word = (words: string[]) => words[between(random, 0, words.length - 1)] ?? '';
	const file: Maker['file'] = (format, name, kind, bytes) => {
		const policy = policyOf(random, next());
		const answer = answerOf(random, policy, kind);
		const ending = format === 'locked' ? 'pdf' : format;
		const given = name ?? `${word(WORDS)}.${ending}`;
		const made = document(format, given, policy.policyNumber, answer, bytes);
		answers.set(made.planned.sha256, answer);
		return made;
	};
	const deliveries: Delivery[] = [];
	for (const [title, count, files] of isLong ? [...KINDS, LARGE] : KINDS)
		for (let index = 0; index < count; index++) {
			const brought = files({ random, file, next, index });
			const subject = title === 'no subject' ? '' : `${word(SUBJECTS)} ${next()}`;
			deliveries.push(await deliveryOf(title, subject, `office${next()}@example.com`, brought));
			if (title === 'a file that another mail has too')
				deliveries.push(
					await deliveryOf(title, `Reminder ${next()}`, `office${next()}@example.com`, brought),
				);
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
	const mail = { title, subject, from, files: files.map(({ planned }) => planned) };
	return { mail, bytes, copies: title === 'the same mail twice' ? 2 : 1 };
}

function shuffled<T>(list: T[], random: () => number): T[] {
	return list
		.map((entry) => ({ entry, place: random() }))
		.sort((one, other) => one.place - other.place)
		.map(({ entry }) => entry);
}
