/** Finds what belongs to each document: mails, executions, rows, and the messages to people. */
import type { Counted, Message, Row } from '../e2e/counter';
import type { Booked, PlannedFile, PlannedMail, Policy } from './plan';

/** A document, with all mails that bring it and all that came of it. */
export interface Case {
	file: PlannedFile;
	mails: PlannedMail[];
	/** About its mails, and those of them that name it. */
	messages: Message[];
	named: Message[];
	booked: Booked[];
	/** For each policy that is to stand in the table. */
	rows: Array<{ policy: Policy; rows: Row[] }>;
	/** Rows of it that nobody wants. */
	odd: Row[];
	/** Whether something that came with it needs a person, so that it may go there too. */
	isAccompanied: boolean;
}

const letters = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');
/** Names lose their folders and signs on the way, and long ones their end. */
const core = (name: string) => letters(name.split(/[\\/]/).at(-1) ?? '').slice(0, 20);
export const textOf = (value: unknown) =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** The value of a column, however its name is written: `policyNumber`, `Policy Number`, `policy_number`. */
export const valueIn = (json: Row['json'], name: string) =>
	Object.entries(json).find(([each]) => letters(each).toLowerCase() === name.toLowerCase())?.[1];

/** Why something is left to a person although the service can read it, and what he can do. */
const BROKEN_OFF = /unknown|broken off|may have|crash|stopped|no response|status (?:429|5\d\d)/i;
const ADVICE = /\b(?:send|forward|check|search|look|retry|open)\b/i;

export const saysWhatToDo = ({ subject, text }: Message) =>
	BROKEN_OFF.test(`${subject} ${text}`) && ADVICE.test(text);

/** A message about a crash names mails only by their subjects or files. */
function isAbout(message: Message, { from, subject, files }: PlannedMail): boolean {
	if (message.text.includes(from)) return true;
	if (subject !== '') return `${message.subject}\n${message.text}`.includes(subject);
	return !message.text.includes('From: ') && files.some((file) => isIn(message, file));
}

export const aboutMail = (mail: PlannedMail, { messages }: Counted) =>
	messages.filter((each) => isAbout(each, mail));

export function casesOf(mails: PlannedMail[], books: Booked[], counted: Counted): Case[] {
	const cases = new Map<string, Case>();
	const policies = mails.flatMap(({ files }) =>
		files.flatMap(({ answer }) => answer?.policies ?? []),
	);
	const wanted = new Set(policies.map(({ policyNumber }) => policyNumber));
	const unwanted = counted.rows.filter(
		({ json }) => !wanted.has(textOf(valueIn(json, 'policyNumber'))),
	);
	for (const mail of mails)
		for (const file of mail.files.filter(({ use }) => use !== 'aside')) {
			// A file that is not sent belongs to its mail alone.
			const key = file.use === 'document' ? file.sha256 : `${mail.from} ${file.name}`;
			const each = cases.get(key) ?? caseOf(file, books, counted.rows, unwanted);
			cases.set(key, each);
			if (each.mails.includes(mail)) continue;
			const messages = aboutMail(mail, counted);
			each.mails.push(mail);
			each.messages.push(...messages);
			each.named.push(...messages.filter((message) => names(message, each, books)));
			each.isAccompanied ||= mail.files.some((other) => other.doubt !== undefined);
		}
	return [...cases.values()];
}

function caseOf(file: PlannedFile, books: Booked[], all: Row[], unwanted: Row[]): Case {
	const booked = books.filter(({ files }) => files.includes(file.sha256));
	const isOfIt = ({ json }: Row) =>
		booked.some(({ executionId }) => executionId === valueIn(json, 'executionId'));
	const rows = (file.answer?.policies ?? []).map((policy) => ({
		policy,
		rows: all.filter(({ json }) => valueIn(json, 'policyNumber') === policy.policyNumber),
	}));
	const odd = file.doubt === undefined ? [] : unwanted.filter(isOfIt);
	return { file, booked, rows, odd, mails: [], messages: [], named: [], isAccompanied: false };
}

/** Whether a message names a document. Others of the same name have other executions. */
function names({ text, files }: Message, { file, booked }: Case, books: Booked[]): boolean {
	const ids = books.filter(({ executionId }) => text.includes(executionId));
	const isOfOthers = ids.length > 0 && !ids.some((each) => booked.includes(each));
	return !isOfOthers && isIn({ text, files }, file);
}

/** Whether a message has the name of a file. */
export const isIn = ({ text, files }: Pick<Message, 'text' | 'files'>, { name }: PlannedFile) =>
	letters([text, ...files].join(' ')).includes(core(name));

export const hasRow = ({ rows, odd }: Case) =>
	odd.length > 0 || rows.some((each) => each.rows.length > 0);
