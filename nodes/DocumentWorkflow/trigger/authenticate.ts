import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Authentication } from '../../../credentials/webhook/method';
import { readAuthentication } from '../../../credentials/webhook/methods';
import { messageOf } from '../../../service/text';
import { CREDENTIAL_NAME } from '../connection/transmit';
import { identityOf } from '../connection/incomingCall';
import { type CallSettings, callSettings } from './memory';

/** How long the settings are cached. Reading a credential is one of the slowest steps of a call in n8n 2. */
const KEPT_MILLISECONDS = 1_000;

/** How often n8n's log says the same. */
const SAID_MILLISECONDS = 60_000;

/** `unchecked`: anyone may call. `unknown`: the settings cannot be read or used, so the service must call again. */
export type Verdict = 'authentic' | 'unchecked' | 'rejected' | 'unknown';

/** Judges a call. A key that is added or removed counts after a second at most. */
export async function judgeCall(context: IWebhookFunctions): Promise<Verdict> {
	const call = { headers: context.getHeaderData(), now: Date.now() };
	const settings = await settingsOf(context);
	if (settings === undefined) return 'unknown';
	const { required } = settings;
	if (settings.isAuthentic(call)) return required === undefined ? 'unchecked' : 'authentic';
	say(
		context,
		`A call was rejected with 401, because it does not have ${required ?? ''}. ${COMPARE}`,
	);
	return 'rejected';
}

const COMPARE =
	"Compare 'Trigger Authentication' in the Document Workflow API credential with what the service operator entered";

function settingsOf(context: IWebhookFunctions): CallSettings['authentication'] {
	const now = Date.now();
	const trigger = identityOf(context);
	const credentialId = context.getNode().credentials?.[CREDENTIAL_NAME]?.id;
	const known = callSettings.get(trigger);
	// Settings from the future are not recent, because the clock was set back.
	const isRecent = known && known.readAt <= now && now < known.readAt + KEPT_MILLISECONDS;
	if (isRecent && known.credentialId === credentialId) return known.authentication;
	const authentication = read(context);
	callSettings.set(trigger, { credentialId, readAt: now, authentication, said: known?.said });
	return authentication;
}

/** Undefined when the settings cannot be read or used. */
async function read(context: IWebhookFunctions): Promise<Authentication | undefined> {
	let what: string;
	try {
		const settings = readAuthentication(await context.getCredentials(CREDENTIAL_NAME));
		if (settings.ok) return settings;
		what = `Calls are rejected: ${settings.message}. ${settings.advice}`;
	} catch (error) {
		what = `Calls are rejected: the Document Workflow API credential cannot be read: ${messageOf(error)}`;
	}
	say(context, what);
	return undefined;
}

/** Only n8n's log says why a call is rejected, not the answer to the caller. */
function say(context: IWebhookFunctions, what: string): void {
	const memory = callSettings.get(identityOf(context));
	const isSaid = memory?.said?.what === what && Date.now() < memory.said.at + SAID_MILLISECONDS;
	if (memory === undefined || isSaid) return;
	memory.said = { what, at: Date.now() };
	context.logger.warn(what);
}

/**
 * A credential that cannot be read at the moment prevents no activation.
 * @throws NodeOperationError when the settings were read and would reject every call
 */
export async function failIfAllRejected(context: IHookFunctions): Promise<void> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME).catch(() => undefined);
	const settings = credentials && readAuthentication(credentials);
	if (settings === undefined || settings.ok) return;
	throw new NodeOperationError(context.getNode(), `${settings.message}. ${settings.advice}`);
}
