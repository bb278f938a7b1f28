import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { Lane } from '../../../service/pace';
import { RESUME_PATH, resumeUrlOf } from '../pausing/leadBack';
import { NOT_NOW } from '../pausing/resume';
import { isOver, keyOf } from '../pausing/seen';
import type { Sealer } from '../pausing/reference';
import { openReference } from '../pausing/reference';

/** `told`: the paused n8n execution knows. `nobody`: there is none that waits here. `later`: it could not be told yet. */
export type Waking = 'told' | 'nobody' | 'later';

/** How long an n8n execution that runs is told again: its pause may be about to be stored. */
const LONGEST_MILLISECONDS = 120_000;

/** After this time the service is asked to come again; telling goes on meanwhile. */
const ANSWER_WITHIN_MILLISECONDS = 10_000;

const TIMEOUT_MILLISECONDS = 60_000;

/** Each costs n8n as much as a call from outside: with all of a burst at once it would come to nothing else. */
const MOST_TOLD_AT_ONCE = 4;

/** With more than this under way the service is asked to come again at once: for each call that is kept waiting n8n keeps a place for its expressions. */
const MOST_KEPT_WAITING = 25;

/** For so long it is known who was told. */
const KNOWN_MILLISECONDS = 60_000;

interface Telling {
	outcome: Promise<Waking>;
	/** When it was over, in milliseconds since 1970. */
	overAt?: number;
}

const lane = new Lane(MOST_TOLD_AT_ONCE);

/** What is under way, and what was told lately, so that a call that comes again joins the first. */
const tellings = new Map<string, Telling>();

/** Tells the n8n execution that waits for an execution of the service, if its reference leads to this n8n; all else is refused and logged. */
export async function wake(
	context: IWebhookFunctions,
	execution: Execution,
	sealer: Sealer,
): Promise<Waking> {
	const { reference = '', workflowId, executionId } = execution;
	const opened = openReference(reference, workflowId, Date.now(), sealer);
	const refuse = (reason: string): Waking => {
		context.logger.warn(
			`Execution ${executionId} of workflow ${workflowId} wakes nothing: ${reason}`,
		);
		return 'nobody';
	};
	if (!opened.ok) return refuse(`its reference cannot be opened, because ${opened.reason}`);
	if (!isOwn(context, opened.resumeUrl)) return refuse('its reference does not lead to this n8n');
	const key = createHash('sha256')
		.update(`${opened.resumeUrl} ${keyOf(execution)}`)
		.digest('base64url');
	const isCrowded = forgetOld() > MOST_KEPT_WAITING;
	const { outcome } =
		tellings.get(key) ??
		begin(key, async () => tellUntilHeard(context, opened.resumeUrl, execution));
	return Promise.race([
		outcome,
		sleep(isCrowded ? 0 : ANSWER_WITHIN_MILLISECONDS).then((): Waking => 'later'),
	]);
}

function begin(key: string, tellIt: () => Promise<Waking>): Telling {
	const outcome = tellIt();
	const telling: Telling = { outcome };
	tellings.set(key, telling);
	void outcome.then((waking) => {
		telling.overAt = Date.now();
		if (waking !== 'told') tellings.delete(key);
	});
	return telling;
}

/** Gives how many are still under way. */
function forgetOld(): number {
	const oldest = Date.now() - KNOWN_MILLISECONDS;
	let underWay = 0;
	for (const [key, { overAt }] of tellings) {
		if (overAt === undefined) underWay++;
		else if (overAt <= oldest) tellings.delete(key);
	}
	return underWay;
}

/** Whether an address is where executions of this n8n are told to go on. */
function isOwn(context: IWebhookFunctions, resumeUrl: string): boolean {
	const own = ownBase(context);
	if (own === undefined || !URL.canParse(resumeUrl)) return false;
	const given = new URL(resumeUrl);
	const [, givenPath] = new RegExp(`^(.*/)[^/]+/${RESUME_PATH}$`).exec(given.pathname) ?? [];
	return given.origin + givenPath === own && given.username === '' && given.password === '';
}

let knownBase: string | undefined;

/** What the addresses of this n8n's waiting executions begin with. Asked for once: for each expression n8n may make a place of its own, which takes it 60 ms. */
function ownBase(context: IWebhookFunctions): string | undefined {
	if (knownBase !== undefined) return knownBase;
	const url = resumeUrlOf(context);
	if (!URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	return (knownBase = origin + pathname.replace(/[^/]*$/, ''));
}

async function tellUntilHeard(
	context: IWebhookFunctions,
	resumeUrl: string,
	execution: Execution,
): Promise<Waking> {
	const deadline = Date.now() + LONGEST_MILLISECONDS;
	for (let pause = 250; ; pause = Math.min(2 * pause, 5_000)) {
		const answer = await lane.run(async () => tell(context, resumeUrl, execution));
		if (answer !== 'running') return answer;
		if (Date.now() + pause > deadline) return 'nobody';
		await sleep(pause);
	}
}

/**
 * The pause says itself that it was told. n8n refuses an n8n execution that runs with 409, and so one that has ended; only its words tell
 * them apart. Whatever else answers, such as a proxy, or n8n while it starts, is neither.
 */
async function tell(
	context: IWebhookFunctions,
	url: string,
	execution: Execution,
): Promise<Waking | 'running'> {
	const { workflowId, executionId } = execution;
	const { statusCode, body } = await post(context, url, { workflowId, executionId });
	if (statusCode === 200 && typeof body.waiting === 'boolean') return 'told';
	const words = [body.message, body.error].find((text) => typeof text === 'string') ?? '';
	const isOfN8n = WORDS_OF_N8N[statusCode]?.test(words) ?? false;
	if (isOfN8n && words.includes('is running')) return isOver(execution) ? 'told' : 'running';
	const about = `execution ${executionId} of workflow ${workflowId}`;
	if (isOfN8n) {
		context.logger.info(`Nothing waits for ${about} any more (status ${statusCode})`);
		return 'nobody';
	}
	context.logger.warn(
		`What waits for ${about} could not be told: ${whyNotTold(statusCode, words)}`,
	);
	return 'later';
}

/** What others answer may show the address, and so is not repeated. */
function whyNotTold(statusCode: number, words: string): string {
	if (Object.values(NOT_NOW).includes(words)) return words;
	return `its own address, which WEBHOOK_URL sets, ${statusCode === 0 ? 'cannot be reached' : `answers with status ${statusCode}`}`;
}

/** By status. */
const WORDS_OF_N8N: Record<number, RegExp> = {
	401: /^Invalid token$/,
	404: /\bexecution\b|^Could not find node/,
	409: /\bexecution\b/,
};

/** Status 0 where nothing answered. */
async function post(
	context: IWebhookFunctions,
	url: string,
	body: Record<string, string>,
): Promise<{ statusCode: number; body: Record<string, unknown> }> {
	try {
		const reply: unknown = await context.helpers.httpRequest({
			method: 'POST',
			url,
			body,
			json: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: TIMEOUT_MILLISECONDS,
		});
		if (isRecord(reply) && typeof reply.statusCode === 'number')
			return { statusCode: reply.statusCode, body: isRecord(reply.body) ? reply.body : {} };
	} catch {
		// What n8n says of a failed request may show the address.
	}
	return { statusCode: 0, body: {} };
}
