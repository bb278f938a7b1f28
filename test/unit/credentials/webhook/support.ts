/** The part of the credential for calls of the trigger: its form, its settings, and their effect on calls. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import type { WebhookCall } from '../../../../credentials/webhook/method';
import type { Authentication } from '../../../../credentials/webhook/method';
import { readAuthentication, callFields } from '../../../../credentials/webhook/methods';

export type Entered = ICredentialDataDecryptedObject;
export type Headers = WebhookCall['headers'];

/** A secret that no message may show. */
export const SECRET = 's3cr3t-of-the-webhook-0123456789';

/** Reads settings, which must be usable. */
export function usable(entered: Entered): Authentication {
	const read = readAuthentication(entered);
	if (!read.ok) throw new Error(`${read.message}. ${read.advice}`);
	return read;
}

/** Whether usable settings accept a call with these headers. */
export function accepts(entered: Entered, headers: Headers): boolean {
	return usable(entered).isAuthentic({ headers, now: Date.UTC(2026, 0, 15, 12) });
}

/** The refusal of settings. It must contain no secret, and name only fields of the form. */
export function refusal(entered: Entered): { message: string; advice: string } {
	const read = readAuthentication(entered);
	if (read.ok) throw new Error('These settings were accepted');
	expect(JSON.stringify(read)).not.toContain(SECRET);
	for (const [, field] of read.message.matchAll(/'([^']+)'/g))
		expect(callFields.map(({ displayName }) => displayName)).toContain(field);
	return { message: read.message, advice: read.advice };
}

export const initially = Object.fromEntries(
	callFields.map(({ name, default: value }) => [name, value]),
) as Entered;

/** The visible fields of the form, with the given values and defaults for the others. */
export function shown(entered: Entered = {}): string[] {
	return callFields
		.filter((field) =>
			NodeHelpers.displayParameter({ ...initially, ...entered }, field, null, null),
		)
		.map(({ displayName }) => displayName);
}
