import { setTimeout as sleep } from 'node:timers/promises';
import { startMailServer, type MailServer } from '../../../harness/mail-server';
import { output, type Execution, type Item } from '../../../harness/n8n-execution';
import { png } from '../../fixtures/images';
import { importMailbox } from '../mailbox';
import {
	arrivalOf,
	attachment,
	compose,
	forwarded,
	HTML,
	inline,
	LOGO,
	namedInHeader,
	PHOTO,
	sample,
	type Attached,
} from '../mails';
import type { World } from '../support';
import { POLICY } from '../templateRuns';

const ARRIVAL_TIMEOUT = 180_000; // milliseconds; the IMAP trigger of n8n 2 may need 15 seconds
const TRIGGER = 'Watch the Mailbox';
const NODE = 'Read the Attachments';
const NEXT = 'Use the Data';
const REVIEW = 'Tell the Team';

const DECLARATIONS = attachment(
	'declarations-page.pdf',
	'application/pdf',
	sample('declarations-page.pdf'),
);
/** The same document with other bytes, because a document that was sent before is skipped. */
const again = ({ name, mediaType, content }: Attached): Attached =>
	attachment(name, mediaType, Buffer.concat([content, Buffer.from(`\n% ${copies++}`)]));
let copies = 1;
const LOSS_RUN = attachment('loss-run.pdf', 'application/pdf', sample('loss-run.pdf'));
const EMPTY = attachment('empty.pdf', 'application/pdf', '');
const NESTED = [DECLARATIONS, LOSS_RUN].map(again);
const CERTAIN = attachment('policy.txt', 'text/plain', POLICY);
const STAMPS = [
	inline('stamp.png', 'image/png', png(90, 90)),
	attachment('image001.png', 'image/png', png(180, 60)),
];

/** Behind the photo in the text, in the order of the mail. */
const ATTACHED = async (): Promise<Attached[]> => [
	DECLARATIONS,
	attachment(
		'Schadenmeldung Müller & Söhne, Straße-der-Einheit-5-Obergeschoss-links.txt',
		'text/plain',
		'Wasser im Keller',
	),
	namedInHeader(
		'Überschwemmung Keller.txt',
		'=?UTF-8?B?w5xiZXJzY2h3ZW1tdW5nIEtlbGxlci50eHQ=?=',
		'text/plain',
		'Keller',
	),
	namedInHeader(
		'Kostenvoranschlag für das Dach.txt',
		'=?ISO-8859-1?Q?Kostenvoranschlag_f=FCr?= =?ISO-8859-1?Q?_das_Dach.txt?=',
		'text/plain',
		'Dach',
	),
	namedInHeader('Rechnung März.pdf', 'Rechnung März.pdf', 'application/pdf', sample('invoice.pdf')),
	attachment('見積書.pdf', 'application/pdf', LOSS_RUN.content),
	forwarded(
		'Forwarded.eml',
		await compose('Estimate', [
			attachment('invoice.pdf', 'application/pdf', sample('invoice.pdf')),
		]),
	),
	attachment('roof.png', 'image/png', png(1200, 900, { noise: true })),
	attachment('stamp.png', 'image/png', png(120, 60)),
	attachment('claim-note.txt', 'text/plain', sample('claim-note.txt')),
];

/** The files of a mail in n8n, what the node returned for it, and where that went. */
interface Handled {
	fieldNames: string[];
	sent: Array<Record<string, unknown>>;
	used: Array<Record<string, unknown>>;
	/** The mails to the team. */
	told: Array<Record<string, unknown>>;
}

/** The input item of an item. */
const indexOf = ({ pairedItem }: Item): unknown =>
	[pairedItem].flat().map((each) => (each as { item?: number } | undefined)?.item)[0];

/** The items that a node returned; none if it did not run. */
const returned = (execution: Execution, name: string): Item[] =>
	name in execution.runs ? output(execution, name) : [];

