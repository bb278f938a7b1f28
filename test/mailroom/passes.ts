/** One pass: the mails arrive, something goes wrong or not, and at the end what came out is judged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../simulator/state/faults';
import { between, numbersFor } from '../chaos/plan';
import { until, type World } from '../e2e/support';
import { judge, type Verdict, type PlannedMail } from './judge';
import type { Mailbag } from './mails';
import { openOffice, booksOf, type Office } from './office';

export const PASSES = ['calm', 'faults', 'kill'] as const;
export type PassName = (typeof PASSES)[number];

export interface PassOptions {
	seed: number;
	/** How long a planned second takes, in seconds. */
	scale: number;
	report: (sentence: string) => void;
}

export interface Passed extends Verdict {
	pass: PassName;
	seconds: number;
	/** n8n executions by their status, with its error. */
	executions: Map<string, number>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const KILLS = 3;
const OPEN = ['waiting', 'running', 'new'];
/** The trigger needs up to 15 seconds to see a mail. */
const TRIGGER = 20 * SECOND;
/** So long nothing happens any more. */
const QUIET = 15 * SECOND;
const PATIENCE = 30 * MINUTE;

export async function runPass(
	world: World,
	mailbag: Mailbag,
	pass: PassName,
	{ seed, scale, report }: PassOptions,
): Promise<Passed> {
	const begin = Date.now();
	const office = await openOffice(world, mailbag, { scale, isKilled: pass === 'kill' });
	const pause = pass === 'kill' ? 24 : 8;
	const say = (sentence: string) =>
		report(`${pass}, ${((Date.now() - begin) / SECOND).toFixed(0)} s: ${sentence}`);
	try {
		await Promise.all([
			deliver(office, mailbag, { random: numbersFor(seed, 'arrivals'), pause }),
			pass === 'calm' ? undefined : disturb(office, numbersFor(seed, 'faults'), say),
			pass === 'kill' ? kill(world, numbersFor(seed, 'kills'), say) : undefined,
		]);
		await untilQuiet(world, office, say);
		const isDisturbed = pass !== 'calm';
		const judged = (mails: PlannedMail[], isDone: boolean) =>
			judge(mails, booksOf(office.service), office.counter.counted(), { isDisturbed, isDone });
		let mails = mailbag.deliveries.map(({ mail }) => mail);
		if (isDisturbed) {
			mails = await sendAgain(office, mailbag, judged(mails, false));
			await untilQuiet(world, office, say);
		}
		const verdict = judged(mails, true);
		const executions = await statusesOf(world, office.workflowIds.at(-1));
		return { ...verdict, pass, executions, seconds: (Date.now() - begin) / SECOND };
	} finally {
		await office.stop();
	}
}

/** Some mails at once, then none for at most so many seconds. */
async function deliver(
	{ mailbox }: Office,
	{ deliveries }: Mailbag,
	{ random, pause }: { random: () => number; pause: number },
): Promise<void> {
	const all = deliveries.flatMap(({ bytes, mail }) => Array<Buffer>(mail.copies).fill(bytes));
	while (all.length > 0) {
		for (const mail of all.splice(0, between(random, 1, 12))) mailbox.deliver(mail);
		await sleep(between(random, 0, pause * SECOND));
	}
}

/** A message says that a document may not have been sent: the person forwards the mail if the service does not have it. */
async function sendAgain(
	{ mailbox, service }: Office,
	{ deliveries }: Mailbag,
	{ byHand }: Verdict,
): Promise<PlannedMail[]> {
	const sent = new Set(booksOf(service).flatMap(({ files }) => files));
	const unsent = byHand.map(({ file }) => file).filter(({ sha256 }) => !sent.has(sha256));
	const mails = deliveries.map(({ mail, bytes }) => {
		if (!mail.files.some((file) => unsent.includes(file))) return mail;
		mailbox.deliver(bytes);
		return { ...mail, copies: mail.copies + 1 };
	});
	await sleep(unsent.length > 0 ? TRIGGER : 0);
	return mails;
}

/** A minute of 503, a 429 for each kind of request, and tokens that are revoked twice. */
async function disturb(
	{ service: { state } }: Office,
	random: () => number,
	say: (sentence: string) => void,
): Promise<void> {
	const status = (code: number, retryAfter?: number): Fault['action'] => ({
		...{ type: 'status', status: code, retryAfter },
	});
	const busy = status(429, 3);
	for (const route of ['token', 'create', 'get'] as const)
		state.faults.add({ route, requests: { from: 2, to: 3 }, action: busy });
	await sleep(between(random, 5, 25) * SECOND);
	state.tokens.revokeAll();
	await sleep(between(random, 1, 5) * SECOND);
	say('the service answers with 503 for a minute');
	const { faultId } = state.faults.add({ route: 'any', action: status(503) });
	await sleep(MINUTE);
	state.faults.clear(faultId);
	say('the service answers again');
	await sleep(between(random, 1, 10) * SECOND);
	state.tokens.revokeAll();
}

async function kill({ n8n, client }: World, random: () => number, say: (sentence: string) => void) {
	for (let count = 1; count <= KILLS; count++) {
		await sleep(between(random, 8, 60) * SECOND);
		say(`n8n is killed for the ${count}. time`);
		await n8n.main.end('SIGKILL');
		await n8n.main.start();
		await until(async () => client.executionIds('none').then(Boolean, () => false), MINUTE);
	}
}

async function untilQuiet(
	{ client }: World,
	{ mailbox, workflowIds, counter }: Office,
	say: (sentence: string) => void,
): Promise<void> {
	const state = async () => {
		const open = await Promise.all(
			workflowIds.flatMap((id) => OPEN.map((each) => client.countExecutions(id, each))),
		);
		const { rows, messages } = counter.counted();
		const busy = open.reduce((sum, count) => sum + count, mailbox.unread());
		return { busy, out: rows.length + messages.length, unread: mailbox.unread() };
	};
	const deadline = Date.now() + PATIENCE;
	let since = Date.now();
	for (let before = -1; Date.now() - since < QUIET && Date.now() < deadline;) {
		const { busy, out, unread } = await state();
		if (out !== before) say(`${out} are out, ${unread} mails are unread, ${busy} to do`);
		if (busy > 0 || out !== before) since = Date.now();
		before = out;
		await sleep(5 * SECOND);
	}
}

/** Of the workflow that reads the mails. */
async function statusesOf({ client }: World, workflowId = ''): Promise<Passed['executions']> {
	const counts = new Map<string, number>();
	for (const id of await client.executionIds(workflowId)) {
		const { status, error } = await client.execution(id);
		const name = error === undefined ? status : `${status}: ${error.message}`;
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return counts;
}
