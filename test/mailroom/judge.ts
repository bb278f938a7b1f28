/** Compares what came out of n8n, and the books of the service, with what a careful broker wants of each mail. */
import {
	aboutMail,
	casesOf,
	hasRow,
	isIn,
	saysWhatToDo,
	textOf,
	valueIn,
	type Case,
} from './cases';
import type { Counted, Message, Row } from '../e2e/counter';
import type { Booked, PlannedFile, PlannedMail, Policy } from './plan';

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

export interface Finding {
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
