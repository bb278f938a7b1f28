/** Compares what came out of n8n, and the books of the service, with what a careful broker wants of each mail. */
import type { Counted, Message, Row } from '../e2e/counter';
import type { Answer } from './answers';

export interface PlannedFile {
	name: string;
	sha256: string;
	/** The service reads it, nobody needs it, or a person has to look at it. */
	use: 'document' | 'aside' | 'unusable';
	/** Of a document. */
	answer?: Answer;
	/** Why a person has to look at it, as the words that he reads. */
	doubt?: RegExp;
}

export interface PlannedMail {
	/** The address of its sender, which no other mail has. */
	from: string;
	subject: string;
	/** What it is an example of. */
	title: string;
	files: PlannedFile[];
	/** How often the same bytes arrive. */
	copies: number;
}

/** A policy as it is to stand in the table. */
export interface Policy {
	policyNumber: string;
	namedInsured: string;
	totalPremium: number;
}

/** An execution in the books of the service. */
export interface Booked {
	executionId: string;
	/** SHA-256 of its files. */
	files: string[];
	/** Milliseconds since 1970. */
	completesAt: number;
}

/** What is not as it should be. */
export const FINDINGS = {
	nowhere: 'out nowhere: neither data nor a word to a person',
	silent: 'lost without a word: a document of which there is neither a row nor a reason',
	doubled: 'sent more than once',
	unsent: 'not sent, and no word about it',
	repeated: 'came out more than once',
	wrong: 'a row with a wrong value',
	unflagged: 'needed review, and came out as if it did not',
	wordless: 'told to a person without its subject, its file or its reason',
	needless: 'told to a person without need',
} as const;
export type FindingName = keyof typeof FINDINGS;

interface Finding {
	name: FindingName;
	/** By its sender; empty for what belongs to no mail. */
	mail: string;
	about: string;
}

export interface Verdict {
	mails: number;
	right: number;
	documents: number;
	sentOnce: number;
	/** Mails of which a person must look at something. */
	doubtful: number;
	flagged: number;
	/** Documents that a person has to send: a message says what to do. */
	byHand: Array<{ file: PlannedFile; told: string }>;
	findings: Finding[];
	/** From the result in the service to its row, in milliseconds, ascending. */
	delays: number[];
}

interface Circumstances {
	/** Something went wrong around n8n, so a message may ask a person to send a clean document. */
	isDisturbed: boolean;
	/** What could be sent again was sent again. */
	isDone?: boolean;
}

type Find = (name: FindingName, mail: PlannedMail | undefined, about: string) => void;

export function judge(
	mails: PlannedMail[],
	books: Booked[],
	counted: Counted,
	{ isDisturbed, isDone }: Circumstances,
): Verdict {
	const findings: Finding[] = [];
	const byHand: Verdict['byHand'] = [];
	const find: Find = (name, mail, about) =>
		findings.push({ name, mail: mail?.from ?? '', about: `${mail?.title ?? ''}: ${about}` });
	const cases = casesOf(mails, books, counted);
	for (const each of cases) {
		const { file, booked, odd, named } = each;
		const [mail] = each.mails;
		judgeRows(each, find);
		const together = cases.filter((other) => other.booked.some((entry) => booked.includes(entry)));
		const outcome = odd.length > 0 ? undefined : outcomeOf(each, !together.some(hasRow));
		if (outcome === undefined) continue;
		const canBeLeft = isDisturbed && !(isDone && booked.length === 0);
		const left = canBeLeft ? named.find(saysWhatToDo) : undefined;
		if (left !== undefined) byHand.push({ file, told: left.text });
		else find(outcome, mail, [file.name, ...named.map(({ text }) => text)].join(' | '));
	}
	for (const mail of mails) judgeMail(mail, aboutMail(mail, counted), cases, find);
	const known = cases.flatMap(({ rows, odd }) => [...rows.flatMap((each) => each.rows), ...odd]);
	for (const row of counted.rows.filter((each) => !known.includes(each)))
		find('unflagged', undefined, `a row of nothing: ${JSON.stringify(row.json)}`);
	return { ...figuresOf(mails, cases, findings), byHand, findings, delays: delaysOf(cases) };
}

function judgeRows({ file, mails, booked, rows, odd }: Case, find: Find): void {
	const [mail] = mails;
	const sent = booked.flatMap(({ files }) => files.filter((hash) => hash === file.sha256));
	if (sent.length > 1) find('doubled', mail, `${file.name}, ${sent.length} times`);
	for (const { policy, rows: own } of rows) {
		if (own.length > 1) find('repeated', mail, `${policy.policyNumber}, ${own.length} rows`);
		for (const fault of own.flatMap((row) => faultsIn(row, policy, mails)))
			find('wrong', mail, fault);
	}
	for (const { json } of odd) find('unflagged', mail, `a row ${JSON.stringify(json)}`);
}

