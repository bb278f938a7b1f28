import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { RESUME_PATH, resumeUrlOf } from '../pausing/leadBack';
import type { Sealer } from '../pausing/reference';
import { openReference } from '../pausing/reference';

/** `told`: the paused n8n execution knows. `nobody`: there is none that waits here. `later`: it could not be told yet. */
export type Waking = 'told' | 'nobody' | 'later';

/** How long an n8n execution that runs is told again: its pause may be about to be stored. */
const LONGEST_MILLISECONDS = 120_000;

/** After this time the service is asked to come again; telling goes on meanwhile. */
const ANSWER_WITHIN_MILLISECONDS = 10_000;

const TIMEOUT_MILLISECONDS = 60_000;

/** Calls under way, so that one that comes again joins the first. */
const underWay = new Map<string, Promise<Waking>>();

/** Tells the n8n execution that waits for an execution of the service, if its reference leads to this n8n; all else is refused and logged. */
export async function wake(context: IWebhookFunctions, execution: Execution, sealer: Sealer): Promise<Waking> {
	const { reference = '', workflowId, executionId } = execution;
	const opened = openReference(reference, workflowId, Date.now(), sealer);
	const refuse = (reason: string): Waking => {
		context.logger.warn(`Execution ${executionId} of workflow ${workflowId} wakes nothing: ${reason}`);
		return 'nobody';
	};
	if (!opened.ok) return refuse(`its reference cannot be opened, because ${opened.reason}`);
	if (!isOwn(context, opened.resumeUrl)) return refuse('its reference does not lead to this n8n');
	const key = createHash('sha256').update(`${opened.resumeUrl} ${executionId}`).digest('base64url');
	const telling = underWay.get(key) ?? tellUntilHeard(context, opened.resumeUrl, execution).finally(() => underWay.delete(key));
	underWay.set(key, telling);
	return Promise.race([telling, sleep(ANSWER_WITHIN_MILLISECONDS).then((): Waking => 'later')]);
}

/** Whether an address is where executions of this n8n are told to go on. */
function isOwn(context: IWebhookFunctions, resumeUrl: string): boolean {
	const ownUrl = resumeUrlOf(context);
	if (!URL.canParse(ownUrl) || !URL.canParse(resumeUrl)) return false;
	const [own, given] = [new URL(ownUrl), new URL(resumeUrl)];
	const [, givenBase] = new RegExp(`^(.*/)[^/]+/${RESUME_PATH}$`).exec(given.pathname) ?? [];
	return own.origin === given.origin && own.pathname.replace(/[^/]*$/, '') === givenBase && given.username === '' && given.password === '';
}

async function tellUntilHeard(context: IWebhookFunctions, resumeUrl: string, execution: Execution): Promise<Waking> {
	const deadline = Date.now() + LONGEST_MILLISECONDS;
	for (let pause = 250; ; pause = Math.min(2 * pause, 5_000)) {
		const answer = await tell(context, resumeUrl, execution);
		if (answer !== 'running') return answer;
		if (Date.now() + pause > deadline) return 'nobody';
		await sleep(pause);
	}
}

/** An n8n execution that runs is refused with 409, and so is one that has ended; only n8n's words tell them apart. */
async function tell(context: IWebhookFunctions, url: string, { workflowId, executionId }: Execution): Promise<Waking | 'running'> {
	const reply = await post(context, url, { workflowId, executionId });
	if (reply === undefined || reply.statusCode >= 500) return 'later';
	if (reply.statusCode === 409 && reply.message.includes('is running')) return 'running';
	if (reply.statusCode < 300) return 'told';
	context.logger.info(`Nothing waits for execution ${executionId} of workflow ${workflowId} any more (status ${reply.statusCode})`);
	return 'nobody';
}

async function post(context: IWebhookFunctions, url: string, body: Record<string, string>): Promise<{ statusCode: number; message: string } | undefined> {
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
		if (!isRecord(reply) || typeof reply.statusCode !== 'number') return undefined;
		const message = isRecord(reply.body) && typeof reply.body.message === 'string' ? reply.body.message : '';
		return { statusCode: reply.statusCode, message };
	} catch {
		// What n8n says of a failed request may show the address.
		return undefined;
	}
}
