import { FINDINGS, judge, type FindingName } from '../../mailroom/judge';
import { mailbag } from '../../mailroom/mails';
import type { Booked, Message, PlannedFile, PlannedMail, Row } from '../../mailroom/plan';

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
			message('text', 'The mail has no document'),
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

describe('The judge of the mailroom', () => {
	it('finds nothing where each mail came out once, and counts', () => {
		expect(verdictOn(() => undefined)).toEqual({
			...{ mails: 5, right: 5, documents: 5, sentOnce: 5, doubtful: 3, flagged: 3 },
			...{ byHand: [], findings: [], delays: [3, 3, 3, 3] },
		});
	});

	const damages: Array<[FindingName, string, (scene: Scene) => unknown]> = [
		[
			'nowhere',
			'a mail without document is told to nobody',
			({ messages }) => messages.splice(1, 1),
		],
		[
			'nowhere',
			'a row is lost, and with it the only trace of its mail',
			({ rows, mails }) => [rows.shift(), mails.pop()],
		],
		['silent', 'one row of a mail is lost', ({ rows }) => rows.splice(1, 1)],
		['silent', 'the reason of a doubtful document is lost', ({ messages }) => messages.shift()],
		[
			'doubled',
			'a document is sent again',
			({ books }) => books.push({ ...books[0]!, executionId: 'e9' }),
		],
		[
			'doubled',
			'a document is twice in an execution',
			({ books }) => books[2]?.files.push('hash P4'),
		],
		[
			'unsent',
			'a document is not sent',
			({ books, rows, mails }) => [books.shift(), rows.shift(), mails.pop()],
		],
		['repeated', 'a row comes twice', ({ rows }) => rows.push(rows[0]!)],
		['repeated', 'the team is told twice', ({ messages }) => messages.push(messages[1]!)],
		[
			'wrong',
			'a premium is a text',
			({ rows }) => Object.assign(rows[0]!.json, { totalPremium: '$100' }),
		],
		[
			'wrong',
			'a row is filed under another mail',
			({ rows }) => Object.assign(rows[0]!.json, { from: 'three@example.com' }),
		],
		[
			'unflagged',
			'a doubtful row is used',
			({ rows }) =>
				rows.push({ at: 5, json: { ...rows[1]!.json, policyNumber: '', executionId: 'e2' } }),
		],
		[
			'wordless',
			'the reason is not said',
			({ messages }) => Object.assign(messages[0]!, { text: 'three@example.com' }),
		],
		[
			'wordless',
			'the file is not named',
			({ messages }) => Object.assign(messages[0]!, { files: [] }),
		],
		[
			'wordless',
			'the subject is not said',
			({ messages }) => Object.assign(messages[2]!, { subject: 'Please check' }),
		],
		[
			'wordless',
			'the reason of a mail without document is not said',
			({ messages }) => Object.assign(messages[1]!, { text: 'text@example.com' }),
		],
		[
			'needless',
			'a clean document is told beside its row',
			(all) => told(all, 'clean', 'to check', 'P1.pdf'),
		],
		[
			'needless',
			'a clean document goes to a person',
			(all) => [all.rows.shift(), told(all, 'clean', LEFT, 'P1.pdf')],
		],
	];

	it.each(damages)('finds "%s" where %s', (name, _, damage) => {
		const { findings, right } = verdictOn(damage);
		expect([...new Set(findings.map((each) => each.name))]).toContain(name);
		expect(right).toBeLessThan(5);
	});

	it('has a damage for each of its findings', () => {
		expect(new Set(damages.map(([name]) => name))).toEqual(new Set(Object.keys(FINDINGS)));
	});

	it('lets a disturbed pass leave a document to a person who is told what to do, and no other', () => {
		const leave = (text: string) => (all: Scene) => [all.rows.shift(), told(all, 'clean', text)];
		expect(verdictOn(leave(LEFT), true)).toMatchObject({
			byHand: [{ name: 'P1.pdf' }],
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
		const plan = ({ deliveries }: typeof one) =>
			deliveries.map(({ mail: { subject, files } }) => [subject, files]);
		expect(plan(one).length).toBeGreaterThanOrEqual(100);
		expect(plan(one).length).toBe(plan(other).length);
		expect(JSON.stringify(plan(same).map(([subject]) => subject))).toBe(
			JSON.stringify(plan(one).map(([subject]) => subject)),
		);
		expect(plan(other)).not.toEqual(plan(one));
	});
});
