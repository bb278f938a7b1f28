import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { Queue } from '../../../service/rateLimit';
import { time } from '../time';
import { executionKey } from './awaited';
import type { Sealer } from './reference';
import { openReference } from './reference';
import { NOT_NOW } from './resume';
import { isOwnAddress } from './resumeAddress';

/** `notified`: the paused n8n execution knows. `nobody`: none is waiting. `later`: it could not be notified yet. */
export type ResumeResult = 'notified' | 'nobody' | 'later';

/**
 * How long to retry while n8n has the n8n execution as crashed: when it starts it marks pauses like this for a moment. One that has
 * really crashed stays so.
 */
const RECOVERED_WITHIN_MILLISECONDS = 120_000;

/** After this time the service is asked to call again. The call and its retries continue in the meantime. */
const ANSWER_WITHIN_MILLISECONDS = 10_000;

const TIMEOUT_MILLISECONDS = 60_000;

/** Each notification costs n8n as much as a call from outside, and a burst would block everything else. */
const MAX_AT_ONCE = 4;

/**
 * With more open notifications a call is accepted before its notification is sent: each waiting call occupies an expression slot of
 * n8n, and repeated calls would take the time that the notifications need. If such a notification fails, the node checks by itself.
 */
const MAX_WAITING_CALLS = 25;

/** With more open notifications the service is asked to call again. Each of them holds a call of n8n in memory. */
const MAX_OPEN = 1_000;

/** How long a result is known, so that a repeated call gets it. `nobody` may be the result of two minutes of retries. */
const KNOWN_MILLISECONDS = { notified: 60_000, nobody: 60 * 60_000 };

interface Notification {
	result: Promise<ResumeResult>;
	/** Set when it has ended, in milliseconds since 1970. */
	knownUntil?: number;
}

const queue = new Queue(MAX_AT_ONCE);

/** Open and recent notifications, so that a repeated call joins the first. */
const notifications = new Map<string, Notification>();

/** Notifies the n8n execution that waits for an execution, if its reference points to this n8n. Other references are logged. */
export async function notify(
	context: IWebhookFunctions,
	execution: Execution,
	sealer: Sealer,
): Promise<ResumeResult> {
	const { reference = '', workflowId, executionId } = execution;
	const opened = openReference(reference, workflowId, time.now(), sealer);
	const ignore = (reason: string): ResumeResult => {
		context.logger.warn(
			`Execution ${executionId} of workflow ${workflowId} resumes nothing: ${reason}`,
		);
		return 'nobody';
	};
	if (!opened.ok) return ignore(`its resume reference cannot be opened: ${opened.reason}`);
	const { resumeUrl } = opened;
	if (!isOwnAddress(context, resumeUrl))
		return ignore('its resume reference belongs to another n8n');
	const key = createHash('sha256')
		.update(`${resumeUrl} ${executionKey(execution)}`)
		.digest('base64url');
	const open = forgetOld();
	const known = notifications.get(key);
	if (known === undefined && open >= MAX_OPEN) return 'later';
	const { result } = known ?? begin(key, notifyUntilRecovered(context, resumeUrl, execution));
	if (known?.knownUntil === undefined && open > MAX_WAITING_CALLS) return 'notified';
	return Promise.race([
		result,
		time.sleep(ANSWER_WITHIN_MILLISECONDS).then((): ResumeResult => 'later'),
	]);
}

function begin(key: string, result: Promise<ResumeResult>): Notification {
	const notification: Notification = { result };
	notifications.set(key, notification);
	void result.then((outcome) => {
		if (outcome === 'later') notifications.delete(key);
		else notification.knownUntil = time.now() + KNOWN_MILLISECONDS[outcome];
	});
	return notification;
}

/** Returns how many notifications are still open. */
function forgetOld(): number {
	let open = 0;
	for (const [key, { knownUntil }] of notifications) {
		if (knownUntil === undefined) open++;
		else if (knownUntil <= time.now()) notifications.delete(key);
	}
	return open;
}

async function notifyUntilRecovered(
	context: IWebhookFunctions,
	resumeUrl: string,
	execution: Execution,
): Promise<ResumeResult> {
	const deadline = time.now() + RECOVERED_WITHIN_MILLISECONDS;
	for (let pause = 250; ; pause = Math.min(2 * pause, 5_000)) {
		const result = await queue.run(async () => notifyOnce(context, resumeUrl, execution));
		if (result !== 'crashed') return result;
		if (time.now() + pause > deadline) {
			const { workflowId, executionId } = execution;
			context.logger.warn(
				`Execution ${executionId} of workflow ${workflowId} resumes nothing: its n8n execution has crashed`,
			);
			return 'nobody';
		}
		await time.sleep(pause);
	}
}

/**
 * Only the pause itself answers with `waiting`. n8n answers 409 both for a running and for an ended n8n execution; only the text
 * differs. Any other answer comes from something else, such as a proxy, or from an n8n that is starting.
 */
async function notifyOnce(
	context: IWebhookFunctions,
	url: string,
	execution: Execution,
): Promise<ResumeResult | 'crashed'> {
	const { workflowId, executionId } = execution;
	const { statusCode, body } = await post(context, url, { workflowId, executionId });
	if (statusCode === 200 && typeof body.waiting === 'boolean') return 'notified';
	const text = [body.message, body.error].find((each) => typeof each === 'string') ?? '';
	const isOfN8n = TEXTS_OF_N8N[statusCode]?.test(text) ?? false;
	// Before its pause and after it, the node checks by itself.
	if (isOfN8n && text.includes('is running')) return 'notified';
	if (isOfN8n && statusCode === 500) return 'crashed';
	const about = `execution ${executionId} of workflow ${workflowId}`;
	if (isOfN8n) {
		context.logger.info(`No n8n execution waits for ${about} anymore (status ${statusCode})`);
		return 'nobody';
	}
	// An answer that is not n8n's may contain the address, so it is not logged.
	const reason = text === NOT_NOW ? text : reasonAt(statusCode);
	context.logger.warn(`The n8n execution that waits for ${about} could not be notified: ${reason}`);
	return 'later';
}

function reasonAt(statusCode: number): string {
	if (statusCode === 500) return 'n8n answers with status 500; its log has the reason';
	const given = statusCode === 0 ? 'cannot be reached' : `answers with status ${statusCode}`;
	const path =
		statusCode === 404
			? '. With N8N_PATH, you must also set N8N_WEBHOOK_URL (n8n 1: WEBHOOK_URL)'
			: '';
	return `the URL of n8n itself, set by WEBHOOK_URL, ${given}${path}`;
}

/**
 * n8n's own answers for a resume address that cannot resume, by status. With 500 n8n finds no node to resume in an n8n execution that
 * has crashed.
 */
const TEXTS_OF_N8N: Record<number, RegExp> = {
	401: /^Invalid token$/,
	404: /\bexecution\b|^Could not find node/,
	409: /\bexecution\b/,
	500: /^Cannot read properties of (?:undefined|null)/,
};

/** Status 0 means no answer. */
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
		// The error of a failed request may contain the address.
	}
	return { statusCode: 0, body: {} };
}
