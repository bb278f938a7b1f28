/** Compares what came out of n8n, and the books of the service, with what a careful broker wants of each mail. */
import type { Booked, Counted, Message, PlannedFile, PlannedMail, Policy, Row } from './plan';

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
	/** What a person is told to do, where it cannot be otherwise. */
	byHand: string[];
	findings: Finding[];
	/** From the result in the service to its row, in milliseconds, ascending. */
	delays: number[];
}

/** What a sentence that says what to do has in it. */
const ADVICE = /\b(?:send|forward|check|search|look|retry|open)\b/i;
/** Why something is left to a person although the service can read it. */
const BROKEN_OFF = /unknown|broken off|may have|crash|stopped|no response/i;

interface Circumstances {
	/** Something went wrong around n8n, so that a clean document may be left to a person who is told what to do. */
	isDisturbed: boolean;
}

const letters = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');
/** Names lose their folders and signs on the way, and long ones their end. */
const core = (name: string) => letters(name.split(/[\\/]/).at(-1) ?? '').slice(0, 20);
const textOf = (value: unknown) =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** The value of a column, however its name is written: `policyNumber`, `Policy Number`, `policy_number`. */
const valueIn = (json: Row['json'], name: string) =>
	Object.entries(json).find(([each]) => letters(each).toLowerCase() === name.toLowerCase())?.[1];

const isAbout = ({ subject, text }: Message, mail: PlannedMail) =>
	text.includes(mail.from) || (mail.subject !== '' && `${subject}\n${text}`.includes(mail.subject));

const names = ({ text, files }: Message, { name }: PlannedFile) =>
	letters([text, ...files].join(' ')).includes(core(name));

/** A document, with all mails that bring it and all that came of it. */
interface Case {
	file: PlannedFile;
	mails: PlannedMail[];
	messages: Message[];
	booked: Booked[];
	/** Whether something that came with it needs a person, so that it may go there too. */
	isAccompanied: boolean;
}

export function judge(
	mails: PlannedMail[],
	books: Booked[],
	{ rows, messages }: Counted,
	{ isDisturbed }: Circumstances,
): Verdict {
	const findings: Finding[] = [];
	const byHand: string[] = [];
	const told = new Map(mails.map((mail) => [mail, messages.filter((each) => isAbout(each, mail))]));
	const cases = casesOf(mails, books, told);
	const find = (name: FindingName, mail: PlannedMail | undefined, about: string) =>
		findings.push({ name, mail: mail?.from ?? '', about: `${mail?.title ?? ''}: ${about}` });

	for (const each of cases) {
		const { file, booked } = each;
		const [mail] = each.mails;
		const count = booked.flatMap(({ files }) =>
			files.filter((hash) => hash === file.sha256),
		).length;
		if (count > 1) find('doubled', mail, `${file.name}, ${count} times`);
		const policies = file.answer?.policies ?? [];
		const own = policies.map((policy) => ({ policy, rows: rowsOf(policy, rows) }));
		for (const { policy, rows: of } of own) {
			if (of.length > 1) find('repeated', mail, `${policy.policyNumber}, ${of.length} rows`);
			for (const row of of)
				for (const fault of faultsIn(row, policy, each)) find('wrong', mail, fault);
		}
		const missing = own.filter((one) => one.rows.length === 0).length;
		const together = cases.filter((other) => other.booked.some((entry) => booked.includes(entry)));
		const isWhole = together.every(({ file: other }) => !hasRow(other, rows));
		const named = each.messages.filter((message) => names(message, file));
		const isLeft =
			isDisturbed && named.some(({ text }) => BROKEN_OFF.test(text) && ADVICE.test(text));
		const outcome = outcomeOf(each, { named, missing, isWhole });
		if (outcome === undefined) continue;
		if (isLeft) byHand.push(`${mail?.from ?? ''}: ${file.name}`);
		else find(outcome, mail, file.name);
	}
	judgeMails(mails, { rows, told, cases }, find);
	const wanted = new Set(cases.flatMap(({ file }) => policiesOf(file)));
	for (const { json } of rows)
		if (!wanted.has(textOf(valueIn(json, 'policyNumber')))) {
			const mail = mails.find(({ from }) => textOf(json.from).includes(from));
			find('unflagged', mail, `a row ${JSON.stringify(json)}`);
		}
	return { ...figuresOf(mails, cases, findings), byHand, findings, delays: delaysOf(cases, rows) };
}