/** What is wrong with a document, apart from its rows. `isWhole`: no row came of its execution. */
function outcomeOf(each: Case, isWhole: boolean): FindingName | undefined {
	const { file, messages, named, booked, rows, isAccompanied } = each;
	const { doubt } = file;
	if (file.use === 'document' && booked.length === 0) return 'unsent';
	if (doubt !== undefined) {
		if (named.some(({ text }) => doubt.test(text))) return undefined;
		return messages.length > 0 ? 'wordless' : 'silent';
	}
	const isTold = named.length > 0;
	if (rows.every((one) => one.rows.length > 0))
		return isTold && !isAccompanied && !named.every(isOfSentOnes) ? 'needless' : undefined;
	// A person who gets all of an execution gets its clean documents too.
	if (isTold && isWhole) return isAccompanied ? undefined : 'needless';
	return 'silent';
}

/** It says that the document came before, which a mail may bring again. */
const isOfSentOnes = ({ text }: Message) => /sent (?:before|with another)/.test(text);

/** What is wrong with a mail as a whole. */
function judgeMail(mail: PlannedMail, messages: Message[], cases: Case[], find: Find): void {
	const own = cases.filter((each) => each.mails.includes(mail));
	const isElsewhere = own.some((each) => each.mails.length > 1);
	const isOut = messages.length > 0 || own.some(hasRow);
	if (!isOut && !isElsewhere) find('nowhere', mail, mail.subject);
	const isSaid = messages.some((each) => /nothing was sent/i.test(each.text) || saysWhatToDo(each));
	if (isOut && isWithoutDocument(mail) && !isSaid) find('wordless', mail, mail.subject);
	for (const message of messages)
		if (!`${message.subject}\n${message.text}`.includes(mail.subject) || message.text.trim() === '')
			find('wordless', mail, `the mail to the team "${message.subject}"`);
	for (const each of messages) {
		// Files of the same name may have the same reason.
		const files = mail.files.filter((file) => isIn(each, file)).length;
		const equal = messages.filter(({ text }) => text === each.text).length;
		if (equal > mail.copies * Math.max(files, 1)) find('repeated', mail, `${equal} equal mails`);
	}
}

/** Only a person knows what it wants. */
const isWithoutDocument = ({ files }: PlannedMail) => files.every(({ use }) => use === 'aside');

function faultsIn({ json }: Row, policy: Policy, mails: PlannedMail[]): string[] {
	const faults = Object.entries(policy).flatMap(([name, value]) =>
		valueIn(json, name) === value
			? []
			: [`${name} is ${textOf(valueIn(json, name))}, not ${value}`],
	);
	const isOwn = mails.some(
		({ from, subject }) => textOf(json.from).includes(from) && json.subject === subject,
	);
	return isOwn ? faults : [...faults, `it is filed under ${textOf(json.from)}`];
}

function figuresOf(mails: PlannedMail[], cases: Case[], findings: Finding[]) {
	const wrong = new Set(findings.map(({ mail }) => mail));
	const documents = cases.filter(({ file }) => file.use === 'document');
	const unsaid = new Set(
		findings
			.filter(({ name }) => ['nowhere', 'silent', 'unflagged', 'wordless'].includes(name))
			.map(({ mail }) => mail),
	);
	const doubtful = mails.filter(
		(mail) => isWithoutDocument(mail) || mail.files.some(({ doubt }) => doubt !== undefined),
	);
	return {
		mails: mails.length,
		right: mails.filter(({ from }) => !wrong.has(from)).length,
		documents: documents.length,
		sentOnce: documents.filter(({ booked }) => booked.length === 1).length,
		doubtful: doubtful.length,
		flagged: doubtful.filter(({ from }) => !unsaid.has(from)).length,
	};
}

const delaysOf = (cases: Case[]): number[] =>
	cases
		.flatMap(({ rows, booked }) =>
			rows.flatMap((each) => each.rows.map(({ at }) => at - (booked[0]?.completesAt ?? at))),
		)
		.sort((one, other) => one - other);

/** A document, with all mails that bring it and all that came of it. */
interface Case {
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
const valueIn = (json: Row['json'], name: string) =>
	Object.entries(json).find(([each]) => letters(each).toLowerCase() === name.toLowerCase())?.[1];

/** Why something is left to a person although the service can read it, and what he can do. */
const BROKEN_OFF = /unknown|broken off|may have|crash|stopped|no response|status (?:429|5\d\d)/i;
const ADVICE = /\b(?:send|forward|check|search|look|retry|open)\b/i;

const saysWhatToDo = ({ subject, text }: Message) =>
	BROKEN_OFF.test(`${subject} ${text}`) && ADVICE.test(text);

/** A message about a crash names mails only by their subjects or files. */
function isAbout(message: Message, { from, subject, files }: PlannedMail): boolean {
	if (message.text.includes(from)) return true;
	if (subject !== '') return `${message.subject}\n${message.text}`.includes(subject);
	return !message.text.includes('From: ') && files.some((file) => isIn(message, file));
}

const aboutMail = (mail: PlannedMail, { messages }: Counted) =>
	messages.filter((each) => isAbout(each, mail));

function casesOf(mails: PlannedMail[], books: Booked[], counted: Counted): Case[] {
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
const isIn = ({ text, files }: Pick<Message, 'text' | 'files'>, { name }: PlannedFile) =>
	letters([text, ...files].join(' ')).includes(core(name));

const hasRow = ({ rows, odd }: Case) => odd.length > 0 || rows.some((each) => each.rows.length > 0);
