import type { IWebhookFunctions } from 'n8n-workflow';

import type { Authentication } from '../../../credentials/webhook/method';
import { readAuthentication } from '../../../credentials/webhook/methods';
import { messageOf } from '../../../service/text';
import { identityOf } from '../connection/incomingCall';

/** How long the settings are cached. Reading a credential is one of the slowest steps of a call in n8n 2. */
const KEPT_MILLISECONDS = 5_000;

interface Kept {
	credentialId: string | null | undefined;
	/** Unix milliseconds. */
	readAt: number;
	/** Undefined when they could not be read. */
	authentication: Promise<Authentication | undefined>;
}

/** By trigger. */
const kept = new Map<string, Kept>();

/**
 * The settings by which a call is authenticated; undefined when it is not. An added key is accepted at once; a removed key is accepted for
 * five more seconds.
 */
export async function authenticate(
	context: IWebhookFunctions,
	rawBody: Buffer,
): Promise<Authentication | undefined> {
	const now = Date.now();
	const call = { headers: context.getHeaderData(), rawBody, now };
	const trigger = identityOf(context);
	const credentialId = context.getNode().credentials?.documentWorkflowWebhookApi?.id;
	const known = kept.get(trigger);
	if (known !== undefined && known.credentialId === credentialId && isRecent(known, now)) {
		const authentication = await known.authentication;
		if (authentication?.isAuthentic(call) === true) return authentication;
	}
	const reading = read(context);
	kept.set(trigger, { credentialId, readAt: now, authentication: reading });
	const authentication = await reading;
	return authentication?.isAuthentic(call) === true ? authentication : undefined;
}

/** Settings from the future are not recent, because the clock was set back. */
function isRecent({ readAt }: Kept, now: number): boolean {
	return readAt <= now && now < readAt + KEPT_MILLISECONDS;
}

/** Undefined when the settings cannot be used. Only n8n's log says why, not the answer to the caller. */
async function read(context: IWebhookFunctions): Promise<Authentication | undefined> {
	try {
		const settings = readAuthentication(await context.getCredentials('documentWorkflowWebhookApi'));
		if (settings.ok) return settings;
		context.logger.error(`Calls are rejected: ${settings.message}. ${settings.advice}`);
	} catch (error) {
		context.logger.error(
			`Calls are rejected, because the Document Workflow Webhook API credential cannot be read: ${messageOf(error)}`,
		);
	}
	return undefined;
}
