import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { createHash, timingSafeEqual } from 'crypto';

/** A call of the trigger, as far as it matters for its authentication. */
export interface WebhookCall {
	/** As Node gives them: names in lower case, and what was sent twice joined. */
	headers: Record<string, string | string[] | undefined>;
	/** Unix milliseconds. */
	now: number;
}

export function headerOf({ headers }: WebhookCall, name: string): string {
	const value = headers[name.toLowerCase()];
	return typeof value === 'string' ? value : '';
}

/**
 * Whether two texts or byte sequences are the same. Compares their digests, so that the time taken shows neither where they differ
 * nor how long the expected one is.
 */
export function isSame(given: string | Buffer, expected: string | Buffer): boolean {
	return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(value: string | Buffer): Buffer {
	return createHash('sha256').update(value).digest();
}

/** Whether a key of several matches. Tries all of them, so that the time taken does not show which one did. */
export function someMatch<T>(keys: T[], matches: (key: T) => boolean): boolean {
	return keys.filter(matches).length > 0;
}

/** One way of authenticating the calls of the trigger: its part of the credential's form, and the check of a call. */
export interface AuthenticationMethod {
	/** Its entry in the list "Calls of the Trigger". */
	option: { name: string; value: string; description: string };
	/** Its fields, shown while it is chosen. Each name must be unique in the whole credential. */
	fields: INodeProperties[];
	/** Reads the entered settings. A missing or invalid setting is refused; it never weakens the check. */
	read: (entered: ICredentialDataDecryptedObject) => Authentication | Refusal;
}

/** The settings of a method, ready to check calls. */
export interface Authentication {
	ok: true;
	/** Ends the sentence "Each call must have …". Absent where calls are not checked. */
	required?: string;
	/** A risk of these settings, shown when the credential is saved. */
	warning?: string;
	/** May throw: a call that cannot be checked is not authentic. */
	isAuthentic: (call: WebhookCall) => boolean;
}

/** Why settings cannot be used, and what to do. Never holds what was entered into a secret field. */
export interface Refusal {
	ok: false;
	message: string;
	advice: string;
}

const CREDENTIAL = 'the Document Workflow API credential';

export function refuse(message: string, advice = `Correct it in ${CREDENTIAL}`): Refusal {
	return { ok: false, message, advice };
}

export function missing(field: string): Refusal {
	return refuse(
		`'${field}' is empty`,
		`Enter it in ${CREDENTIAL}. Until then, all calls are rejected`,
	);
}

export function unknownChoice(field: string): Refusal {
	return refuse(
		`The selected '${field}' is not supported by this version of the package`,
		`Select it again in ${CREDENTIAL}, or update the package`,
	);
}

export function text(
	displayName: string,
	name: string,
	options: Partial<INodeProperties>,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...options };
}

/** A field for a key, secret or password, and a second one for its rotation. What is not secret, such as a user name, has one field. */
export function keyFields(
	displayName: string,
	name: string,
	options: Partial<INodeProperties>,
): INodeProperties[] {
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

export function textIn(
	entered: ICredentialDataDecryptedObject,
	name: string,
	defaultValue = '',
): string {
	const { [name]: given = defaultValue } = entered;
	return typeof given === 'string' ? given.trim() : '';
}

/** What was entered into each field of `keyFields` that is not empty. */
export function enteredIn(
	entered: ICredentialDataDecryptedObject,
	[displayName, name]: [displayName: string, name: string],
): Array<{ field: string; key: string }> {
	return [
		{ field: displayName, key: textIn(entered, name) },
		{ field: `Second ${displayName}`, key: textIn(entered, secondOf(name)) },
	].filter(({ key }) => key !== '');
}

/** In characters: 16 random letters and digits have 95 bits, so nobody finds them by trying (assumed). */
const SHORTEST_KEY = 16;

export function readKeyFields(
	entered: ICredentialDataDecryptedObject,
	[displayName, name]: [displayName: string, name: string],
	shortest = SHORTEST_KEY,
): { ok: true; keys: string[] } | Refusal {
	const given = enteredIn(entered, [displayName, name]);
	if (given.length === 0) return missing(displayName);
	const short = given.find(({ key }) => key.length < shortest);
	return short === undefined
		? { ok: true, keys: given.map(({ key }) => key) }
		: refuse(
				`'${short.field}' has fewer than ${shortest} characters, so others could guess it and start your n8n workflow`,
				'Agree with the service operator on a longer one, such as 32 random letters and digits',
			);
}
