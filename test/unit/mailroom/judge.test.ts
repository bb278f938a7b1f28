import {
	FINDINGS,
	judge,
	type FindingName,
	type Booked,
	type PlannedFile,
	type PlannedMail,
} from '../../mailroom/judge';
import { mailbag } from '../../mailroom/mails';
import type { Message, Row } from '../../e2e/counter';

const policyOf = (number: string) => ({
	...{ policyNumber: number, namedInsured: `Insured ${number}`, totalPremium: 100 },
});
const document = (name: string, doubt?: RegExp): PlannedFile => ({
	...{ name: `${name}.pdf`, sha256: `hash ${name}`, use: 'document' },
	answer: { seconds: 1, steps: {}, policies: doubt ? [] : [policyOf(name)] },
	...(doubt && { doubt }),
});
const mail = (name: string, ...files: PlannedFile[]): PlannedMail => ({
	...{ from: `${name}@example.com`, subject: `About ${name}`, title: name, files, copies: 1 },
});
const empty: PlannedFile = { name: 'empty.pdf', sha256: '', use: 'unusable', doubt: /is empty/ };

/** All as it should be, to be damaged. */
function scene() {
	const mails = [
		mail('clean', document('P1')),
		mail('three', document('P2'), document('P3'), document('D3', /premium/)),
		mail('text'),
		mail('partly', document('P4'), empty),
		mail('again', document('P1')),
	];
	const row = (from: string, number: string): Row => {
		const json = { from: `${from}@example.com`, subject: `About ${from}`, ...policyOf(number) };
		return { at: 5, json };
	};
	const message = (from: string, text: string, ...files: string[]): Message => ({
		...{
			subject: `Please check: About ${from}`,
			text: `From: ${from}@example.com\n${text}`,
			files,
		},
	});
	const booked = (executionId: string, ...names: string[]): Booked => ({
		...{ executionId, completesAt: 2, files: names.map((name) => `hash ${name}`) },
	});
	return {
		mails,
		books: [booked('e1', 'P1'), booked('e2', 'P2', 'P3', 'D3'), booked('e3', 'P4')],
		rows: [row('clean', 'P1'), row('three', 'P2'), row('three', 'P3'), row('partly', 'P4')],
		messages: [
			message('three', 'total premium: See attached', 'P2.pdf', 'P3.pdf', 'D3.pdf'),
			message('text', 'Nothing was sent: there is no document'),
			message('partly', 'empty.pdf is empty', 'P4.pdf'),
		],
	};
}
type Scene = ReturnType<typeof scene>;

const LEFT = 'P1.pdf: the outcome is unknown. Search for it in the service, and send it again';

function verdictOn(damage: (scene: Scene) => unknown, isDisturbed = false) {
	const all = scene();
	damage(all);
	return judge(all.mails, all.books, all, { isDisturbed });
}

const told = ({ messages }: Scene, from: string, text: string, ...files: string[]) =>
	messages.push({
		subject: `Please check: About ${from}`,
		text: `${from}@example.com ${text}`,
		files,
	});

const change = (one: object | undefined, other: object) => Object.assign(one ?? {}, other);
const doubtful = (executionId: string): Row => ({
	...{ at: 5, json: { policyNumber: '', executionId, from: 'three@example.com' } },
});

describe('The judge of the mailroom', () => {
	it('finds nothing where each mail came out once, and counts', () => {
		expect(verdictOn(() => undefined)).toEqual({
			...{ mails: 5, right: 5, documents: 5, sentOnce: 5, doubtful: 3, flagged: 3 },
			...{ byHand: [], findings: [], delays: [3, 3, 3, 3] },
		});
	});

	const damages: Record<string, [FindingName, (scene: Scene) => unknown]> = {
		'nobody gets a message about a mail without document': [
			'nowhere',
			({ messages }) => messages.splice(1, 1),
		],
		'the only trace of a mail is lost': ['nowhere', (all) => [all.rows.shift(), all.mails.pop()]],
		'one row of a mail is lost': ['silent', ({ rows }) => rows.splice(1, 1)],
		'a reason is lost': ['silent', ({ messages }) => messages.shift()],
		'a document is sent again': ['doubled', ({ books }) => books.push({ ...books[0]! })],
		'a document is sent twice at once': ['doubled', ({ books }) => books[2]?.files.push('hash P4')],
		'a document is not sent': ['unsent', (all) => [all.books.shift(), all.rows.shift()]],
		'a row comes twice': ['repeated', ({ rows }) => rows.push(rows[0]!)],
		'the team is told twice': ['repeated', ({ messages }) => messages.push(messages[1]!)],
		'a premium is a text': ['wrong', (all) => change(all.rows[0]?.json, { totalPremium: '$100' })],
		'a row has another mail': ['wrong', (all) => change(all.rows[0]?.json, { from: 'three' })],
		'a doubtful row is used': ['unflagged', ({ rows }) => rows.push(doubtful('e2'))],
		'a row of nothing comes': ['unflagged', ({ rows }) => rows.push(doubtful('e9'))],
		'the reason is not said': [
			'wordless',
			(all) => change(all.messages[0], { text: 'three@example.com' }),
		],
		'the file is not named': ['wordless', (all) => change(all.messages[0], { files: [] })],
		'the subject is not said': ['wordless', (all) => change(all.messages[2], { subject: '' })],
		'it is not said that there is none': [
			'wordless',
			(all) => change(all.messages[1], { text: 'text@example.com' }),
		],
		'a clean document is told, too': ['needless', (all) => told(all, 'clean', 'check', 'P1.pdf')],
		'a clean document is told only': [
			'needless',
			(all) => [all.rows.shift(), told(all, 'clean', LEFT)],
		],
	};

	it.each(Object.entries(damages))('sees it when %s', (_, [name, damage]) => {
		const { findings, right } = verdictOn(damage);
		expect(findings.map((each) => each.name)).toContain(name);
		expect(right).toBeLessThan(name === 'unflagged' ? 6 : 5);
	});

	it('has a damage for each of its findings', () => {
		const names = Object.values(damages).map(([name]) => name);
		expect(new Set(names)).toEqual(new Set(Object.keys(FINDINGS)));
	});

	it('lets a disturbed pass leave a document to a person if a message says what to do, and no other', () => {
		const leave = (text: string) => (all: Scene) => [all.rows.shift(), told(all, 'clean', text)];
		expect(verdictOn(leave(LEFT), true)).toMatchObject({
			byHand: [{ file: { name: 'P1.pdf' } }],
			right: 5,
		});
		expect(verdictOn(leave('P1.pdf: status 503'), true)).toMatchObject({ byHand: [], right: 4 });
	});

	it('allows that a document that came before is told with this reason', () => {
		expect(verdictOn((all) => told(all, 'again', 'P1.pdf: it was sent before')).findings).toEqual(
			[],
		);
	});

	it('gets the same hundred mails or more for the same seed', async () => {
		const [one, same, other] = [await mailbag(7), await mailbag(7), await mailbag(8)];
		const subjects = ({ deliveries }: typeof one) => deliveries.map((each) => each.mail.subject);
		expect(subjects(one).length).toBeGreaterThanOrEqual(100);
		expect(subjects(same)).toEqual(subjects(one));
		expect(subjects(other)).not.toEqual(subjects(one));
	});
});
