import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { createHash, timingSafeEqual } from 'crypto';

import { missing, type InvalidSetting, refuse, text, textIn } from '../settings';

/** The display name and the name of a field for a key. */
export type KeyField = [displayName: string, name: string];

export interface WebhookCall {
	/** As Node gives them: names in lower case, and what was sent twice joined. */
	headers: Record<string, string | string[] | undefined>;
	/** In milliseconds since 1970. */
	now: number;
}

export function headerOf({ headers }: WebhookCall, name: string): string {
	const value = headers[name.toLowerCase()];
	return typeof value === 'string' ? value : '';
}

/** Compares digests, so that the time taken shows neither a difference nor the length of the expected value. */
export function isSame(given: string | Buffer, expected: string | Buffer): boolean {
	const digestOf = (value: string | Buffer) => createHash('sha256').update(value).digest();
	return timingSafeEqual(digestOf(given), digestOf(expected));
}

/** Whether a key of several matches. Tries all of them, so that the time taken does not show which one did. */
export function someMatch<T>(keys: T[], matches: (key: T) => boolean): boolean {
	return keys.filter(matches).length > 0;
}

/** One way of authenticating the calls of the trigger: its part of the credential's form, and the check of a call. */
export interface AuthenticationMethod {
	/** Its entry in the list "Trigger Authentication". */
	option: { name: string; value: string; description: string };
	/** Its fields, shown while it is chosen. Each name must be unique in the whole credential. */
	fields: INodeProperties[];
	/** Reads the entered settings. A missing or invalid setting is refused; it never weakens the check. */
	read: (entered: ICredentialDataDecryptedObject) => Authentication | InvalidSetting;
}

/** The settings of a method, ready to check calls. */
export interface Authentication {
	ok: true;
	/** What each call must have, as the log says it of a rejected one. Absent where calls are not checked. */
	required?: string;
	/** May throw: a call that cannot be checked is not authentic. */
	isAuthentic: (call: WebhookCall) => boolean;
}

/** A field for a key, secret or password, and a second one for its rotation. */
export function keyFields([displayName, name]: KeyField, options: Partial<INodeProperties>) {
	return [
		text(displayName, name, { ...options, required: true }),
		text(`Second ${displayName}`, secondOf(name), {
			...options,
			description:
				'For key rotation: calls with either of the two are accepted. Remove the old one afterwards.',
		}),
	];
}

function secondOf(name: string): string {
	return `second${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Whoever knows a shorter key could start the n8n workflow of the user. `shortest`: in characters. */
export function whyTooShort(
	key: string,
	field: string,
	shortest: number,
): InvalidSetting | undefined {
	return key.length >= shortest
		? undefined
		: refuse(
				`'${field}' has fewer than ${shortest} characters, so others could guess it and start your n8n workflow`,
				'Agree with the service operator on a longer one, such as 32 random letters and digits',
			);
}

/** Reads each field of `keyFields` that is not empty. At least one has to be filled. */
export function readKeyFields<T>(
	entered: ICredentialDataDecryptedObject,
	[displayName, name]: KeyField,
	readKey: (key: string, field: string) => { ok: true; key: T } | InvalidSetting,
): { ok: true; keys: T[] } | InvalidSetting {
	const keys: T[] = [];
	const names = { [displayName]: name, [`Second ${displayName}`]: secondOf(name) };
	for (const [field, fieldName] of Object.entries(names)) {
		const key = textIn(entered, fieldName);
		if (key === '') continue;
		const read = readKey(key, field);
		if (!read.ok) return read;
		keys.push(read.key);
	}
	if (keys.length > 0) return { ok: true, keys };
	return missing(`'${displayName}'`, '. Until then, all calls are rejected');
}