/** The example "IMAP mailbox" as a user imports it, with mails that arrive at a real mail server. */
export function mailSpec(world: () => World): void {
	describe('the example "IMAP mailbox"', () => {
		let server: MailServer;
		let workflowId: string;
		let wanted: Attached[];
		let started: number;
		const handled = new Map<string, Handled>();

		beforeAll(async () => {
			server = await startMailServer();
			workflowId = await importMailbox(world(), server);
			await world().client.activate(workflowId);
			const attached = await ATTACHED();
			wanted = [PHOTO, ...attached];
			const nested = await compose('Policy', [LOGO, ...NESTED], HTML);
			const before = world().simulator.state.executions.all().length;
			const executions = await receive([
				await compose('Schäden am Dach', [LOGO, PHOTO, EMPTY, ...attached], HTML),
				await compose('Fwd: Policy', [forwarded('', nested, 'inline')]),
				await compose('Renewal', [CERTAIN]),
				await compose('Stamps', STAMPS),
				await compose('Thank you', [LOGO], HTML),
				await compose('See you tomorrow', []),
			]);
			started = world().simulator.state.executions.all().length - before;
			for (const each of executions) remember(each);
		});
		afterAll(async () => {
			if (workflowId) await world().client.deactivate(workflowId);
			await server.stop();
		});

		/** Delivers mails; returns the n8n executions that they start, once they have ended. */
		async function receive(mails: Buffer[]): Promise<Execution[]> {
			const { client } = world();
			const before = await client.executionIds(workflowId);
			for (const mail of mails) server.deliver(mail);
			const deadline = Date.now() + ARRIVAL_TIMEOUT;
			for (;;) {
				const ids = (await client.executionIds(workflowId)).filter((id) => !before.includes(id));
				const ended = await Promise.all(ids.map(async (id) => client.waitForExecution(id)));
				const arrived = ended.flatMap((execution) => output(execution, TRIGGER)).length;
				if (arrived >= mails.length) return ended;
				if (Date.now() > deadline)
					throw new Error(`n8n took ${arrived} of ${mails.length} mails.\n${lastLines()}`);
				await sleep(200);
			}
		}

		/** The last log lines of the mail server and of n8n's IMAP node. */
		function lastLines(): string {
			const ofNode = world()
				.n8n.log()
				.split('\n')
				.filter((line) => /imap/i.test(line));
			return [...server.log().split('\n').slice(-10), ...ofNode.slice(-10)].join('\n');
		}

		function remember(execution: Execution): void {
			expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
			const jsonOf = (name: string, isOwn: (item: Item) => boolean) =>
				returned(execution, name)
					.filter(isOwn)
					.map(({ json }) => json);
			output(execution, TRIGGER).forEach(({ json: { subject }, binary }, index) => {
				expect(handled.has(String(subject))).toBe(false);
				const title = `Please check: ${String(subject)}`;
				handled.set(String(subject), {
					fieldNames: Object.keys(binary ?? {}),
					sent: jsonOf(NODE, (item) => indexOf(item) === index),
					used: jsonOf(NEXT, ({ json }) => json.subject === subject),
					told: jsonOf(REVIEW, ({ json }) => json.subject === title),
				});
			});
		}

		const of = (subject: string): Handled => {
			const found = handled.get(subject);
			if (!found) throw new Error(`The mail "${subject}" did not arrive.`);
			return found;
		};
		/** The files of a mail that the service received, without the names of their fields. */
		const arrived = (subject: string) => {
			const { executions } = world().simulator.state;
			return of(subject)
				.sent.flatMap(({ executionId }) => executions.find(String(executionId))?.files ?? [])
				.map(({ fileName, mediaType, bytes, sha256 }) => ({ fileName, mediaType, bytes, sha256 }));
		};

		it('starts one execution for each document', () => {
			expect([...handled.keys()].sort()).toEqual([
				'Fwd: Policy',
				'Renewal',
				'Schäden am Dach',
				'See you tomorrow',
				'Stamps',
				'Thank you',
			]);
			const documents = [...wanted, ...NESTED, CERTAIN, ...STAMPS];
			expect(started).toBe(documents.length);
		});

		it('sends each attachment in the order of the mail, byte for byte, however its name is encoded', () => {
			expect(of('Schäden am Dach').fieldNames).toEqual(
				Array.from({ length: 13 }, (_, index) => `attachment_${index}`),
			);
			expect(arrived('Schäden am Dach')).toEqual(wanted.map(arrivalOf));
			const names = of('Schäden am Dach').sent.map(({ fileName }) => fileName);
			expect(names).toEqual(expect.arrayContaining(wanted.map(({ name }) => name)));
		});

		it('tells the team of the empty file, and of no logo', () => {
			const told = of('Schäden am Dach').told.map(({ text }) => String(text));
			expect(told.filter((text) => text.includes('empty.pdf'))).toEqual([
				expect.stringMatching(/empty\.pdf \(it is empty\)\n\nWhat to do: open the mail\./),
			]);
			expect(told.join()).not.toContain('image001.png');
		});

		it('returns certain data beside sender and subject of the mail, and tells the team nothing', () => {
			const { sent, used, told } = of('Renewal');
			expect(told).toEqual([]);
			expect(used).toEqual([
				{
					from: '"Erika Müller" <erika@example.com>',
					subject: 'Renewal',
					policy_number: 'EMC-CP-1050117-26',
					named_insured: '=Sample Bakery LLC',
					effective_date: '2026-04-01',
					expiration_date: '2027-04-01',
					total_premium: 7415,
					fileName: 'policy.txt',
					executionId: sent[0]?.executionId,
				},
			]);
		});

		it('tells the team which values to check in which document, what to do, and sends it along', () => {
			const { sent, used, told } = of('Schäden am Dach');
			expect(used).toEqual([]);
			const about = told.find(({ text }) => String(text).includes('File: declarations-page.pdf'));
			expect(about).toMatchObject({
				toEmail: 'team@example.com',
				text: expect.stringMatching(
					/^From: "Erika Müller".*\nDate: [-\d]{10} [:\d]{5}\nFile: .*\n\nCheck: .*underwriter \(no value\).*\n\nWhat to do: compare /,
				),
				'options.attachments': 'attachment_3',
			});
			const { executionId } =
				sent.find(({ fileName }) => fileName === 'declarations-page.pdf') ?? {};
			expect(about?.text).toContain(`Execution: ${String(executionId)}`);
			expect(about?.text).toContain('\npolicy_number: EMC-CP-1048823-26\n');
		});

		it('sends the attachments of a mail that is forwarded inline, without its logo', () => {
			expect(arrived('Fwd: Policy')).toEqual(NESTED.map(arrivalOf));
		});

		it('sends small images that the text does not show', () => {
			expect(arrived('Stamps')).toEqual(STAMPS.map(arrivalOf));
		});

		it('starts no execution for a mail with only a logo or without attachments, and tells the team', () => {
			for (const [subject, reason] of [
				['Thank you', 'Nothing was sent: image001.png (it is an inline image of the mail)'],
				['See you tomorrow', 'Nothing was sent: there is no document'],
			] as const) {
				const { sent, used, told } = of(subject);
				expect(sent).toMatchObject([{ needsReview: true, row: null, executionId: null }]);
				expect(used).toEqual([]);
				expect(told).toMatchObject([{ text: expect.stringContaining(reason) }]);
				expect(told[0]?.text).toContain('What to do: open the mail. If it has a document that');
			}
		});

		it('tells the team of a rejected mail with its files, continues with the other, and sends nothing again', async () => {
			world().simulator.state.faults.add({
				route: 'create',
				times: 1,
				action: { type: 'status', status: 400 },
			});
			const mails = await Promise.all(
				['First', 'Second'].map(async (name) => {
					const policy = POLICY.replace('EMC-CP-1050117-26', name);
					return compose(name, [attachment(`${name}.txt`, 'text/plain', policy)]);
				}),
			);
			const executions = await receive([...mails, await compose('The renewal again', [CERTAIN])]);
			const nothing = executions
				.flatMap((each) => returned(each, NODE))
				.filter(({ json }) => json.row === null && json.needsReview === false);
			expect(nothing.map(({ json }) => json.toReview)).toEqual([
				'Nothing was sent: policy.txt (it was sent before)',
			]);
			const [told, ...otherMails] = executions.flatMap((each) => returned(each, REVIEW));
			const [used, ...otherItems] = executions.flatMap((each) => returned(each, NEXT));
			expect([...otherMails, ...otherItems]).toEqual([]);
			const [file] = Object.values(told?.binary ?? {});
			expect(told?.json.text).toMatch(/The workflow rejected[^]*What to do: open the mail\./);
			expect([file?.fileName, used?.json.fileName].sort()).toEqual(['First.txt', 'Second.txt']);
		});
	});
}