type Find = (name: FindingName, mail: PlannedMail | undefined, about: string) => void;

/** What is wrong with a document, apart from its rows. */
function outcomeOf(
	{ file, messages, booked, isAccompanied }: Case,
	{ named, missing, isWhole }: { named: Message[]; missing: number; isWhole: boolean },
): FindingName | undefined {
	const { doubt } = file;
	if (doubt !== undefined) {
		if (named.some(({ text }) => doubt.test(text))) return undefined;
		return messages.length > 0 ? 'wordless' : 'silent';
	}
	const isTold = named.length > 0;
	if (missing === 0)
		return isTold && !isAccompanied && !named.every(isOfSentOnes) ? 'needless' : undefined;
	// A person who gets all of an execution gets its clean documents too.
	if (isTold && isWhole) return isAccompanied ? undefined : 'needless';
	return booked.length === 0 ? 'unsent' : 'silent';
}

/** It says that the document came before, which a mail may bring again. */
const isOfSentOnes = ({ text }: Message) => /sent (?:before|with another)/.test(text);

/** What is wrong with mails as a whole. */
function judgeMails(
	mails: PlannedMail[],
	{ rows, told, cases }: { rows: Row[]; told: Map<PlannedMail, Message[]>; cases: Case[] },
	find: Find,
): void {
	for (const mail of mails) {
		const messages = told.get(mail) ?? [];
		const own = cases.filter((each) => each.mails.includes(mail));
		const isElsewhere = own.some((each) => each.mails.some((other) => other !== mail));
		const isOut = messages.length > 0 || own.some(({ file }) => hasRow(file, rows));
		if (!isOut && !isElsewhere) find('nowhere', mail, mail.subject);
		if (isOut && isWithoutDocument(mail) && !messages.some(({ text }) => /no document/i.test(text)))
			find('wordless', mail, mail.subject);
		for (const message of messages) {
			if (!message.subject.includes(mail.subject) || message.text.trim() === '')
				find('wordless', mail, `the mail to the team "${message.subject}"`);
		}
		const same = messages.filter(({ text }, index) =>
			messages.slice(0, index).some((other) => other.text === text),
		);
		if (same.length > 0) find('repeated', mail, `${same.length + 1} equal mails to the team`);
	}
}

/** Only a person knows what it wants. */
const isWithoutDocument = ({ files }: PlannedMail) => files.every(({ use }) => use === 'aside');

function casesOf(mails: PlannedMail[], books: Booked[], told: Map<PlannedMail, Message[]>): Case[] {
	const cases = new Map<string, Case>();
	for (const mail of mails)
		for (const file of mail.files.filter(({ use }) => use !== 'aside')) {
			// A file that is not sent belongs to its mail alone.
			const key = file.use === 'document' ? file.sha256 : `${mail.from} ${file.name}`;
			const booked = books.filter(({ files }) => files.includes(file.sha256));
			const each = cases.get(key) ?? {
				file,
				mails: [],
				messages: [],
				booked,
				isAccompanied: false,
			};
			if (!each.mails.includes(mail)) {
				each.mails.push(mail);
				each.messages.push(...(told.get(mail) ?? []));
				each.isAccompanied ||= mail.files.some((other) => other.doubt !== undefined);
			}
			cases.set(key, each);
		}
	return [...cases.values()];
}

const policiesOf = ({ answer }: PlannedFile) =>
	(answer?.policies ?? []).map(({ policyNumber }) => policyNumber);

const rowsOf = ({ policyNumber }: Policy, rows: Row[]) =>
	rows.filter(({ json }) => valueIn(json, 'policyNumber') === policyNumber);

const hasRow = ({ answer }: PlannedFile, rows: Row[]) =>
	(answer?.policies ?? []).some((policy) => rowsOf(policy, rows).length > 0);

function faultsIn({ json }: Row, policy: Policy, { mails }: Case): string[] {
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

function delaysOf(cases: Case[], rows: Row[]): number[] {
	return cases
		.flatMap(({ file, booked }) =>
			(file.answer?.policies ?? []).flatMap((policy) =>
				rowsOf(policy, rows).map(({ at }) => at - (booked[0]?.completesAt ?? at)),
			),
		)
		.sort((one, other) => one - other);
}
