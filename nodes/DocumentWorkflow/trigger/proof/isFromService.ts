import type { IWebhookFunctions } from 'n8n-workflow';

import type { WebhookSettings } from '../../../../credentials/webhookSettings';
import { readWebhookSettings } from '../../../../credentials/webhookSettings';
import { identityOf } from '../../webhook';
import { isProven } from './isProven';

/** For how long the settings count without being read again: to read a credential takes n8n 2 longer than most else of a call. */
const KEPT_MILLISECONDS = 5_000;

interface Kept {
	credentialId: string | null | undefined;
	/** Milliseconds since 1970. */
	readAt: number;
	/** Undefined where they could not be read. */
	settings: Promise<WebhookSettings | undefined>;
}

/** By the trigger. */
const kept = new Map<string, Kept>();

/** Whether a call proves itself as the credential says. What was added to the credential counts at once, what was removed from it for five seconds more. */
export async function isFromService(context: IWebhookFunctions, rawBody: Buffer): Promise<boolean> {
	const now = Date.now();
	const call = { headers: context.getHeaderData(), rawBody, now };
	const trigger = identityOf(context);
	const credentialId = context.getNode().credentials?.documentWorkflowWebhookApi?.id;
	const known = kept.get(trigger);
	if (known !== undefined && known.credentialId === credentialId && isRecent(known, now)) {
		const settings = await known.settings;
		if (settings !== undefined && isProven(settings, call)) return true;
	}
	const reading = readSettings(context);
	kept.set(trigger, { credentialId, readAt: now, settings: reading });
	const settings = await reading;
	return settings !== undefined && isProven(settings, call);
}

/** A clock that was set back makes nothing count for longer. */
function isRecent({ readAt }: Kept, now: number): boolean {
	return readAt <= now && now < readAt + KEPT_MILLISECONDS;
}

/** Whoever calls learns nothing of what was wrong; who reads n8n's log does where it is a setting. */
async function readSettings(context: IWebhookFunctions): Promise<WebhookSettings | undefined> {
	try {
		const read = readWebhookSettings(await context.getCredentials('documentWorkflowWebhookApi'));
		if (read.ok) return read.settings;
		context.logger.error(`Calls are refused: ${read.message}. ${read.advice}`);
	} catch (error) {
		context.logger.error(
			`Calls are refused, because the Document Workflow Webhook API credential cannot be read: ${error instanceof Error ? error.message : ''}`,
		);
	}
	return undefined;
}
