import type { IWebhookFunctions } from 'n8n-workflow';

import type { Authentication } from '../../../credentials/webhook/method';
import { readAuthentication } from '../../../credentials/webhook/methods';
import { messageOf } from '../../../service/text';
import { identityOf } from '../connection/incomingCall';

/** How long the settings are cached. Reading a credential is one of the slowest steps of a call in n8n 2. */
const KEPT_MILLISECONDS = 5_000;

/** The same while they reject a call, because a key may have been added. */
const KEPT_FOR_REJECTED_MILLISECONDS = 1_000;

/** How often n8n's log says that the settings cannot be used. */
const SAID_MILLISECONDS = 60_000;

interface Kept {
	credentialId: string | null | undefined;
	/** Unix milliseconds. */
	readAt: number;
	/** Undefined when they could not be read. */
	authentication: Promise<Authentication | undefined>;
}

/** By trigger. */
const kept = new Map<string, Kept>();

/** By trigger: what its settings lack, and when n8n's log said so. */
const said = new Map<string, { what: string; at: number }>();

/** Whether a call is authentic. An added key is accepted after a second at most; a removed key for five more seconds. */
export async function isAuthentic(context: IWebhookFunctions, rawBody: Buffer): Promise<boolean> {
	const call = { headers: context.getHeaderData(), rawBody, now: Date.now() };
	const settings = settingsOf(context, KEPT_MILLISECONDS);
	if ((await settings)?.isAuthentic(call) === true) return true;
	const newer = settingsOf(context, KEPT_FOR_REJECTED_MILLISECONDS);
	return newer !== settings && (await newer)?.isAuthentic(call) === true;
}

function settingsOf(context: IWebhookFunctions, keptMilliseconds: number): Kept['authentication'] {
	const now = Date.now();
	const trigger = identityOf(context);
	const credentialId = context.getNode().credentials?.documentWorkflowWebhookApi?.id;
	const known = kept.get(trigger);
	// Settings from the future are not recent, because the clock was set back.
	const isRecent = known && known.readAt <= now && now < known.readAt + keptMilliseconds;
	if (isRecent && known.credentialId === credentialId) return known.authentication;
	const authentication = read(context, trigger);
	kept.set(trigger, { credentialId, readAt: now, authentication });
	return authentication;
}

/** Undefined when the settings cannot be used. Only n8n's log says why, not the answer to the caller. */
async function read(
	context: IWebhookFunctions,
	trigger: string,
): Promise<Authentication | undefined> {
	let what: string;
	try {
		const settings = readAuthentication(await context.getCredentials('documentWorkflowWebhookApi'));
		if (settings.ok) return settings;
		what = `Calls are rejected: ${settings.message}. ${settings.advice}`;
	} catch (error) {
		what = `Calls are rejected, because the Document Workflow Webhook API credential cannot be read: ${messageOf(error)}`;
	}
	const before = said.get(trigger);
	if (before?.what !== what || Date.now() >= before.at + SAID_MILLISECONDS) {
		said.set(trigger, { what, at: Date.now() });
		context.logger.error(what);
	}
	return undefined;
}
